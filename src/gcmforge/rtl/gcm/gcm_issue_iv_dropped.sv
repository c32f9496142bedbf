// SPDX-License-Identifier: Apache-2.0
// IVs of 96 bits, in gcm_issue. The beats of a longer one pass and are not looked at; its packet
// gets an answer with a status.
//
// Latency: none for 96 bits; else a cycle for each beat of the IV after the first. Throughput: a
// beat a cycle.
module gcm_issue_iv_dropped (
    input  logic         clk,
    input  logic         rst,
    input  logic         start_i,    // a command is taken
    input  logic         beat_i,     // a beat of a command is there: the first, or more of its IV
    input  logic [ 15:0] bytes_i,    // of the IV, with the first
    output logic         taken_o,    // the core takes an IV of that length
    output logic         passes_o,   // the beat passes
    output logic         at_once_o,  // the packet's data may begin in the next cycle
    output logic         done_o,     // as this is the last cycle of the IV
    output logic         hash_o,     // none of it is hashed
    output logic         length_o,
    output logic [127:0] block_o,
    output logic         wait_o,
    output logic         count_o
);
  logic drop_q;
  logic last_q;          // one more beat
  logic [15:0] left_q;

  assign taken_o   = bytes_i == 16'd12;
  assign at_once_o = bytes_i <= 16'd16;
  assign passes_o  = drop_q || start_i;
  assign done_o    = drop_q && beat_i && last_q;
  assign {hash_o, length_o, wait_o, count_o} = '0;
  assign block_o   = '0;

  always_ff @(posedge clk)
    if (rst) drop_q <= 1'b0;
    else drop_q <= (start_i && !at_once_o) || (drop_q && !done_o);

  always_ff @(posedge clk)
    if (start_i) begin
      left_q <= bytes_i - 16'd16;
      last_q <= bytes_i <= 16'd32;
    end else if (beat_i && passes_o) begin
      left_q <= left_q - 16'd16;
      last_q <= left_q <= 16'd32;
    end
endmodule
