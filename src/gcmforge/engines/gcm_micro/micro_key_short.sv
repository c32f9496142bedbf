// SPDX-License-Identifier: Apache-2.0
// The key of a core that takes keys of 128 bits only, and gives it away word by word: a ring, which
// turns by a word for each.
// Latency: key_o is there. Throughput: one word a cycle.
module micro_key_short (
    input  logic         clk,
    input  logic         rst,
    input  logic         write_i,  // word_i is word place_i of the key
    input  logic [  3:0] place_i,
    input  logic [ 31:0] word_i,
    input  logic         last_i,   // and its last one
    output logic         whole_o,  // that makes a key of a size that is built
    output logic         long_o,   // the key has 256 bits
    input  logic         load_i,   // the next word
    output logic [127:0] key_o     // this one on top
);
  logic [127:0] key_q;

  assign whole_o = place_i == 4'd3;
  assign long_o  = 1'b0;
  assign key_o   = {key_q[127:96], 96'b0};

  always_ff @(posedge clk)
    if (write_i || load_i) key_q <= {key_q[95:0], write_i ? word_i : key_q[127:96]};

  logic unused;
  assign unused = &{1'b0, rst, last_i};
endmodule
