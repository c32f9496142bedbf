// SPDX-License-Identifier: Apache-2.0
// Product in GF(2^128) as a simulator computes it quickest; the leaf itself is proven elsewhere.
// Latency: Stages - 1 cycles.
module gf128_mul #(
    parameter int Stages = `STAGES
) (
    input  logic         clk,
    input  logic [127:0] a_i,
    input  logic [127:0] b_i,
    output logic [127:0] c_o
);
  function automatic logic [127:0] times(input logic [127:0] a, input logic [127:0] b);
    logic [127:0] shifted;
    times   = '0;
    shifted = a;
    for (int i = 0; i < 128; i++) begin
      if (b[i]) times = times ^ shifted;
      shifted = {shifted[126:0], 1'b0} ^ (shifted[127] ? 128'h87 : 128'h0);
    end
  endfunction

  logic [127:0] product;
  logic [127:0] delay_q[0:Stages-1];

  assign product = times(a_i, b_i);

  always_ff @(posedge clk) begin
    delay_q[0] <= product;
    for (int i = 1; i < Stages; i++) delay_q[i] <= delay_q[i-1];
  end

  if (Stages == 1) begin : gen_direct
    assign c_o = product;
  end else begin : gen_late
    assign c_o = delay_q[Stages-2];
  end
endmodule
