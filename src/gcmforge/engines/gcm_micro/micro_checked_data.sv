// SPDX-License-Identifier: Apache-2.0
// The one block of data of a core, as in micro_data, with a check byte: the sum of its bytes.
// Latency: combinational. Throughput: one word, or one block, a cycle.
module micro_checked_data (
    input  logic         clk,
    input  logic         rst,
    input  logic         shift_i,       // word_i comes, the first word leaves
    input  logic [ 31:0] word_i,        // its first byte on top
    input  logic [  7:0] word_sum_i,    // of its bytes, as it must be
    input  logic         change_i,      // block_i takes the place of block_o
    input  logic [127:0] block_i,
    input  logic         shift_again_i, // the same, for the check byte
    input  logic         change_again_i,
    input  logic [  7:0] change_sum_i,  // of the bytes of what is added to it
    output logic [127:0] block_o,
    output logic [  7:0] first_sum_o,   // of the first word's bytes
    output logic [  7:0] sum_o,         // of the bytes of block_o, as it must be
    output logic         bad_o          // and it is not
);
  logic [127:0] block_q;
  logic [7:0] sum_q, first, rest, now;

  assign first_sum_o = first;

  assign block_o = block_q;
  assign sum_o   = sum_q;

  micro_byte_sum #(
      .Bytes(4)
  ) u_first (
      .bytes_i(block_q[127:96]),
      .sum_o  (first)
  );

  micro_byte_sum #(
      .Bytes(12)
  ) u_rest (
      .bytes_i(block_q[95:0]),
      .sum_o  (rest)
  );

  assign now   = first ^ rest;
  assign bad_o = now != sum_q;

  always_ff @(posedge clk) begin
    if (shift_i && !rst) block_q <= {block_q[95:0], word_i};
    else if (change_i && !rst) block_q <= block_i;
    if (rst) sum_q <= now;  // whatever is there
    else if (shift_again_i) sum_q <= sum_q ^ first ^ word_sum_i;
    else if (change_again_i) sum_q <= sum_q ^ change_sum_i;
  end
endmodule
