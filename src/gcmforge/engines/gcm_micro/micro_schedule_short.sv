// SPDX-License-Identifier: Apache-2.0
// The key of a core that takes keys of 128 bits only, and its round keys, made forwards from it
// again with every block (FIPS 197, section 5.2): a step makes four words, through four S-boxes.
// Latency: key_o has round key 0 after load_i, and round key n in the n-th cycle after that.
// Throughput: one round key a cycle.
module micro_schedule_short (
    input  logic         clk,
    input  logic         rst,
    input  logic         write_i,  // word_i is word place_i of the key
    input  logic [  3:0] place_i,
    input  logic [ 31:0] word_i,
    input  logic         last_i,   // and its last one
    output logic         whole_o,  // that makes a key of a size that is built
    output logic         long_o,   // the key has 256 bits
    input  logic         load_i,
    output logic [127:0] key_o
);
  logic [127:0] key_q, this_q, made;
  logic [7:0] constant_q;

  assign whole_o = place_i == 4'd3;
  assign long_o  = 1'b0;

  for (genvar w = 0; w < 4; w++) begin : gen_word
    always_ff @(posedge clk)
      if (write_i && place_i[1:0] == 2'(w)) key_q[127-32*w-:32] <= word_i;
  end

  assign key_o = this_q;

  micro_words u_words (
      .clk       (clk),
      .old_i     (this_q),
      .newest_i  (this_q[31:0]),
      .turns_i   (1'b1),
      .constant_i(constant_q),
      .made_o    (made)
  );

  always_ff @(posedge clk) begin
    this_q     <= load_i ? key_q : made;
    constant_q <= load_i ? 8'h01 : {constant_q[6:0], 1'b0} ^ (constant_q[7] ? 8'h1b : 8'h00);
  end

  logic unused;
  assign unused = &{1'b0, rst, last_i};
endmodule
