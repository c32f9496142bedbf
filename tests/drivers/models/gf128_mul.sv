// SPDX-License-Identifier: Apache-2.0
// What every multiplier leaf computes, a * b mod x^128 + x^7 + x^2 + x + 1, in the few wide words
// that a simulator likes: cycle laws on many lanes ask for the leaf's latency, not for its gates.
// Latency: STAGES - 1 cycles. Throughput: one product a cycle.
module gf128_mul (
    input  logic         clk,
    input  logic [127:0] a_i,
    input  logic [127:0] b_i,
    output logic [127:0] c_o
);
  localparam int Stages = STAGES;  // replaced by a number

  logic [127:0] product;
  logic [Stages*128-1:0] stages_q;

  always_comb begin
    product = '0;
    for (int i = 127; i >= 0; i--)
      product = {product[126:0], 1'b0} ^ (product[127] ? 128'h87 : '0) ^ (b_i[i] ? a_i : '0);
  end

  always_ff @(posedge clk) stages_q <= (stages_q << 128) | (Stages * 128)'(product);

  if (Stages == 1) begin : gen_none
    assign c_o = product;
  end else begin : gen_late
    assign c_o = stages_q[(Stages-2)*128+:128];
  end
endmodule
