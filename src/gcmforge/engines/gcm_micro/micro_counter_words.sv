// SPDX-License-Identifier: Apache-2.0
// The counter block of a packet, its IV and 32 bits of counter; all 0 after a key has come, for the
// hash subkey. The IV is given away word by word: a ring of three words, which turns by one in each
// of three cycles after the counter's.
// Latency: 1 cycle. Throughput: a block in 4 cycles.
module micro_counter_words (
    input  logic         clk,
    input  logic         blank_i,  // a word of the IV, and the counter, become 0
    input  logic         write_i,  // word_i is the IV's next word; the counter becomes 2
    input  logic [  1:0] place_i,
    input  logic [ 31:0] word_i,
    input  logic         first_i,  // the counter becomes 1, that of J0
    input  logic         count_i,  // the counter is taken, and goes up by one
    output logic [127:0] block_o   // the counter lowest; on top word n of the IV, n cycles later
);
  logic [95:0] iv_q;
  logic [31:0] counter_q, next;
  logic [2:0] turns_q;  // these cycles are left

  assign block_o = {iv_q[95:64], 64'b0, counter_q};

  always_ff @(posedge clk) begin
    if (blank_i || write_i || turns_q[0])
      iv_q <= {iv_q[63:0], blank_i ? 32'b0 : write_i ? word_i : iv_q[95:64]};
    turns_q <= {count_i, count_i, count_i} | turns_q >> 1;
  end

  always_comb begin
    next = counter_q + 32'd1;
    if (first_i || write_i || blank_i) next = {30'b0, write_i, first_i};
  end

  always_ff @(posedge clk) if (first_i || write_i || blank_i || count_i) counter_q <= next;

  logic unused;
  assign unused = &{1'b0, place_i};
endmodule
