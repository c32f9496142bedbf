// SPDX-License-Identifier: Apache-2.0
// A step of a product in GF(2^128): sum * x^13 + digit * x, modulo 1 + x + x^2 + x^7 + x^128. Bit i
// is for x^i. All that it takes belongs to one product.
// Latency: none. Throughput: 13 bits a cycle.
module masked_fast_digit (
    input  logic [127:0] sum_i,
    input  logic [ 12:0] digit_i,
    input  logic [127:0] x_i,
    output logic [127:0] sum_o
);
  logic [140:0] whole;
  logic [151:0] padded;
  logic [12:0] over;

  assign padded = {12'b0, x_i, 12'b0};

  for (genvar i = 0; i < 141; i++) begin : gen_bit
    logic [13:0] terms;
    for (genvar k = 0; k < 13; k++) begin : gen_term
      if (i >= k && i - k < 128) begin : gen_there
        assign terms[k] = digit_i[k] & padded[i-k+12];
      end else begin : gen_none
        assign terms[k] = 1'b0;
      end
    end
    if (i >= 13) begin : gen_sum
      assign terms[13] = sum_i[i-13];
    end else begin : gen_low
      assign terms[13] = 1'b0;
    end
    assign whole[i] = ^terms;
  end

  assign over  = whole[140:128];
  assign sum_o = whole[127:0] ^ 128'(over) ^ {114'b0, over, 1'b0} ^ {113'b0, over, 2'b0}
      ^ {108'b0, over, 7'b0};
endmodule
