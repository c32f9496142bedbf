// SPDX-License-Identifier: Apache-2.0
// gcm_streams with the streams of every other core: commands and data apart, one packet after the
// other. Each packet goes to another stream inside, in turn.
// Latency: that of gcm_streams, 1 cycle more, and 1 for the command. Throughput: a beat a cycle,
// but for one cycle a packet.
module streams_wide #(
    parameter int Streams = 4,
    parameter int SubStages = 1,
    parameter int Stages = 1,
    parameter int Answers = 6,
    localparam int TidWidth = Streams > 1 ? $clog2(Streams) : 1,
    localparam int ContextWidth = gcm_pkg::CONTEXT_WIDTH,
    localparam int StatusWidth = gcm_pkg::STATUS_WIDTH
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
    input  logic [           127:0] s_axis_tdata,
    input  logic [            15:0] s_axis_tkeep,
    input  logic                    s_axis_tuser,
    input  logic                    s_axis_tlast,
    output logic                    m_axis_tvalid,
    input  logic                    m_axis_tready,
    output logic [           127:0] m_axis_tdata,
    output logic [            15:0] m_axis_tkeep,
    output logic                    m_axis_tlast,
    output logic                    m_tag_tvalid,
    input  logic                    m_tag_tready,
    output logic [           127:0] m_tag_tag,
    output logic                    m_tag_ok,
    output logic [ StatusWidth-1:0] m_tag_status
);
  logic clk, rst;
  assign clk = aclk;
  assign rst = !aresetn;

  // ---- commands; of an IV of more than 16 bytes the further words are taken and left
  localparam int CommandWidth = ContextWidth + 1 + 16 + 5 + 96 + 128;
  logic first, room, queued, begun_q, takes, ends, key_open, key_waits_q, key_ready;
  logic [11:0] words_q, under_way_q;
  logic [ContextWidth-1:0] context_id;
  logic decrypt;
  logic [15:0] iv_bytes;
  logic [4:0] tag_bytes;
  logic [95:0] iv;
  logic [127:0] expected;

  assign first        = words_q == '0;
  assign s_cmd_tready = first ? room && !key_waits_q : 1'b1;

  always_ff @(posedge clk)
    if (rst) words_q <= '0;
    else if (s_cmd_tvalid && !first) words_q <= words_q - 12'd1;
    else if (s_cmd_tvalid && s_cmd_tready && s_cmd_iv_bytes != '0)
      words_q <= 12'((s_cmd_iv_bytes - 16'd1) >> 4);

  gcm_fifo #(
      .Width(CommandWidth),
      .Depth(3)
  ) u_commands (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (s_cmd_tvalid && s_cmd_tready && first),
      .in_ready_o (room),
      .in_data_i  ({s_cmd_context, s_cmd_decrypt, s_cmd_iv_bytes, s_cmd_tag_bytes,
                    s_cmd_iv[95:0], s_cmd_tag}),
      .out_valid_o(queued),
      .out_ready_i(ends),
      .out_data_o ({context_id, decrypt, iv_bytes, tag_bytes, iv, expected})
  );

  // Commands and keys keep their order: a key waits until the core has all packets before it.
  assign key_open     = under_way_q == '0;
  assign s_key_tready = key_ready && key_open;

  always_ff @(posedge clk)
    if (rst) begin
      key_waits_q <= 1'b0;
      under_way_q <= '0;
    end else begin
      key_waits_q <= s_key_tvalid && !s_key_tready;
      under_way_q <= under_way_q + 12'(s_cmd_tvalid && s_cmd_tready && first) - 12'(ends);
    end

  // ---- data, after the command of its packet
  logic data_valid, is_text, last, ready;
  logic [127:0] data;
  logic [15:0] keep;
  logic [TidWidth-1:0] tid_q, out_tid, tag_tid;

  axis_skid #(
      .Width(128 + 16 + 2)
  ) u_input (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (s_axis_tvalid),
      .in_ready_o (s_axis_tready),
      .in_data_i  ({s_axis_tdata, s_axis_tkeep, s_axis_tuser, s_axis_tlast}),
      .out_valid_o(data_valid),
      .out_ready_i(begun_q && ready),
      .out_data_o ({data, keep, is_text, last})
  );

  assign takes = ready && (begun_q ? data_valid : queued && first);
  assign ends  = takes && begun_q && last;

  always_ff @(posedge clk)
    if (rst) begin
      begun_q <= 1'b0;
      tid_q   <= '0;
    end else if (takes) begin
      begun_q <= !ends;
      if (ends) tid_q <= tid_q == TidWidth'(Streams - 1) ? '0 : tid_q + TidWidth'(1);
    end

  gcm_streams #(
      .Streams  (Streams),
      .SubStages(SubStages),
      .Stages   (Stages),
      .Answers  (Answers)
  ) u_streams (
      .aclk            (clk),
      .aresetn         (aresetn),
      .s_key_tvalid    (s_key_tvalid && key_open),
      .s_key_tready    (key_ready),
      .s_key_tdata     (s_key_tdata),
      .s_key_size      (s_key_size),
      .s_key_context   (s_key_context),
      .s_axis_tvalid   (begun_q ? data_valid : queued && first),
      .s_axis_tready   (ready),
      .s_axis_tdata    (begun_q ? data : 128'(iv)),
      .s_axis_tkeep    (begun_q ? keep : 16'hffff),
      .s_axis_tuser    ({1'b0, !begun_q, begun_q && is_text}),
      .s_axis_tlast    (begun_q && last),
      .s_axis_tid      (tid_q),
      .s_axis_context  (context_id),
      .s_axis_decrypt  (decrypt),
      .s_axis_iv_bytes (iv_bytes),
      .s_axis_tag_bytes(tag_bytes),
      .s_axis_tag      (expected),
      .m_axis_tvalid   (m_axis_tvalid),
      .m_axis_tready   (m_axis_tready),
      .m_axis_tdata    (m_axis_tdata),
      .m_axis_tkeep    (m_axis_tkeep),
      .m_axis_tlast    (m_axis_tlast),
      .m_axis_tid      (out_tid),
      .m_tag_tvalid    (m_tag_tvalid),
      .m_tag_tready    (m_tag_tready),
      .m_tag_tid       (tag_tid),
      .m_tag_tag       (m_tag_tag),
      .m_tag_status    (m_tag_status)
  );
  assign m_tag_ok = m_tag_status == gcm_pkg::STATUS_OK;

  logic unused;
  assign unused = &{1'b0, out_tid, tag_tid, s_cmd_iv[127:96]};
endmodule
