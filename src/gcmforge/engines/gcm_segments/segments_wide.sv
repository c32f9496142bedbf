// SPDX-License-Identifier: Apache-2.0
// gcm_segments with the streams of every other core: commands and data apart, a packet in beats of
// its own. Packets share beats of segments inside.
// Latency: that of gcm_segments, and what segments_pack waits for a full beat. Throughput: one
// plain beat a cycle, one packet's answer a cycle.
module segments_wide #(
    parameter int Segments = 2,
    parameter int SubStages = 1,
    parameter int Stages = 1,
    parameter int Answers = 6,
    localparam int Lanes = gcm_pkg::LANES,
    localparam int ContextWidth = gcm_pkg::CONTEXT_WIDTH
) (
    input  logic                    aclk,
    input  logic                    aresetn,
    input  logic                    s_key_tvalid,
    output logic                    s_key_tready,
    input  logic [           255:0] s_key_tdata,
    input  logic [             1:0] s_key_size,
    input  logic [ContextWidth-1:0] s_key_context,
    input  logic                    s_cmd_tvalid,
    output logic                    s_cmd_tready,
    input  logic [ContextWidth-1:0] s_cmd_context,
    input  logic                    s_cmd_decrypt,
    input  logic [           127:0] s_cmd_tag,
    input  logic [             4:0] s_cmd_tag_bytes,
    input  logic [            15:0] s_cmd_iv_bytes,
    input  logic [           127:0] s_cmd_iv,
    input  logic                    s_axis_tvalid,
    output logic                    s_axis_tready,
    input  logic [   Lanes*128-1:0] s_axis_tdata,
    input  logic [    Lanes*16-1:0] s_axis_tkeep,
    input  logic                    s_axis_tuser,
    input  logic                    s_axis_tlast,
    output logic                    m_axis_tvalid,
    input  logic                    m_axis_tready,
    output logic [   Lanes*128-1:0] m_axis_tdata,
    output logic [    Lanes*16-1:0] m_axis_tkeep,
    output logic                    m_axis_tlast,
    output logic                    m_tag_tvalid,
    input  logic                    m_tag_tready,
    output logic [           127:0] m_tag_tag,
    output logic                    m_tag_ok,
    output logic [             2:0] m_tag_status
);
  localparam int Bytes = 16 * Lanes / Segments;
  localparam int EmptyWidth = $clog2(Bytes + 1);
  localparam int CountWidth = $clog2(Segments + 1);
  localparam int CommandWidth = ContextWidth + 1 + 96 + 16 + 5;
  localparam int SegmentWidth = 8 * Bytes + 5 + EmptyWidth + CommandWidth + 128;
  localparam int TextsUnderWay = 64 * Segments;

  logic clk, rst;
  assign clk = aclk;
  assign rst = !aresetn;

  logic [Segments-1:0] used, start, ends, error, is_text, decrypt;
  logic packed_valid, packed_ready, beat_valid, beat_ready;
  logic text_push, text_room, text_valid, text_ready;
  logic [CountWidth-1:0] text_pushed, text_count;
  logic [SegmentWidth*Segments-1:0] packed_beat, beat;

  // ---- commands; of an IV of more than 16 bytes the further words are taken and left
  logic command_room, command_queued, command_valid, command_ready, first;
  logic key_ready, key_open, key_waits_q;
  logic [11:0] words_q;
  logic [CommandWidth-1:0] command;
  logic [127:0] expected;

  assign first        = words_q == '0;
  assign s_cmd_tready = first ? command_room && !key_waits_q : 1'b1;

  always_ff @(posedge clk)
    if (rst) words_q <= '0;
    else if (s_cmd_tvalid && !first) words_q <= words_q - 12'd1;
    else if (s_cmd_tvalid && s_cmd_tready && s_cmd_iv_bytes != '0)
      words_q <= 12'((s_cmd_iv_bytes - 16'd1) >> 4);

  // Commands and keys keep their order: a key waits until the core has all packets before it.
  logic [11:0] under_way_q;
  logic [CountWidth-1:0] given;

  assign key_open     = under_way_q == '0;
  assign s_key_tready = key_ready && key_open;

  always_comb begin
    given = '0;
    for (int g = 0; g < Segments; g++)
      given = given + CountWidth'(beat_valid && beat_ready && used[g] && ends[g]);
  end

  always_ff @(posedge clk)
    if (rst) begin
      key_waits_q <= 1'b0;
      under_way_q <= '0;
    end else begin
      key_waits_q <= s_key_tvalid && !s_key_tready;
      under_way_q <= under_way_q + 12'(s_cmd_tvalid && s_cmd_tready && first) - 12'(given);
    end

  assign command_valid = command_queued && first;

  gcm_fifo #(
      .Width(CommandWidth + 128),
      .Depth(3)
  ) u_commands (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (s_cmd_tvalid && s_cmd_tready && first),
      .in_ready_o (command_room),
      .in_data_i  ({s_cmd_context, s_cmd_decrypt, s_cmd_iv[95:0], s_cmd_iv_bytes, s_cmd_tag_bytes,
                    s_cmd_tag}),
      .out_valid_o(command_queued),
      .out_ready_i(command_ready),
      .out_data_o ({command, expected})
  );

  // ---- data
  logic in_valid, in_ready, in_text, in_last;
  logic [Lanes*128-1:0] in_data;
  logic [Lanes*16-1:0] in_keep;

  axis_skid #(
      .Width(Lanes * 144 + 2)
  ) u_input (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (s_axis_tvalid),
      .in_ready_o (s_axis_tready),
      .in_data_i  ({s_axis_tdata, s_axis_tkeep, s_axis_tuser, s_axis_tlast}),
      .out_valid_o(in_valid),
      .out_ready_i(in_ready),
      .out_data_o ({in_data, in_keep, in_text, in_last})
  );

  segments_pack #(
      .Segments(Segments)
  ) u_pack (
      .clk            (clk),
      .rst            (rst),
      .command_valid_i(command_valid),
      .command_ready_o(command_ready),
      .command_i      (command),
      .tag_i          (expected),
      .in_valid_i     (in_valid),
      .in_ready_o     (in_ready),
      .in_data_i      (in_data),
      .in_keep_i      (in_keep),
      .in_text_i      (in_text),
      .in_last_i      (in_last),
      .out_valid_o    (packed_valid),
      .out_ready_i    (packed_ready),
      .out_o          (packed_beat),
      .text_valid_o   (text_push),
      .text_ready_i   (text_room),
      .text_count_o   (text_pushed)
  );

  gcm_fifo #(
      .Width(CountWidth),
      .Depth(TextsUnderWay)
  ) u_texts (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (text_push),
      .in_ready_o (text_room),
      .in_data_i  (text_pushed),
      .out_valid_o(text_valid),
      .out_ready_i(text_ready),
      .out_data_o (text_count)
  );

  // Beats that gather while the core stands still come one in every cycle afterwards.
  gcm_fifo #(
      .Width(SegmentWidth * Segments),
      .Depth(8)
  ) u_beats (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (packed_valid),
      .in_ready_o (packed_ready),
      .in_data_i  (packed_beat),
      .out_valid_o(beat_valid),
      .out_ready_i(beat_ready),
      .out_data_o (beat)
  );

  // ---- the core
  logic [Lanes*128-1:0] data;
  logic [EmptyWidth*Segments-1:0] empty;
  logic [ContextWidth*Segments-1:0] context_id;
  logic [96*Segments-1:0] iv;
  logic [16*Segments-1:0] iv_bytes;
  logic [5*Segments-1:0] tag_bytes;
  logic [128*Segments-1:0] tag;

  for (genvar g = 0; g < Segments; g++) begin : gen_segment
    assign {tag[128*g+:128], context_id[ContextWidth*g+:ContextWidth], decrypt[g], iv[96*g+:96],
            iv_bytes[16*g+:16], tag_bytes[5*g+:5], empty[EmptyWidth*g+:EmptyWidth], is_text[g],
            error[g], ends[g], start[g], used[g], data[8*Bytes*g+:8*Bytes]}
        = beat[SegmentWidth*g+:SegmentWidth];
  end

  logic out_valid, out_ready, answer_valid, answer_ready;
  logic [Lanes*128-1:0] out_data;
  logic [Segments-1:0] out_used, out_start, out_end, answer_used;
  logic [EmptyWidth*Segments-1:0] out_empty;
  logic [128*Segments-1:0] answer_tag;
  logic [3*Segments-1:0] answer_status;

  gcm_segments #(
      .Segments (Segments),
      .SubStages(SubStages),
      .Stages   (Stages),
      .Answers  (Answers)
  ) u_segments (
      .aclk            (clk),
      .aresetn         (aresetn),
      .s_key_tvalid    (s_key_tvalid && key_open),
      .s_key_tready    (key_ready),
      .s_key_tdata     (s_key_tdata),
      .s_key_size      (s_key_size),
      .s_key_context   (s_key_context),
      .s_axis_tvalid   (beat_valid),
      .s_axis_tready   (beat_ready),
      .s_axis_tdata    (data),
      .s_axis_ena      (used),
      .s_axis_sop      (start),
      .s_axis_eop      (ends),
      .s_axis_err      (error),
      .s_axis_mty      (empty),
      .s_axis_text     (is_text),
      .s_axis_context  (context_id),
      .s_axis_decrypt  (decrypt),
      .s_axis_iv       (iv),
      .s_axis_iv_bytes (iv_bytes),
      .s_axis_tag_bytes(tag_bytes),
      .s_axis_tag      (tag),
      .m_axis_tvalid   (out_valid),
      .m_axis_tready   (out_ready),
      .m_axis_tdata    (out_data),
      .m_axis_ena      (out_used),
      .m_axis_sop      (out_start),
      .m_axis_eop      (out_end),
      .m_axis_mty      (out_empty),
      .m_tag_tvalid    (answer_valid),
      .m_tag_tready    (answer_ready),
      .m_tag_ena       (answer_used),
      .m_tag_tag       (answer_tag),
      .m_tag_status    (answer_status)
  );

  // ---- text
  segments_unpacking u_unpack (
      .clk         (clk),
      .rst         (rst),
      .text_valid_i(text_valid),
      .text_ready_o(text_ready),
      .text_count_i(text_count),
      .in_valid_i  (out_valid),
      .in_ready_o  (out_ready),
      .in_data_i   (out_data),
      .in_used_i   (out_used),
      .in_end_i    (out_end),
      .in_empty_i  (out_empty),
      .out_valid_o (m_axis_tvalid),
      .out_ready_i (m_axis_tready),
      .out_data_o  (m_axis_tdata),
      .out_keep_o  (m_axis_tkeep),
      .out_last_o  (m_axis_tlast)
  );

  // ---- answers, one after the other
  logic [Segments-1:0] answers_q;
  logic [128*Segments-1:0] tags_q;
  logic [3*Segments-1:0] statuses_q;
  logic [Segments-1:0] lowest;

  assign lowest       = answers_q & ~(answers_q - Segments'(1));
  assign answer_ready = answers_q == '0 || (answers_q == lowest && m_tag_tready);
  assign m_tag_tvalid = answers_q != '0;
  assign m_tag_ok     = m_tag_status == gcm_pkg::STATUS_OK;

  always_comb begin
    m_tag_tag    = '0;
    m_tag_status = '0;
    for (int g = 0; g < Segments; g++)
      if (lowest[g]) begin
        m_tag_tag    = tags_q[128*g+:128];
        m_tag_status = statuses_q[3*g+:3];
      end
  end

  always_ff @(posedge clk)
    if (rst) answers_q <= '0;
    else if (answer_ready) answers_q <= answer_valid ? answer_used : '0;
    else if (m_tag_tready) answers_q <= answers_q & ~lowest;

  always_ff @(posedge clk)
    if (answer_ready) begin
      tags_q     <= answer_tag;
      statuses_q <= answer_status;
    end

  logic unused;
  assign unused = &{1'b0, out_start, s_cmd_iv[127:96]};
endmodule
