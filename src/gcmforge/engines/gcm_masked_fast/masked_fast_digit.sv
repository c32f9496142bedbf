// SPDX-License-Identifier: Apache-2.0
// A step of a product in GF(2^128): sum * x^13 + digit * x, modulo 1 + x + x^2 + x^7 + x^128. Bit i
// is for x^i. All that it takes belongs to one product. The digit is two pieces of 7 bits, x ten
// pairs of them, each pair three products of 7 by 7 bits (Karatsuba) instead of four.
// Latency: none. Throughput: 13 bits a cycle.
module masked_fast_digit (
    input  logic [127:0] sum_i,
    input  logic [ 12:0] digit_i,
    input  logic [127:0] x_i,
    output logic [127:0] sum_o
);
  localparam int Pairs = 10;

  logic [14*Pairs-1:0] padded;
  logic [14*Pairs+13:0] even, odd, whole;  // pairs 0, 2, .. and 1, 3, .. do not overlap
  logic [13:0] digit;
  logic [12:0] over;

  assign padded = (14 * Pairs)'(x_i);
  assign digit  = {1'b0, digit_i};

  function automatic logic [13:0] product(input logic [6:0] a, input logic [6:0] b);
    logic [6:0] terms;
    for (int i = 0; i < 14; i++) begin
      for (int k = 0; k < 7; k++) terms[k] = i - k >= 0 && i - k < 7 ? a[k] & b[(i-k+7)%7] : 1'b0;
      product[i] = ^terms;
    end
  endfunction

  for (genvar n = 0; n < Pairs; n++) begin : gen_pair
    logic [13:0] x, low, high, both;
    logic [6:0] shared;
    logic [27:0] pair;

    assign x      = padded[14*n+:14];
    assign low    = product(digit[6:0], x[6:0]);
    assign high   = product(digit[13:7], x[13:7]);
    assign both   = product(digit[6:0] ^ digit[13:7], x[6:0] ^ x[13:7]);
    assign shared = low[13:7] ^ high[6:0];
    assign pair   = {high[13:7], shared ^ high[13:7] ^ both[13:7], shared ^ low[6:0] ^ both[6:0],
                     low[6:0]};
    if (n % 2 == 0) begin : gen_even
      assign even[14*n+:28] = pair;
    end else begin : gen_odd
      assign odd[14*n+:28] = pair;
    end
  end

  assign odd[13:0]                 = '0;
  assign even[14*Pairs+13:14*Pairs] = '0;

  assign whole = even ^ odd ^ (14 * Pairs + 14)'({sum_i, 13'b0});
  assign over  = whole[140:128];
  assign sum_o = whole[127:0] ^ 128'(over) ^ {114'b0, over, 1'b0} ^ {113'b0, over, 2'b0}
      ^ {108'b0, over, 7'b0};

  logic unused;
  assign unused = &{1'b0, whole[14*Pairs+13:141]};
endmodule
