// SPDX-License-Identifier: Apache-2.0
// IVs of any length, in gcm_issue: one of 96 bits is J0's first part at once, every other is hashed
// block by block, then its length, and J0 is what GHASH gives. An IV without a byte is not taken.
//
// Latency: none for 96 bits; else a slot for each block of the IV, one for its length, the wait for
// J0, and two cycles from J0 to the first counter. Throughput: a block a slot.
module gcm_issue_iv_hashed (
    input  logic         clk,
    input  logic         rst,
    input  logic         start_i,     // a command is taken
    input  logic         beat_i,      // a beat of a command is there: the first, or more of its IV
    input  logic [ 15:0] bytes_i,     // of the IV, with the first
    input  logic [127:0] iv_i,
    input  logic         slot_i,      // a slot of the IV passes, where it is the IV's turn
    input  logic         j0_valid_i,  // GHASH of the IV is there
    output logic         taken_o,     // the core takes an IV of that length
    output logic         passes_o,    // the beat passes
    output logic         at_once_o,   // the packet's data may begin in the next cycle
    output logic         done_o,      // as this is the last cycle of the IV
    output logic         hash_o,      // a block of the IV is to go into GHASH
    output logic         length_o,    // or its length block
    output logic [127:0] block_o,     // it
    output logic         wait_o,      // J0 is what GHASH gives
    output logic         count_o      // J0 gives the first counter
);
  // one bit a state: a beat passes because of one of them
  logic hash_q, length_q, wait_q, step_q, count_q;
  logic is_short, begins;
  logic [15:0] left_q, bytes_q;
  logic last_q;  // at most 16 bytes are left
  logic [127:0] mask;

  assign is_short  = bytes_i == 16'd12;
  assign at_once_o = is_short || bytes_i == '0;
  assign taken_o   = is_short || bytes_i != '0;
  assign passes_o  = hash_q ? slot_i : start_i && at_once_o;
  assign begins    = start_i && !at_once_o;
  assign done_o    = count_q;
  assign hash_o    = hash_q;
  assign length_o  = length_q;
  assign wait_o    = wait_q;
  assign count_o   = count_q;

  always_ff @(posedge clk)
    if (rst) {hash_q, length_q, wait_q, step_q, count_q} <= '0;
    else begin
      hash_q   <= begins || (hash_q && !(slot_i && last_q));
      length_q <= (hash_q && slot_i && last_q) || (length_q && !slot_i);
      wait_q   <= (length_q && slot_i) || (wait_q && !j0_valid_i);
      step_q   <= wait_q && j0_valid_i;  // J0's upper 24 bits and one are made
      count_q  <= step_q;
    end

  always_ff @(posedge clk)
    if (start_i) begin
      bytes_q <= bytes_i;
      left_q  <= bytes_i;
      last_q  <= bytes_i <= 16'd16;
    end else if (hash_q && slot_i) begin
      left_q <= left_q - 16'd16;
      last_q <= left_q <= 16'd32;
    end

  always_comb
    for (int i = 0; i < 16; i++) mask[127-8*i-:8] = {8{!last_q || 5'(i) < left_q[4:0]}};
  assign block_o = length_q ? {109'b0, bytes_q, 3'b0} : iv_i & mask;

  logic unused;  // slot_i says it of the beats after the first
  assign unused = &{1'b0, beat_i};
endmodule
