// SPDX-License-Identifier: Apache-2.0
// H^2, H^4, H^8 and H^16, the first in the low bits, in the few wide words that a simulator likes.
// Latency: combinational.
module gf128_squares (
    input  logic [127:0] a_i,
    output logic [511:0] c_o
);
  logic [127:0] power;
  logic [255:0] spread;

  always_comb begin
    power = a_i;
    for (int k = 0; k < 4; k++) begin
      for (int i = 0; i < 128; i++) spread[2*i+:2] = {1'b0, power[i]};
      for (int i = 255; i >= 128; i--)
        if (spread[i]) spread[i-128+:8] = spread[i-128+:8] ^ 8'h87;
      power = spread[127:0];
      c_o[128*k+:128] = power;
    end
  end
endmodule
