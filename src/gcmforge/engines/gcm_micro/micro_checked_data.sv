// SPDX-License-Identifier: Apache-2.0
// The one block of data of a core, as in micro_data, with a check byte: the sum of its bytes.
// Latency: combinational. Throughput: one word, or one block, a cycle.
module micro_checked_data (
    input  logic         clk,
    input  logic         shift_i,       // word_i comes, the first word leaves
    input  logic [ 31:0] word_i,        // its first byte on top
    input  logic [  7:0] word_sum_i,    // of its bytes, as it must be
    input  logic         change_i,      // block_i takes the place of block_o
    input  logic [127:0] block_i,
    input  logic         clear_again_i, // no packet: what is there does not count any more
    input  logic         shift_again_i, // the same as above, for the check byte
    input  logic         change_again_i,
    input  logic [  7:0] change_sum_i,  // of the bytes of what is added to it
    output logic [127:0] block_o,
    output logic [  7:0] first_sum_o,   // of the first word's bytes
    output logic [  7:0] sum_o,         // of the bytes of block_o, as it must be
    output logic         bad_o          // and it is not
);
  logic [127:0] block_q;
  logic [7:0] sum_q, now;
  logic [31:0] sums, counted;  // of the bytes of each word
  logic [3:0] filled_q;        // the words that came with this packet

  assign block_o     = block_q;
  assign sum_o       = sum_q;
  assign first_sum_o = sums[31:24];

  for (genvar w = 0; w < 4; w++) begin : gen_word
    micro_byte_sum #(
        .Bytes(4)
    ) u_word (
        .bytes_i(block_q[32*w+:32]),
        .sum_o  (sums[8*w+:8])
    );
    assign counted[8*w+:8] = sums[8*w+:8] & {8{filled_q[w]}};
  end

  assign now   = counted[7:0] ^ counted[15:8] ^ counted[23:16] ^ counted[31:24];
  assign bad_o = now != sum_q;

  always_ff @(posedge clk) begin
    if (shift_i) block_q <= {block_q[95:0], word_i};
    else if (change_i) block_q <= block_i;
    if (clear_again_i) {filled_q, sum_q} <= '0;
    else if (shift_again_i) begin
      filled_q <= {filled_q[2:0], 1'b1};
      sum_q    <= sum_q ^ counted[31:24] ^ word_sum_i;
    end else if (change_again_i) sum_q <= sum_q ^ change_sum_i;
  end
endmodule
