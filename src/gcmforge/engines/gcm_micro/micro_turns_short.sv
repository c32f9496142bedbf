// SPDX-License-Identifier: Apache-2.0
// What a key schedule does in each step in a core that takes keys of 128 bits only.
// Latency: 1 cycle. Throughput: one step a cycle.
module micro_turns_short (
    input  logic       clk,
    input  logic       rst,
    input  logic       write_i,     // a word of a key
    input  logic [3:0] place_i,     // its number
    input  logic       last_i,      // and it is the last one
    output logic       whole_o,     // that makes a key of a size that is built
    output logic       long_o,      // the key has 256 bits
    input  logic       load_i,      // round key 0 is next
    output logic       turns_o,     // the word for the S-boxes is rotated, and gets the constant
    output logic [7:0] constant_o
);
  logic [7:0] constant_q;

  assign whole_o    = place_i == 4'd3;
  assign long_o     = 1'b0;
  assign turns_o    = 1'b1;
  assign constant_o = constant_q;

  always_ff @(posedge clk)
    if (rst) constant_q <= 8'h00;
    else constant_q <= load_i ? 8'h01 : {constant_q[6:0], 1'b0} ^ (constant_q[7] ? 8'h1b : 8'h00);

  logic unused;
  assign unused = &{1'b0, write_i, last_i};
endmodule
