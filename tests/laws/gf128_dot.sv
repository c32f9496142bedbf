// SPDX-License-Identifier: Apache-2.0
// What every gf128_dot leaf computes, the sum of the lanes' products a * b modulo
// x^128 + x^7 + x^2 + x + 1, in the few wide words that a simulator likes.
// Latency: STAGES - 1 cycles. Throughput: one sum a cycle.
module gf128_dot (
    input  logic               clk,
    input  logic [LANES*128-1:0] a_i,
    input  logic [LANES*128-1:0] b_i,
    output logic [127:0]       c_o
);
  localparam int Stages = STAGES;  // replaced by numbers, as is LANES

  logic [127:0] product, total;
  logic [Stages*128-1:0] stages_q;

  always_comb begin
    total = '0;
    for (int l = 0; l < LANES; l++) begin
      product = '0;
      for (int i = 127; i >= 0; i--)
        product = {product[126:0], 1'b0} ^ (product[127] ? 128'h87 : '0)
            ^ (b_i[128*l+i] ? a_i[128*l+:128] : '0);
      total = total ^ product;
    end
  end

  always_ff @(posedge clk) stages_q <= (stages_q << 128) | (Stages * 128)'(total);

  if (Stages == 1) begin : gen_none
    assign c_o = total;
  end else begin : gen_late
    assign c_o = stages_q[(Stages-2)*128+:128];
  end
endmodule
