// SPDX-License-Identifier: Apache-2.0
// A core with what guards it: waiting has an end (gcm_timeout), it can be erased (gcm_erase), and
// it makes its own IVs (gcm_iv_counter), each where configured. Ports of what is not built are
// ignored, or zero.
//
//   zeroise --> gcm_erase ---resets, zero key, packets of zeros---+
//   s_key ---------------------------------------------------->   |
//   s_cmd --> gcm_timeout --> gcm_iv_counter ----------------> gcm_axis_core --> m_axis, m_tag
//   s_axis -> gcm_timeout ------------------------------------->
//
// Latency: none beside the core's. Throughput: that of the core.
module gcm_axis_guard #(
    parameter int Lanes = 1,
    parameter int AadLanes = 0,             // blocks of AAD beside a beat
    parameter int Contexts = 1,
    parameter bit [2:0] KeySizes = 3'b111,  // bit 0 AES-128, bit 1 AES-192, bit 2 AES-256
    parameter longint unsigned MaxTextBytes = 64'd68719476704,
    parameter int SlotDepth = 20,           // slots under way: the AES's latency and some
    parameter int TagDepth = 8,             // packets between their last beat and m_tag
    parameter int ReleaseDepth = 0,         // beats of text held back for their verdict; 0: none is
    parameter bit Zeroise = 1'b0,           // the core can be erased
    parameter int ErasePackets = 32,        // as many as its longest queue has words
    parameter bit IvCounter = 1'b0,         // IVs of packets to be encrypted are made here
    parameter longint unsigned IvLimit = 64'd4294967296,  // of them under one key
    parameter int Timeout = 0,              // cycles that a sender may stop for; 0: for ever
    localparam int Width = 128 * Lanes,
    localparam int Bytes = 16 * Lanes,
    localparam int SideLanes = AadLanes > 0 ? AadLanes : 1,
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                    aclk,
    input  logic                    aresetn,
    input  logic                    zeroise,
    output logic                    zeroise_busy,
    // keys
    input  logic                    s_key_tvalid,
    output logic                    s_key_tready,
    input  logic [           255:0] s_key_tdata,
    input  logic [             1:0] s_key_size,
    input  logic [ContextWidth-1:0] s_key_context,
    input  logic [            31:0] s_key_fixed,
    // commands
    input  logic                    s_cmd_tvalid,
    output logic                    s_cmd_tready,
    input  logic [ContextWidth-1:0] s_cmd_context,
    input  logic                    s_cmd_decrypt,
    input  logic [           127:0] s_cmd_tag,
    input  logic [             4:0] s_cmd_tag_bytes,
    input  logic [            15:0] s_cmd_iv_bytes,
    input  logic [           127:0] s_cmd_iv,
    // AAD and text in
    input  logic                    s_axis_tvalid,
    output logic                    s_axis_tready,
    input  logic [       Width-1:0] s_axis_tdata,
    input  logic [       Bytes-1:0] s_axis_tkeep,
    input  logic                    s_axis_tuser,
    input  logic                    s_axis_tlast,
    input  logic [SideLanes*128-1:0] s_axis_aad,       // beside a packet's first beat
    input  logic [SideLanes*16-1:0] s_axis_aad_keep,   // zero without AadLanes
    // text out
    output logic                    m_axis_tvalid,
    input  logic                    m_axis_tready,
    output logic [       Width-1:0] m_axis_tdata,
    output logic [       Bytes-1:0] m_axis_tkeep,
    output logic                    m_axis_tlast,
    // tags and verdicts
    output logic                    m_tag_tvalid,
    input  logic                    m_tag_tready,
    output logic [           127:0] m_tag_tag,
    output logic                    m_tag_ok,
    output logic [             2:0] m_tag_status,
    output logic [            95:0] m_tag_iv
);
  localparam logic [Bytes-1:0] WHOLE = MaxTextBytes < 64'(Bytes)  // a beat of zeros, not too long
      ? ~({Bytes{1'b1}} << MaxTextBytes) : '1;
  localparam logic [1:0] HOLE = 2'b10;          // of AAD, byte 1 without byte 0: BAD_FRAME

  logic clk, rst;
  assign clk = aclk;
  assign rst = !aresetn;

  // ---- waiting
  logic timed_valid, timed_ready, timed_decrypt, beat_valid, beat_ready, beat_last;
  logic made, closes, doubt, spoilt;  // the command, the beat is gcm_timeout's; no frame any more
  logic [ContextWidth-1:0] timed_context;
  logic [4:0] timed_tag_bytes;
  logic [15:0] timed_iv_bytes;
  logic [127:0] timed_tag, timed_iv;

  if (Timeout > 0) begin : gen_timeout
    gcm_timeout #(
        .Limit(Timeout)
    ) u_timeout (
        .clk               (clk),
        .rst               (rst),
        .command_valid_i   (s_cmd_tvalid),
        .command_ready_o   (s_cmd_tready),
        .command_iv_bytes_i(IvCounter && !s_cmd_decrypt ? 16'd12 : s_cmd_iv_bytes),
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
  end else begin : gen_patient
    assign timed_valid   = s_cmd_tvalid;
    assign s_cmd_tready  = timed_ready;
    assign made          = 1'b0;
    assign beat_valid    = s_axis_tvalid;
    assign s_axis_tready = beat_ready;
    assign closes        = 1'b0;
    assign doubt         = 1'b0;
  end

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

  assign key_take    = s_key_tvalid && s_key_tready && s_key_size != 2'd3;
  assign answer_take = m_tag_tvalid && m_tag_tready;

  if (IvCounter) begin : gen_iv
    gcm_iv_counter #(
        .Contexts(Contexts),
        .Limit   (IvLimit),
        .Depth   (SlotDepth + TagDepth + 4)
    ) u_iv (
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
  end else begin : gen_given
    logic unused;
    assign unused           = &{1'b0, key_take, answer_take, s_key_fixed};
    assign command_valid    = timed_valid;
    assign timed_ready      = command_ready;
    assign command_iv_bytes = timed_iv_bytes;
    assign command_iv       = timed_iv;
    assign m_tag_iv         = '0;
  end

  // ---- erasing
  logic core_reset, zeros, text_close, tag_erased;
  logic [ContextWidth-1:0] zeros_context;
  logic key_valid, key_ready, core_command_valid, core_command_ready, data_valid, data_ready;
  logic [1:0] key_size;
  logic text_valid, text_ready, text_last, tag_valid, tag_ready, tag_ok;
  logic [Width-1:0] text_data;
  logic [Bytes-1:0] text_keep;
  logic [127:0] tag;
  logic [2:0] tag_status;

  if (Zeroise) begin : gen_erase
    localparam bit [1:0] KeyCode = KeySizes[2] ? gcm_pkg::KEY_256
        : KeySizes[1] ? gcm_pkg::KEY_192 : gcm_pkg::KEY_128;
    gcm_erase #(
        .Contexts(Contexts),
        .KeyCode (KeyCode),
        .Packets (ErasePackets),
        .Quiet   (ReleaseDepth + 8)  // gcm_release passes by a failed packet in a cycle
    ) u_erase (
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
  end else begin : gen_keep
    logic unused;
    assign unused             = &{1'b0, zeroise};
    assign zeroise_busy       = 1'b0;
    assign core_reset         = 1'b0;
    assign zeros              = 1'b0;
    assign zeros_context      = '0;
    assign key_valid          = s_key_tvalid;
    assign s_key_tready       = key_ready;
    assign key_size           = s_key_size;
    assign core_command_valid = command_valid;
    assign command_ready      = core_command_ready;
    assign data_valid         = beat_valid;
    assign beat_ready         = data_ready;
    assign m_axis_tvalid      = text_valid;
    assign text_ready         = m_axis_tready;
    assign text_close         = 1'b0;
    assign m_tag_tvalid       = tag_valid;
    assign tag_ready          = m_tag_tready;
    assign tag_erased         = 1'b0;
  end

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
      .s_axis_tkeep   (zeros ? WHOLE : spoilt ? Bytes'(HOLE) : s_axis_tkeep),
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
