// SPDX-License-Identifier: Apache-2.0
// What follows the AES in a segmented core: text leaves, GHASH takes its beat, answers are made.
// Latency: one step, then 1 cycle to m_axis; digests as segments_ghash, answers as gcm_tag.
// Throughput: one beat a step.
module segments_back #(
    parameter int Segments = 2,
    parameter int Stages = 1,
    parameter int Answers = 6,
    localparam int Lanes = gcm_pkg::LANES,
    localparam int Blocks = Lanes / Segments,
    localparam int Bytes = 16 * Blocks,
    localparam int EmptyWidth = $clog2(Bytes + 1),
    localparam int LeftWidth = $clog2(Lanes + 2),
    localparam int ContextWidth = gcm_pkg::CONTEXT_WIDTH,
    localparam int FactWidth = 14 + ContextWidth + EmptyWidth,  // of segments_issue
    localparam int LengthsWidth = $clog2(gcm_pkg::MAX_AAD_BYTES)
        + $clog2(gcm_pkg::MAX_TEXT_BYTES) + 8
) (
    input  logic                               clk,
    input  logic                               rst,
    input  logic                               step_i,
    // a beat as long before its key stream as segments_check takes; and with its key stream: data,
    // expected tag
    input  logic                               valid_i,
    input  logic [     FactWidth*Segments-1:0] facts_i,
    input  logic [(Blocks+1)*128*Segments-1:0] waited_i,
    input  logic [(Blocks+1)*128*Segments-1:0] stream_i,
    // a mark that comes with it, and when all before it is done
    input  logic                               mark_i,
    output logic                               mark_done_o,
    // powers of H
    input  logic                               subkey_valid_i,
    input  logic                               subkey_first_i,
    input  logic [           ContextWidth-1:0] subkey_context_i,
    input  logic [                      127:0] subkey_i,
    output logic                               powers_done_o,
    // there is room in the next cycle
    output logic                               out_soon_o,
    output logic                               tag_soon_o,
    output logic                               m_axis_tvalid,
    input  logic                               m_axis_tready,
    output logic [              Lanes*128-1:0] m_axis_tdata,
    output logic [               Segments-1:0] m_axis_ena,
    output logic [               Segments-1:0] m_axis_sop,
    output logic [               Segments-1:0] m_axis_eop,
    output logic [    EmptyWidth*Segments-1:0] m_axis_mty,
    output logic                               m_tag_tvalid,
    input  logic                               m_tag_tready,
    output logic [               Segments-1:0] m_tag_ena,
    output logic [           128*Segments-1:0] m_tag_tag,
    output logic [             3*Segments-1:0] m_tag_status
);
  logic valid, passes, old, old_end, tag_valid;
  logic [Segments-1:0] is_text, decrypt, start, ends, out_used, out_start, out_end, on;
  logic [Segments-1:0] digest_valid, good, verdict, verdict_ok;
  logic [3*Segments-1:0] status;
  logic [5*Segments-1:0] tag_bytes;
  logic [ContextWidth*Segments-1:0] context_id;
  logic [Bytes*Segments-1:0] keep;
  logic [LengthsWidth*Segments-1:0] lengths;
  logic [EmptyWidth*Segments-1:0] out_empty;
  logic [LeftWidth*Segments-1:0] left;
  logic [Lanes*128-1:0] text, text_out, hashed;
  logic [128*Segments-1:0] mask, digest, tags;

  segments_check #(
      .Segments(Segments)
  ) u_check (
      .clk        (clk),
      .rst        (rst),
      .advance_i  (step_i),
      .valid_i    (valid_i),
      .facts_i    (facts_i),
      .valid_o    (valid),
      .text_o     (is_text),
      .decrypt_o  (decrypt),
      .start_o    (start),
      .end_o      (ends),
      .status_o   (status),
      .tag_bytes_o(tag_bytes),
      .context_o  (context_id),
      .keep_o     (keep),
      .lengths_o  (lengths),
      .out_used_o (out_used),
      .out_start_o(out_start),
      .out_end_o  (out_end),
      .out_empty_o(out_empty),
      .left_o     (left),
      .on_o       (on),
      .old_o      (old),
      .old_end_o  (old_end)
  );

  assign passes = step_i && valid;

  for (genvar g = 0; g < Segments; g++) begin : gen_segment
    segments_join #(
        .Blocks(Blocks)
    ) u_join (
        .data_i   (waited_i[g*(Blocks+1)*128+128+:Blocks*128]),
        .stream_i (stream_i[g*(Blocks+1)*128+:(Blocks+1)*128]),
        .keep_i   (keep[Bytes*g+:Bytes]),
        .tag_i    (waited_i[g*(Blocks+1)*128+:128]),
        .text_i   (is_text[g]),
        .decrypt_i(decrypt[g]),
        .good_i   (good[g]),
        .out_o    (text[g*Blocks*128+:Blocks*128]),
        .hash_o   (hashed[g*Blocks*128+:Blocks*128]),
        .mask_o   (mask[128*g+:128])
    );
    // byte 0 of a segment lowest again
    for (genvar b = 0; b < Bytes; b++) begin : gen_byte
      assign m_axis_tdata[128*Blocks*g+8*b+:8] = m_axis_tvalid
          ? text_out[128*Blocks*(g+1)-1-8*b-:8] : '0;
    end
    for (genvar b = 0; b < 16; b++) begin : gen_tag_byte
      assign m_tag_tag[128*g+8*b+:8] = tags[128*(g+1)-1-8*b-:8];
    end
  end

  for (genvar g = 0; g < Segments; g++) begin : gen_good
    assign good[g] = status[3*g+:3] == gcm_pkg::STATUS_OK;
  end

  segments_release u_release (
      .clk         (clk),
      .rst         (rst),
      .in_valid_i  (passes),
      .in_text_i   (text),
      .in_used_i   (out_used),
      .in_start_i  (out_start),
      .in_end_i    (out_end),
      .in_empty_i  (out_empty),
      .in_good_i   (good),
      .in_close_i  (ends),
      .verdict_i   (verdict),
      .verdict_ok_i(verdict_ok),
      .in_soon_o   (out_soon_o),
      .out_valid_o (m_axis_tvalid),
      .out_ready_i (m_axis_tready),
      .out_text_o  (text_out),
      .out_used_o  (m_axis_ena),
      .out_start_o (m_axis_sop),
      .out_end_o   (m_axis_eop),
      .out_empty_o (m_axis_mty)
  );

  segments_ghash #(
      .Segments(Segments),
      .Stages  (Stages)
  ) u_ghash (
      .clk             (clk),
      .rst             (rst),
      .in_valid_i      (passes),
      .in_data_i       (hashed),
      .in_lengths_i    (lengths),
      .in_left_i       (left),
      .in_context_i    (context_id),
      .in_start_i      (start),
      .in_end_i        (ends),
      .in_on_i         (on),
      .in_old_i        (old),
      .in_old_end_i    (old_end),
      .digest_valid_o  (digest_valid),
      .digest_o        (digest),
      .subkey_valid_i  (subkey_valid_i),
      .subkey_first_i  (subkey_first_i),
      .subkey_context_i(subkey_context_i),
      .subkey_i        (subkey_i),
      .subkey_done_o   (powers_done_o)
  );

  segments_tags #(
      .Segments(Segments),
      .Depth   (Answers)
  ) u_tags (
      .clk            (clk),
      .rst            (rst),
      .entry_valid_i  (ends & {Segments{passes}}),
      .entry_decrypt_i(decrypt),
      .entry_status_i (status),
      .entry_bytes_i  (tag_bytes),
      .entry_mask_i   (mask),
      .entry_soon_o   (tag_soon_o),
      .digest_valid_i (digest_valid),
      .digest_i       (digest),
      .verdict_o      (verdict),
      .verdict_ok_o   (verdict_ok),
      .tag_valid_o    (tag_valid),
      .tag_ready_i    (m_tag_tready),
      .tag_used_o     (m_tag_ena),
      .tag_o          (tags),
      .tag_status_o   (m_tag_status)
  );
  assign m_tag_tvalid = tag_valid;

  // ---- marks pass GHASH in the time of a digest
  logic [2*Stages+1:0] mark_q;
  always_ff @(posedge clk)
    if (rst) mark_q <= '0;
    else mark_q <= {mark_q[2*Stages:0], mark_i && step_i};
  assign mark_done_o = mark_q[2*Stages+1];
endmodule
