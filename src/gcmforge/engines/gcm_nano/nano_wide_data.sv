// SPDX-License-Identifier: Apache-2.0
// Beats of 128 bits become the bytes that gcm_nano takes, and its text becomes beats again: bytes
// leave a register on one side and come back on the other. A frame that breaks a rule is refused.
// Latency: that of gcm_nano. Throughput: its own, as a beat is a block.
module nano_wide_data (
    input  logic         clk,
    input  logic         rst,
    input  logic         in_valid_i,
    output logic         in_ready_o,
    input  logic [127:0] in_data_i,
    input  logic [ 15:0] in_keep_i,
    input  logic         in_text_i,
    input  logic         in_last_i,
    output logic         out_valid_o,
    input  logic         out_ready_i,
    output logic [127:0] out_data_o,
    output logic [ 15:0] out_keep_o,
    output logic         out_last_o,
    output logic         byte_valid_o,
    input  logic         byte_ready_i,
    output logic [  7:0] byte_o,
    output logic         byte_keep_o,
    output logic [  1:0] byte_user_o,
    output logic         byte_last_o,
    input  logic         back_valid_i,
    output logic         back_ready_o,
    input  logic [  7:0] back_i,
    input  logic         back_keep_i,
    input  logic         back_last_i
);
  localparam logic [1:0] EMPTY = 2'd0, SENDS = 2'd1, AWAITS = 2'd2, OFFERS = 2'd3;

  logic [1:0] state_q;
  logic [127:0] data_q;
  logic [15:0] keep_q;   // bytes to send, from 0 on; then the place of bytes that come back
  logic text_q, last_q, bad_q, lasted_q, returns_q;
  logic begun_q, short_q, section_q, texts_q;  // of the packet so far
  logic takes, holes, wrong, sends, returned;
  logic [15:0] keep, came_q;

  assign takes = in_valid_i && in_ready_o;
  assign holes = |(in_keep_i & (in_keep_i + 16'd1));
  assign keep  = holes ? 16'h0001 : in_keep_i;  // of a refused beat a byte is enough
  assign wrong = holes || (begun_q && (section_q ? !in_text_i || short_q : !in_text_i && short_q));

  assign in_ready_o   = state_q == EMPTY;
  assign byte_valid_o = state_q == SENDS;
  assign byte_o       = data_q[7:0];
  assign byte_keep_o  = keep_q[0];
  assign byte_user_o  = {bad_q, text_q};
  assign byte_last_o  = last_q && !keep_q[1];
  assign sends        = byte_valid_o && byte_ready_i;

  assign back_ready_o = state_q == SENDS || state_q == AWAITS;
  assign returned     = back_valid_i && back_ready_o;
  assign out_valid_o  = state_q == OFFERS;
  assign out_keep_o   = came_q;
  assign out_last_o   = lasted_q;

  // Bytes leave data_q at the bottom, and are put where they belong when they come back.
  logic [127:0] back_q;
  assign out_data_o = out_valid_o ? back_q : 128'b0;

  always_ff @(posedge clk) begin
    if (takes) begin
      data_q    <= in_data_i;
      keep_q    <= keep;
      text_q    <= in_text_i;
      last_q    <= in_last_i;
      bad_q     <= wrong;
      came_q    <= '0;
      back_q    <= '0;
      lasted_q  <= 1'b0;
      returns_q <= in_text_i && keep[0] ? 1'b1 : in_last_i && texts_q;
      section_q <= in_text_i;
      short_q   <= in_keep_i != 16'hffff;
    end
    if (sends) begin
      data_q <= {8'h00, data_q[127:8]};
      keep_q <= {1'b0, keep_q[15:1]};
    end
    if (returned) begin
      for (int i = 0; i < 16; i++)
        if (back_keep_i && !came_q[i] && (i == 0 || came_q[(i+15)%16])) back_q[8*i+:8] <= back_i;
      came_q   <= back_keep_i ? {came_q[14:0], 1'b1} : came_q;
      lasted_q <= back_last_i;
    end
    if (rst) begin
      begun_q <= 1'b0;
      texts_q <= 1'b0;
    end else if (takes) begin
      begun_q <= !in_last_i;
      texts_q <= !in_last_i && (texts_q || (in_text_i && keep[0]));
    end
  end

  logic [4:0] out_left_q;  // bytes to come back
  always_ff @(posedge clk) begin
    if (takes) begin
      out_left_q <= in_text_i ? 5'(16) : 5'd1;
      for (int i = 15; i >= 1; i--) if (in_text_i && !keep[i]) out_left_q <= 5'(i);
    end else if (returned) out_left_q <= out_left_q - 5'd1;
    case (state_q)
      EMPTY: if (in_valid_i) state_q <= keep[0] || in_last_i || wrong ? SENDS : EMPTY;
      SENDS: if (sends && !keep_q[1]) begin
        if (!returns_q) state_q <= EMPTY;
        else state_q <= returned && out_left_q == 5'd1 ? OFFERS : AWAITS;
      end
      AWAITS: if (returned && out_left_q == 5'd1) state_q <= OFFERS;
      default: if (out_ready_i) state_q <= EMPTY;
    endcase
    if (rst) state_q <= EMPTY;
  end
endmodule
