// SPDX-License-Identifier: Apache-2.0
// Where a beat meets its key stream: text leaves, GHASH takes the block, and who ends is answered.
// Latency: text 1 cycle after its key stream, answers as streams_ghash and streams_tags.
// Throughput: one beat a step.
module streams_back #(
    parameter int Streams = 4,
    parameter int Stages = 1,
    parameter int Answers = 6,
    localparam int TidWidth = Streams > 1 ? $clog2(Streams) : 1,
    localparam int ContextWidth = gcm_pkg::CONTEXT_WIDTH,
    localparam int StatusWidth = gcm_pkg::STATUS_WIDTH,
    localparam int AadWidth = $clog2(gcm_pkg::MAX_AAD_BYTES / 16 + 1),
    localparam int TextWidth = $clog2(gcm_pkg::MAX_TEXT_BYTES / 16 + 1),
    localparam int LengthsWidth = AadWidth + 4 + TextWidth + 4,
    localparam int FactWidth = 6 + StatusWidth + 5 + 5 + ContextWidth + TidWidth + LengthsWidth + 4
) (
    input  logic                    clk,
    input  logic                    rst,
    input  logic                    step_i,
    input  logic                    valid_i,
    input  logic                    mark_i,
    input  logic [   FactWidth-1:0] facts_i,     // of streams_issue
    input  logic [           127:0] data_i,
    input  logic [           127:0] expected_i,
    input  logic [           127:0] stream_i,
    output logic                    mark_done_o, // all before the mark is done
    // powers of H
    input  logic                    subkey_valid_i,
    input  logic                    subkey_first_i,
    input  logic [ContextWidth-1:0] subkey_context_i,
    input  logic [           127:0] subkey_i,
    output logic                    out_soon_o,  // in the next cycle there is room
    output logic                    tag_soon_o,
    output logic                    m_axis_tvalid,
    input  logic                    m_axis_tready,
    output logic [           127:0] m_axis_tdata,
    output logic [            15:0] m_axis_tkeep,
    output logic                    m_axis_tlast,
    output logic [    TidWidth-1:0] m_axis_tid,
    output logic                    m_tag_tvalid,
    input  logic                    m_tag_tready,
    output logic [    TidWidth-1:0] m_tag_tid,
    output logic [           127:0] m_tag_tag,
    output logic [ StatusWidth-1:0] m_tag_status
);
  localparam int TagCycles = (Stages < 3 ? Stages : 4) + 2;  // of streams_ghash

  logic opens, text, block, close, out, said_decrypt, decrypt, good, passes;
  logic [StatusWidth-1:0] status, status_again;
  logic [4:0] tag_bytes, count;
  logic [ContextWidth-1:0] context_id;
  logic [TidWidth-1:0] tid;
  logic [AadWidth-1:0] aad_full;
  logic [TextWidth-1:0] text_full;
  logic [3:0] aad_part, text_part;
  logic [1:0] turn, number;
  logic [15:0] keep;  // bit i for byte i
  logic [127:0] mask, there, made, hashed, out_text, out_data, tag, tag_bits;

  assign {opens, text, block, close, out, status, said_decrypt, tag_bytes, count, context_id, tid,
          aad_full, aad_part, text_full, text_part, turn, number} = facts_i;

  // What its command was found to be; of one direction only, that is the same for all.
  streams_direction u_direction (
      .decrypt_i(said_decrypt),
      .status_i (status),
      .decrypt_o(decrypt),
      .status_o (status_again)
  );

  assign passes = step_i && valid_i;
  assign good   = status == gcm_pkg::STATUS_OK;

  for (genvar b = 0; b < 16; b++) begin : gen_byte
    assign keep[b]            = 5'(b) < count;
    assign mask[127-8*b-:8]   = {8{keep[b]}};
    assign m_axis_tdata[8*b+:8] = m_axis_tvalid ? out_data[127-8*b-:8] : '0;
    assign m_tag_tag[8*b+:8]  = tag_bits[127-8*b-:8];
  end
  assign there    = data_i & mask;
  assign made     = (data_i ^ stream_i) & mask;
  assign hashed   = text && !decrypt ? made : there;
  assign out_text = good && text ? made : '0;

  logic [15:0] out_keep;
  logic out_last;
  logic [TidWidth-1:0] out_tid;

  segments_out #(
      .Width(128 + 16 + 1 + TidWidth)
  ) u_out (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (passes && out),
      .in_data_i  ({out_text, text ? keep : 16'd0, close, tid}),
      .in_soon_o  (out_soon_o),
      .out_valid_o(m_axis_tvalid),
      .out_ready_i(m_axis_tready),
      .out_data_o ({out_data, out_keep, out_last, out_tid})
  );
  assign m_axis_tkeep = m_axis_tvalid ? out_keep : '0;
  assign m_axis_tlast = m_axis_tvalid && out_last;
  assign m_axis_tid   = m_axis_tvalid ? out_tid : '0;

  logic tag_valid;

  streams_ghash #(
      .Streams(Streams),
      .Stages (Stages)
  ) u_ghash (
      .clk             (clk),
      .rst             (rst),
      .in_valid_i      (passes),
      .in_tid_i        (tid),
      .in_context_i    (context_id),
      .in_block_i      (block),
      .in_close_i      (close),
      .in_turn_i       (turn),
      .in_number_i     (number),
      .in_data_i       (hashed),
      .in_expected_i   (decrypt ? expected_i : 128'd0),
      .in_lengths_i    ({64'({aad_full, aad_part, 3'b0}), 64'({text_full, text_part, 3'b0})}),
      .in_opens_i      (opens),
      .in_mask_i       (stream_i),
      .tag_valid_o     (tag_valid),
      .tag_o           (tag),
      .subkey_valid_i  (subkey_valid_i),
      .subkey_first_i  (subkey_first_i),
      .subkey_context_i(subkey_context_i),
      .subkey_i        (subkey_i)
  );

  streams_tags #(
      .Streams(Streams),
      .Latency(TagCycles),
      .Depth  (Answers)
  ) u_tags (
      .clk            (clk),
      .rst            (rst),
      .entry_valid_i  (passes && close),
      .entry_tid_i    (tid),
      .entry_decrypt_i(decrypt),
      .entry_status_i (status),
      .entry_bytes_i  (tag_bytes),
      .entry_soon_o   (tag_soon_o),
      .tag_valid_i    (tag_valid),
      .tag_i          (tag),
      .answer_valid_o (m_tag_tvalid),
      .answer_ready_i (m_tag_tready),
      .answer_tid_o   (m_tag_tid),
      .answer_tag_o   (tag_bits),
      .answer_status_o(m_tag_status)
  );

  logic unused;
  assign unused = &{1'b0, status_again};

  // ---- marks pass GHASH in the time of a tag
  logic [TagCycles-1:0] mark_q;
  always_ff @(posedge clk)
    if (rst) mark_q <= '0;
    else mark_q <= {mark_q[TagCycles-2:0], mark_i && step_i};
  assign mark_done_o = mark_q[TagCycles-1];
endmodule
