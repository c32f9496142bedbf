// SPDX-License-Identifier: Apache-2.0
// Bits that look random, for simulations of a masked core and nothing else: generators xorshift64
// (Marsaglia 2003), each of which is predicted from two of its values.
// Latency: 1 cycle. Throughput: Bits bits a cycle.
module masked_line_noise #(
    parameter int Bits = 64
) (
    input  logic            clk,
    input  logic            rst,
    output logic            valid_o,
    input  logic            ready_i,
    output logic [Bits-1:0] noise_o
);
  localparam int Count = (Bits + 63) / 64;
  localparam logic [63:0] Seed = 64'h9e3779b97f4a7c15;

  logic [64*Count-1:0] state_q;

  assign valid_o = 1'b1;
  assign noise_o = state_q[Bits-1:0];

  for (genvar n = 0; n < Count; n++) begin : gen_one
    logic [63:0] state, left, right;

    assign state = state_q[64*n+:64];
    assign left  = state ^ (state << 13);
    assign right = left ^ (left >> 7);

    always_ff @(posedge clk) begin
      if (rst) state_q[64*n+:64] <= Seed * 64'(2 * n + 1);
      else if (ready_i) state_q[64*n+:64] <= right ^ (right << 17);
    end
  end
endmodule
