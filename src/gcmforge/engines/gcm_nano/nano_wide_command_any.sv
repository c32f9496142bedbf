// SPDX-License-Identifier: Apache-2.0
// A command in one transfer becomes the bytes that gcm_nano takes where IVs have any length: what
// it is, the IV, whose further words are taken when the one before is sent, and when decrypting the
// tag.
// Latency: 1 cycle. Throughput: one byte a cycle.
module nano_wide_command_any (
    input  logic         clk,
    input  logic         rst,
    input  logic         open_i,  // a transfer may be taken
    output logic         busy_o,
    input  logic         command_valid_i,
    output logic         command_ready_o,
    input  logic         command_context_i,
    input  logic         command_decrypt_i,
    input  logic [127:0] command_tag_i,
    input  logic [  4:0] command_tag_bytes_i,
    input  logic [ 15:0] command_iv_bytes_i,
    input  logic [127:0] command_iv_i,
    output logic         byte_valid_o,
    input  logic         byte_ready_i,
    output logic [  7:0] byte_o,
    output logic         byte_last_o
);
  localparam logic [1:0] FIRST = 2'd0, IV = 2'd1, TAG = 2'd2;

  logic [1:0] state_q;
  logic [127:0] word_q, tag_q;
  logic [7:0] first_q;
  logic [15:0] left_q;   // bytes of the IV that were not sent, then of the tag
  logic [3:0] place_q;   // of the byte in its word
  logic waits_q;         // a further word of the IV is to come
  logic decrypt_q, begins, goes;
  logic [4:0] tag_bytes;

  assign command_ready_o = busy_o ? waits_q : open_i;
  assign begins          = !busy_o && command_ready_o;
  assign byte_valid_o    = busy_o && !waits_q;
  assign goes            = byte_valid_o && byte_ready_i;
  assign tag_bytes       = first_q[4:0] == '0 || first_q[4] ? 5'd16 : first_q[4:0];

  always_comb begin
    byte_o      = word_q[7:0];
    byte_last_o = left_q == 16'd1;
    if (state_q == FIRST) begin
      byte_o      = first_q;
      byte_last_o = left_q == '0;
    end
    if (state_q == TAG) byte_o = tag_q[7:0];
  end

  always_ff @(posedge clk) begin
    if (begins) begin
      tag_q     <= command_tag_i;
      first_q   <= {command_decrypt_i, 1'b0, command_context_i, command_tag_bytes_i};
      decrypt_q <= command_decrypt_i;
      left_q    <= command_iv_bytes_i;
      place_q   <= '0;
      state_q   <= FIRST;
    end else if (goes) begin
      if (state_q != FIRST) left_q <= left_q - 16'd1;
      if (state_q == IV) place_q <= place_q + 4'd1;
      if (state_q == TAG) tag_q <= tag_q >> 8;
      if (byte_last_o) begin
        state_q <= TAG;
        left_q  <= 16'(tag_bytes);
      end else if (state_q == FIRST) state_q <= IV;
    end
    if (begins || waits_q) word_q <= command_iv_i;
    else if (goes && state_q == IV) word_q <= word_q >> 8;
    if (rst || begins) waits_q <= 1'b0;
    else if (goes && state_q == IV && place_q == 4'd15 && !byte_last_o) waits_q <= 1'b1;
    else if (command_valid_i) waits_q <= 1'b0;
    if (rst) busy_o <= 1'b0;
    else if (begins) busy_o <= command_valid_i;
    else if (goes && byte_last_o && (state_q == TAG || !decrypt_q)) busy_o <= 1'b0;
  end
endmodule
