// SPDX-License-Identifier: Apache-2.0
// Bits that look random, for simulations of a masked core and nothing else: xorshift64 (Marsaglia
// 2003) is predicted from two of its values.
// Latency: 1 cycle. Throughput: 34 bits a cycle.
module masked_noise (
    input  logic        clk,
    input  logic        rst,
    output logic        valid_o,
    input  logic        ready_i,
    output logic [33:0] noise_o
);
  logic [63:0] state_q, left, right;

  assign left    = state_q ^ (state_q << 13);
  assign right   = left ^ (left >> 7);
  assign valid_o = 1'b1;
  assign noise_o = state_q[63:30];

  always_ff @(posedge clk) begin
    if (rst) state_q <= 64'h9e3779b97f4a7c15;
    else if (ready_i) state_q <= right ^ (right << 17);
  end
endmodule
