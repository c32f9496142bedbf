// SPDX-License-Identifier: Apache-2.0
// A toy with the ports of gcm_axis, for the tests of the simulation driver: not a cipher.
// Text out is text in XOR key byte 0; the tag is the XOR of key, IV blocks and all section blocks
// (zero padded). The last key byte asks for a fault; tests/sim/toy.py lists the numbers.
// Latency: 1 cycle. Throughput: one beat a cycle within a packet.
module gcm_axis #(
    parameter int Lanes = 2,
    parameter int ContextBits = 2
) (
    input  logic                   aclk,
    input  logic                   aresetn,
    input  logic                   s_key_tvalid,
    output logic                   s_key_tready,
    input  logic [          255:0] s_key_tdata,
    input  logic [            1:0] s_key_size,
    input  logic [ContextBits-1:0] s_key_context,
    input  logic                   s_cmd_tvalid,
    output logic                   s_cmd_tready,
    input  logic [ContextBits-1:0] s_cmd_context,
    input  logic                   s_cmd_decrypt,
    input  logic [          127:0] s_cmd_tag,
    input  logic [            4:0] s_cmd_tag_bytes,
    input  logic [           15:0] s_cmd_iv_bytes,
    input  logic [          127:0] s_cmd_iv,
    input  logic                   s_axis_tvalid,
    output logic                   s_axis_tready,
    input  logic [  128*Lanes-1:0] s_axis_tdata,
    input  logic [   16*Lanes-1:0] s_axis_tkeep,
    input  logic                   s_axis_tuser,
    input  logic                   s_axis_tlast,
    output logic                   m_axis_tvalid,
    input  logic                   m_axis_tready,
    output logic [  128*Lanes-1:0] m_axis_tdata,
    output logic [   16*Lanes-1:0] m_axis_tkeep,
    output logic                   m_axis_tlast,
    output logic                   m_tag_tvalid,
    input  logic                   m_tag_tready,
    output logic [          127:0] m_tag_tag,
    output logic                   m_tag_ok,
    output logic [            2:0] m_tag_status
);
  localparam int Contexts = 1 << ContextBits;

  typedef enum logic [1:0] {
    IDLE, IV, DATA, TAG
  } state_e;

  state_e                   state_q;
  logic   [          255:0] key_q    [Contexts];
  logic   [            1:0] size_q   [Contexts];
  logic   [   Contexts-1:0] loaded_q;
  logic   [ContextBits-1:0] context_q;
  logic                     decrypt_q;
  logic   [            4:0] tag_bytes_q;
  logic   [           15:0] iv_left_q;
  logic   [          127:0] want_q;
  logic   [          127:0] sum_q;
  logic   [           15:0] beat_q;
  logic   [            7:0] wait_q;
  logic                     text_valid_q;

  // The bytes of a block that a byte count keeps.
  function automatic logic [127:0] first_bytes(logic [127:0] block, int count);
    for (int i = 0; i < 16; i++) first_bytes[8*i+:8] = i < count ? block[8*i+:8] : 8'h0;
  endfunction

  wire [255:0] key = key_q[context_q];
  wire [7:0] fault = size_q[context_q] == 2 ? key[255:248] : 8'h0;
  wire usable = loaded_q[context_q];

  // Key: when no packet is open.
  assign s_key_tready = state_q == IDLE && !s_cmd_tvalid;
  always_ff @(posedge aclk)
    if (!aresetn) loaded_q <= '0;
    else if (s_key_tvalid && s_key_tready) begin
      key_q[s_key_context] <= s_key_size == 0 ? {128'h0, s_key_tdata[127:0]}
          : s_key_size == 1 ? {64'h0, s_key_tdata[191:0]} : s_key_tdata;
      size_q[s_key_context] <= s_key_size;
      loaded_q[s_key_context] <= s_key_size != 3;
    end

  // One beat: text out and its share of the tag.
  wire text_free = !text_valid_q || m_axis_tready;
  assign s_axis_tready = state_q == DATA && text_free && !(fault == 4 && beat_q == 1)
      && !(fault == 9 && !s_axis_tvalid);
  wire take = s_axis_tvalid && s_axis_tready;

  logic [128*Lanes-1:0] kept;
  logic [128*Lanes-1:0] text;
  logic [127:0] share;
  always_comb begin
    share = '0;
    for (int i = 0; i < 16 * Lanes; i++) begin
      kept[8*i+:8] = s_axis_tkeep[i] ? s_axis_tdata[8*i+:8] : 8'h0;
      text[8*i+:8] = s_axis_tkeep[i] && usable ? s_axis_tdata[8*i+:8] ^ key[7:0] : 8'h0;
      if (fault == 6 && !s_axis_tkeep[i]) text[8*i+:8] = 8'hA5;
    end
    for (int l = 0; l < Lanes; l++) share ^= kept[128*l+:128];
  end

  assign m_axis_tvalid = text_valid_q && !(fault == 3 && wait_q == 2);
  wire [127:0] tag = first_bytes(sum_q ^ key[127:0], int'(tag_bytes_q)) ^ 128'(fault == 1);
  wire match = tag == first_bytes(want_q, int'(tag_bytes_q)) || fault == 8;
  wire shown = usable && (!decrypt_q || fault == 10);
  logic asked_q;  // m_tag_tready was high while a tag is there
  assign m_tag_tvalid = state_q == TAG && !(fault == 11 && !m_tag_tready)
      && !(fault == 15 && !asked_q);
  always_ff @(posedge aclk) asked_q <= state_q == TAG && (asked_q || m_tag_tready);
  assign m_tag_status = !usable ? 3'd2 : decrypt_q && !match ? 3'd1 : 3'd0;
  assign m_tag_ok = m_tag_status == 0 || fault == 12;
  assign m_tag_tag = shown ? tag : '0;

  assign s_cmd_tready = state_q == IDLE || state_q == IV;
  always_ff @(posedge aclk) begin
    wait_q <= text_valid_q && !m_axis_tready ? wait_q + 8'd1 : 8'd0;
    if (text_valid_q && m_axis_tready) text_valid_q <= 1'b0;
    if (fault == 5 && text_valid_q && !m_axis_tready && wait_q == 1) m_axis_tdata[0] <= !m_axis_tdata[0];
    case (state_q)
      IDLE:
      if (s_cmd_tvalid) begin
        context_q   <= s_cmd_context;
        decrypt_q   <= s_cmd_decrypt;
        tag_bytes_q <= s_cmd_tag_bytes;
        want_q      <= s_cmd_tag;
        iv_left_q   <= s_cmd_iv_bytes > 16 ? s_cmd_iv_bytes - 16'd16 : 16'd0;
        sum_q       <= first_bytes(s_cmd_iv, int'(s_cmd_iv_bytes));
        beat_q      <= '0;
        state_q     <= s_cmd_iv_bytes > 16 ? IV : DATA;
      end
      IV:
      if (s_cmd_tvalid) begin
        iv_left_q <= iv_left_q > 16 ? iv_left_q - 16'd16 : 16'd0;
        sum_q     <= sum_q ^ first_bytes(s_cmd_iv, int'(iv_left_q));
        if (iv_left_q <= 16) state_q <= DATA;
      end
      DATA:
      if (take) begin
        sum_q  <= sum_q ^ share;
        beat_q <= beat_q + 16'd1;
        if (s_axis_tuser && s_axis_tkeep[0] && !(fault == 2 && beat_q == 1)) begin
          text_valid_q <= 1'b1;
          m_axis_tdata <= text;
          m_axis_tkeep <= fault == 13 ? '1 : s_axis_tkeep;
          m_axis_tlast <= s_axis_tlast;
        end
        if (s_axis_tlast) state_q <= TAG;
      end
      default:
      if (m_tag_tready && m_tag_tvalid) begin
        state_q <= IDLE;
        if (fault == 7) text_valid_q <= 1'b1;
      end
    endcase
    if (!aresetn) begin
      state_q      <= IDLE;
      text_valid_q <= 1'b0;
    end
    if (aresetn) second_beat_taken : assert (!(fault == 14 && take && beat_q == 1));
  end

  // false at the first edge, when registers have any value
  logic [31:0] reset_q;
  always_ff @(posedge aclk) begin
    if (!aresetn) reset_q <= '0;
    is_reset : assert (reset_q == '0);
  end
endmodule
