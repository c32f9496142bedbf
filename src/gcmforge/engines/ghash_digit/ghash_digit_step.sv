// SPDX-License-Identifier: Apache-2.0
// One step of a product by H, highest digits first: sum <- sum * x^Digit + digit * H in GF(2^128).
// Polynomials: bit i is the coefficient of x^i; x^128 = x^7 + x^2 + x + 1.
// Latency: combinational. Throughput: one digit a cycle.
module ghash_digit_step #(
    parameter int Digit = 16  // bits, up to 64
) (
    input  logic [    127:0] sum_i,
    input  logic [Digit-1:0] digit_i,
    input  logic [    127:0] subkey_i,
    output logic [    127:0] sum_o
);
  localparam int Width = 128 + Digit;
  localparam int Leaves = 2 ** $clog2(Digit + 1);

  logic [2*Leaves*Width-1:Width] sums;  // a tree: node n adds nodes 2n and 2n + 1
  logic [Width-1:0] product;            // not reduced
  logic [Digit-1:0] above;              // its part from x^128 on

  for (genvar n = 1; n < Leaves; n++) begin : gen_sum
    assign sums[n*Width+:Width] = sums[2*n*Width+:Width] ^ sums[(2*n+1)*Width+:Width];
  end
  for (genvar i = 0; i < Leaves; i++) begin : gen_leaf
    if (i < Digit) begin : gen_product
      assign sums[(Leaves+i)*Width+:Width] = Width'(subkey_i & {128{digit_i[i]}}) << i;
    end else if (i == Digit) begin : gen_moved
      assign sums[(Leaves+i)*Width+:Width] = Width'(sum_i) << Digit;
    end else begin : gen_none
      assign sums[(Leaves+i)*Width+:Width] = '0;
    end
  end

  assign product = sums[Width+:Width];
  assign above = product[127+Digit:128];
  assign sum_o = product[127:0] ^ 128'(above) ^ (128'(above) << 1) ^ (128'(above) << 2)
      ^ (128'(above) << 7);

  if (Digit < 1 || Digit > 64) begin : gen_bad
    $error("ghash_digit_step: Digit must be 1 to 64");
  end
endmodule
