// SPDX-License-Identifier: Apache-2.0
// The counter block of a packet, its IV and 32 bits of counter; all 0 after a key has come, for the
// hash subkey.
// Latency: 1 cycle. Throughput: one word, or one count, a cycle.
module micro_counter (
    input  logic         clk,
    input  logic         blank_i,  // word place_i of the IV, and the counter, become 0
    input  logic         write_i,  // word_i is word place_i of the IV; the counter becomes 2
    input  logic [  1:0] place_i,
    input  logic [ 31:0] word_i,
    input  logic         first_i,  // the counter becomes 1, that of J0
    input  logic         count_i,  // the counter goes up by one
    output logic [127:0] block_o
);
  logic [95:0] iv_q;
  logic [31:0] counter_q, next;

  assign block_o = {iv_q, counter_q};

  for (genvar w = 0; w < 3; w++) begin : gen_word
    always_ff @(posedge clk)
      if ((blank_i || write_i) && place_i == 2'(w))
        iv_q[95-32*w-:32] <= word_i & {32{write_i}};
  end

  always_comb begin
    next = counter_q + 32'd1;
    if (first_i || write_i || blank_i) next = {30'b0, write_i, first_i};
  end

  always_ff @(posedge clk) if (first_i || write_i || blank_i || count_i) counter_q <= next;
endmodule
