// SPDX-License-Identifier: Apache-2.0
// What a key schedule does in each step, and how long the key is, in a core that takes keys of 128
// and of 256 bits.
// Latency: 1 cycle. Throughput: one step a cycle.
module micro_turns_both (
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
  logic long_q, turns_q;
  logic [7:0] constant_q;

  assign whole_o    = place_i == 4'd3 || place_i == 4'd7;
  assign long_o     = long_q;
  assign turns_o    = turns_q;
  assign constant_o = constant_q;

  always_ff @(posedge clk) begin
    if (write_i && last_i) long_q <= place_i[2];
    turns_q <= load_i || !long_q || !turns_q;
    if (load_i) constant_q <= 8'h01;
    else if (turns_q)
      constant_q <= {constant_q[6:0], 1'b0} ^ (constant_q[7] ? 8'h1b : 8'h00);
    if (rst) begin
      long_q     <= 1'b0;
      turns_q    <= 1'b0;
      constant_q <= 8'h00;
    end
  end
endmodule
