// SPDX-License-Identifier: Apache-2.0
// The key of a core that takes keys of 128 and of 256 bits, and gives it away word by word: a ring,
// which turns by a word for each. A key of 128 bits is in its last four words, which turn alone.
// Latency: key_o is there. Throughput: one word a cycle.
module micro_key_both (
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
  logic [255:0] key_q;
  logic [31:0] word;
  logic long_q;

  assign whole_o = place_i == 4'd3 || place_i == 4'd7;
  assign long_o  = long_q;
  assign word    = long_q ? key_q[255:224] : key_q[127:96];
  assign key_o   = {word, 96'b0};

  always_ff @(posedge clk) begin
    if (write_i || load_i) key_q <= {key_q[223:0], write_i ? word_i : word};
    if (rst) long_q <= 1'b0;
    else if (write_i && last_i) long_q <= place_i[2];
  end
endmodule
