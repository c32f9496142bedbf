// SPDX-License-Identifier: Apache-2.0
// What gf128_dot_stored computes after gf128_key.sv, by multipliers of the simulator's kind
// (gf128_mul.sv), as late as they are.
// Latency: that of gf128_mul. Throughput: one sum a cycle.
module gf128_dot_stored (
    input  logic                 clk,
    input  logic [LANES*128-1:0] a_i,
    input  logic [LANES*256-1:0] k_i,
    output logic [127:0]         c_o
);
  logic [LANES*128-1:0] products;

  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    gf128_mul u_product (
        .clk(clk),
        .a_i(a_i[128*l+:128]),
        .b_i(k_i[256*l+128+:128] ^ {64{k_i[256*l+:2]}}),
        .c_o(products[128*l+:128])
    );
  end

  always_comb begin
    c_o = '0;
    for (int l = 0; l < LANES; l++) c_o = c_o ^ products[128*l+:128];
  end
endmodule
