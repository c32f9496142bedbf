// SPDX-License-Identifier: Apache-2.0
// A core with what guards it, each in a part of its own that the configuration chose: gcm_waiting
// ends the wait for a sender that has stopped, gcm_ivs makes the IVs of packets to be encrypted,
// gcm_erasing erases what the core holds. A part that is not built passes its streams through.
//
//   zeroise --> gcm_erasing ---resets, zero key, packets of zeros---+
//   s_key ----------------------------------------------------->    |
//   s_cmd ---> gcm_waiting --> gcm_ivs --------------------------> gcm_axis_core --> m_axis, m_tag
//   s_axis --> gcm_waiting ------------------------------------->
//
// Latency: that of the core. Throughput: that of the core.
module gcm_axis_guard (
    input  logic                                aclk,
    input  logic                                aresetn,
    input  logic                                zeroise,
    output logic                                zeroise_busy,
    // keys
    input  logic                                s_key_tvalid,
    output logic                                s_key_tready,
    input  logic [                       255:0] s_key_tdata,
    input  logic [                         1:0] s_key_size,
    input  logic [  gcm_pkg::CONTEXT_WIDTH-1:0] s_key_context,
    input  logic [                        31:0] s_key_fixed,
    // commands
    input  logic                                s_cmd_tvalid,
    output logic                                s_cmd_tready,
    input  logic [  gcm_pkg::CONTEXT_WIDTH-1:0] s_cmd_context,
    input  logic                                s_cmd_decrypt,
    input  logic [                       127:0] s_cmd_tag,
    input  logic [                         4:0] s_cmd_tag_bytes,
    input  logic [                        15:0] s_cmd_iv_bytes,
    input  logic [                       127:0] s_cmd_iv,
    // AAD and text in
    input  logic                                s_axis_tvalid,
    output logic                                s_axis_tready,
    input  logic [          gcm_pkg::WIDTH-1:0] s_axis_tdata,
    input  logic [          gcm_pkg::BYTES-1:0] s_axis_tkeep,
    input  logic                                s_axis_tuser,
    input  logic                                s_axis_tlast,
    input  logic [ gcm_pkg::SIDE_LANES*128-1:0] s_axis_aad,  // with a packet's first beat
    input  logic [  gcm_pkg::SIDE_LANES*16-1:0] s_axis_aad_keep,  // zero where no AAD comes so
    // text out
    output logic                                m_axis_tvalid,
    input  logic                                m_axis_tready,
    output logic [          gcm_pkg::WIDTH-1:0] m_axis_tdata,
    output logic [          gcm_pkg::BYTES-1:0] m_axis_tkeep,
    output logic                                m_axis_tlast,
    // tags and verdicts
    output logic                                m_tag_tvalid,
    input  logic                                m_tag_tready,
    output logic [                       127:0] m_tag_tag,
    output logic                                m_tag_ok,
    output logic [   gcm_pkg::STATUS_WIDTH-1:0] m_tag_status,
    output logic [                        95:0] m_tag_iv
);
  localparam int Width = gcm_pkg::WIDTH;
  localparam int Bytes = gcm_pkg::BYTES;
  localparam int ContextWidth = gcm_pkg::CONTEXT_WIDTH;
  // a beat of zeros, not longer than a text may be
  localparam logic [Bytes-1:0] Whole = gcm_pkg::MAX_TEXT_BYTES < 64'(Bytes)
      ? ~({Bytes{1'b1}} << gcm_pkg::MAX_TEXT_BYTES) : '1;
  localparam logic [1:0] Hole = 2'b10;  // of AAD, byte 1 without byte 0: BAD_FRAME

  logic clk, rst;
  assign clk = aclk;
  assign rst = !aresetn;

  // ---- waiting
  logic timed_valid, timed_ready, timed_decrypt, beat_valid, beat_ready, beat_last;
  // gcm_waiting made the command, the beat; nobody knows whose the beat is; it is no frame any more
  logic made, closes, doubt, spoilt;
  logic [ContextWidth-1:0] timed_context;
  logic [4:0] timed_tag_bytes;
  logic [15:0] timed_iv_bytes;
  logic [127:0] timed_tag, timed_iv;

  gcm_waiting u_waiting (
      .clk               (clk),
      .rst               (rst),
      .command_valid_i   (s_cmd_tvalid),
      .command_ready_o   (s_cmd_tready),
      .command_decrypt_i (s_cmd_decrypt),
      .command_iv_bytes_i(s_cmd_iv_bytes),
      .command_valid_o   (timed_valid),
      .command_ready_i   (timed_ready),
      .made_o            (made),
      .data_valid_i      (s_axis_tvalid),
      .data_ready_o      (s_axis_tready),
      .data_last_i       (s_axis_tlast),
      .data_valid_o      (beat_valid),
      .data_ready_i      (beat_ready),
      .close_o           (closes),
      .doubt_o           (doubt)
  );

  // Nothing of a port that offers nothing is used.
  assign timed_context   = made ? '0 : s_cmd_context;
  assign timed_decrypt   = s_cmd_decrypt || made;
  assign timed_tag       = made ? '0 : s_cmd_tag;
  assign timed_tag_bytes = made ? 5'd16 : s_cmd_tag_bytes;
  assign timed_iv_bytes  = made ? 16'd12 : s_cmd_iv_bytes;
  assign timed_iv        = made ? '0 : s_cmd_iv;
  assign beat_last       = s_axis_tlast || closes;
  assign spoilt          = closes || doubt;

  // ---- IVs
  logic command_valid, command_ready, key_take, answer_take;
  logic [15:0] command_iv_bytes;
  logic [127:0] command_iv;

  assign key_take    = s_key_tvalid && s_key_tready && s_key_size != gcm_pkg::KEY_ERASE;
  assign answer_take = m_tag_tvalid && m_tag_tready;

  gcm_ivs u_ivs (
      .clk               (clk),
      .rst               (rst),
      .key_take_i        (key_take),
      .key_context_i     (s_key_context),
      .key_fixed_i       (s_key_fixed),
      .command_valid_i   (timed_valid),
      .command_ready_o   (timed_ready),
      .command_context_i (timed_context),
      .command_decrypt_i (timed_decrypt),
      .command_iv_bytes_i(timed_iv_bytes),
      .command_iv_i      (timed_iv),
      .command_valid_o   (command_valid),
      .command_ready_i   (command_ready),
      .command_iv_bytes_o(command_iv_bytes),
      .command_iv_o      (command_iv),
      .answer_take_i     (answer_take),
      .answer_iv_o       (m_tag_iv)
  );

  // ---- erasing
  logic core_reset, zeros, text_close, tag_erased;
  logic [ContextWidth-1:0] zeros_context;
  logic key_valid, key_ready, core_command_valid, core_command_ready, data_valid, data_ready;
  logic [1:0] key_size;
  logic text_valid, text_ready, text_last, tag_valid, tag_ready, tag_ok;
  logic [Width-1:0] text_data;
  logic [Bytes-1:0] text_keep;
  logic [127:0] tag;
  logic [gcm_pkg::STATUS_WIDTH-1:0] tag_status;

  gcm_erasing u_erasing (
      .clk               (clk),
      .rst               (rst),
      .request_i         (zeroise),
      .busy_o            (zeroise_busy),
      .core_reset_o      (core_reset),
      .zeros_o           (zeros),
      .context_o         (zeros_context),
      .key_valid_i       (s_key_tvalid),
      .key_ready_o       (s_key_tready),
      .key_size_i        (s_key_size),
      .key_context_i     (s_key_context),
      .key_valid_o       (key_valid),
      .key_ready_i       (key_ready),
      .key_size_o        (key_size),
      .command_valid_i   (command_valid),
      .command_ready_o   (command_ready),
      .command_iv_bytes_i(command_iv_bytes),
      .command_valid_o   (core_command_valid),
      .command_ready_i   (core_command_ready),
      .data_valid_i      (beat_valid),
      .data_ready_o      (beat_ready),
      .data_last_i       (beat_last),
      .data_valid_o      (data_valid),
      .data_ready_i      (data_ready),
      .text_valid_i      (text_valid),
      .text_ready_o      (text_ready),
      .text_last_i       (text_last),
      .text_valid_o      (m_axis_tvalid),
      .text_ready_i      (m_axis_tready),
      .text_close_o      (text_close),
      .tag_valid_i       (tag_valid),
      .tag_ready_o       (tag_ready),
      .tag_valid_o       (m_tag_tvalid),
      .tag_ready_i       (m_tag_tready),
      .tag_erased_o      (tag_erased)
  );

  // Nothing of the core is seen while zeros go through it.
  assign m_axis_tdata = zeros || text_close ? '0 : text_data;
  assign m_axis_tkeep = zeros || text_close ? '0 : text_keep;
  assign m_axis_tlast = text_close || (text_last && !zeros);
  assign m_tag_tag    = zeros ? '0 : tag;
  assign m_tag_ok     = tag_ok && !zeros;
  assign m_tag_status = tag_erased ? gcm_pkg::STATUS_ERASED
      : zeros ? gcm_pkg::STATUS_OK : tag_status;

  gcm_axis_core u_core (
      .aclk           (aclk),
      .aresetn        (aresetn && !core_reset),
      .s_key_tvalid   (key_valid),
      .s_key_tready   (key_ready),
      .s_key_tdata    (zeros ? '0 : s_key_tdata),
      .s_key_size     (key_size),
      .s_key_context  (zeros ? zeros_context : s_key_context),
      .s_cmd_tvalid   (core_command_valid),
      .s_cmd_tready   (core_command_ready),
      .s_cmd_context  (zeros ? zeros_context : timed_context),
      .s_cmd_decrypt  (timed_decrypt && !zeros),
      .s_cmd_tag      (zeros ? '0 : timed_tag),
      .s_cmd_tag_bytes(zeros ? 5'd16 : timed_tag_bytes),
      .s_cmd_iv_bytes (zeros ? 16'd12 : command_iv_bytes),
      .s_cmd_iv       (zeros ? '0 : command_iv),
      .s_cmd_void     (made && !zeros),
      .s_cmd_text_beats(32'd0),
      .s_axis_tvalid  (data_valid),
      .s_axis_tready  (data_ready),
      .s_axis_tdata   (zeros || spoilt ? '0 : s_axis_tdata),
      .s_axis_tkeep   (zeros ? Whole : spoilt ? Bytes'(Hole) : s_axis_tkeep),
      .s_axis_tuser   ((s_axis_tuser && !spoilt) || zeros),
      .s_axis_tlast   (beat_last || zeros),
      .s_axis_aad     (zeros || spoilt ? '0 : s_axis_aad),
      .s_axis_aad_keep(zeros || spoilt ? '0 : s_axis_aad_keep),
      .m_axis_tvalid  (text_valid),
      .m_axis_tready  (text_ready),
      .m_axis_tdata   (text_data),
      .m_axis_tkeep   (text_keep),
      .m_axis_tlast   (text_last),
      .m_tag_tvalid   (tag_valid),
      .m_tag_tready   (tag_ready),
      .m_tag_tag      (tag),
      .m_tag_ok       (tag_ok),
      .m_tag_status   (tag_status)
  );
endmodule
