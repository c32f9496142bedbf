// SPDX-License-Identifier: Apache-2.0
// One step of a product by H as in ghash_digit_step, with its check: what a step does modulo
// x^128 + x^7 + x^2 + x + 1 is followed modulo x^8 + 1, where a power of x is a rotation.
// Latency: combinational. Throughput: one digit a cycle.
module ghash_checked_step #(
    parameter int Digit = 12  // bits, up to 64
) (
    input  logic [    127:0] sum_i,
    input  logic [      7:0] sum_rest_i,     // modulo x^8 + 1, as it must be
    input  logic [Digit-1:0] digit_i,
    input  logic [      7:0] digit_rest_i,
    input  logic [    127:0] subkey_i,
    input  logic [      7:0] subkey_rest_i,
    output logic [    127:0] sum_o,
    output logic [      7:0] sum_rest_o
);
  localparam int Width = 128 + Digit;
  localparam int Leaves = 2 ** $clog2(Digit + 1);

  logic [2*Leaves*Width-1:Width] sums;  // a tree: node n adds nodes 2n and 2n + 1
  logic [Width-1:0] product;            // not reduced
  logic [Digit-1:0] above;              // its part from x^128 on
  logic [7:0] above_rest, moved;
  logic [71:0] rests;                   // what of sum_rest_o comes from each bit of the digit

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

  // x^128 is 1 modulo x^8 + 1, so what is taken away is above * (x^7 + x^2 + x), and twice above.
  micro_byte_sum #(
      .Bytes((Digit + 7) / 8)
  ) u_above (
      .bytes_i((8*((Digit+7)/8))'(above)),
      .sum_o  (above_rest)
  );

  assign rests[7:0] = 8'b0;
  for (genvar i = 0; i < 8; i++) begin : gen_rest
    assign rests[8*i+8+:8] = rests[8*i+:8] ^ (rotated(subkey_rest_i, i) & {8{digit_rest_i[i]}});
  end
  assign moved      = rotated(sum_rest_i, Digit % 8) ^ rotated(above_rest, 1);
  assign sum_rest_o = moved ^ rests[71:64] ^ rotated(above_rest, 2) ^ rotated(above_rest, 7);

  function automatic [7:0] rotated(input [7:0] value, input int by);
    rotated = 8'({value, value} >> (8 - by));
  endfunction

  if (Digit < 1 || Digit > 64) begin : gen_bad
    $error("ghash_checked_step: Digit must be 1 to 64");
  end
endmodule
