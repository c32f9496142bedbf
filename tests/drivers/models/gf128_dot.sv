// SPDX-License-Identifier: Apache-2.0
// What every gf128_dot leaf computes, the sum of the lanes' products, by multipliers of the
// simulator's kind (gf128_mul.sv of one stage), which are compiled once for all lanes.
// Latency: STAGES - 1 cycles. Throughput: one sum a cycle.
module gf128_dot (
    input  logic                 clk,
    input  logic [LANES*128-1:0] a_i,
    input  logic [LANES*128-1:0] b_i,
    output logic [127:0]         c_o
);
  localparam int Stages = STAGES;  // replaced by numbers, as is LANES

  logic [127:0] total;
  logic [LANES*128-1:0] products;
  logic [Stages*128-1:0] stages_q;

  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    gf128_mul u_product (
        .clk(clk),
        .a_i(a_i[128*l+:128]),
        .b_i(b_i[128*l+:128]),
        .c_o(products[128*l+:128])
    );
  end

  always_comb begin
    total = '0;
    for (int l = 0; l < LANES; l++) total = total ^ products[128*l+:128];
  end

  always_ff @(posedge clk) stages_q <= (stages_q << 128) | (Stages * 128)'(total);

  if (Stages == 1) begin : gen_none
    assign c_o = total;
  end else begin : gen_late
    assign c_o = stages_q[(Stages-2)*128+:128];
  end
endmodule
