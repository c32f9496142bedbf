// SPDX-License-Identifier: Apache-2.0
// GHASH with a digit of the sum a cycle. The digest waits where the next block is added to it, and
// the last digit of a product is worked off while that block comes.
// Latency: 11 cycles from add_i with digits of 12 bits, 43 with 3. Throughput: a block in 11
// cycles, or 43.
module micro_ghash #(
    parameter int Digit = 12  // bits
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         clear_i,     // the digest becomes 0
    input  logic         add_i,       // block_i is added to the digest; only with free_o
    input  logic [127:0] block_i,     // bit 127 is the first bit of a block
    input  logic         multiply_i,  // and the sum multiplied by H
    output logic         free_o,
    output logic [127:0] digest_o,    // while nothing is multiplied
    input  logic         subkey_i,    // H comes
    input  logic [127:0] subkey_block_i
);
  localparam int STEPS = (127 + Digit) / Digit;
  localparam int COUNT = $clog2(STEPS + 1);

  // As polynomials: bit i is the coefficient of x^i.
  logic [127:0] product_q, subkey_q, product, added, sum;
  logic [Digit*STEPS-1:0] sum_q;  // what of it is to be multiplied, its next digit on top
  logic [COUNT-1:0] step_q;       // of this cycle; 0: none
  logic busy, last;

  assign busy   = step_q != '0;
  assign last   = step_q == COUNT'(STEPS);
  assign free_o = !busy || last;

  for (genvar i = 0; i < 128; i++) begin : gen_order
    assign added[i]    = add_i && block_i[127-i];
    assign digest_o[i] = sum_q[127-i];
  end

  ghash_digit_step #(
      .Digit(Digit)
  ) u_step (
      .sum_i   (product_q),
      .digit_i (sum_q[Digit*STEPS-1-:Digit]),
      .subkey_i(subkey_q),
      .sum_o   (product)
  );

  assign sum = added ^ (busy ? product : clear_i ? 128'b0 : sum_q[127:0]);

  always_ff @(posedge clk) begin
    sum_q     <= free_o ? (Digit * STEPS)'(sum) : sum_q << Digit;
    product_q <= free_o ? 128'b0 : product;
    if (subkey_i)
      for (int i = 0; i < 128; i++) subkey_q[i] <= subkey_block_i[127-i];
    if (rst) step_q <= '0;
    else if (free_o) step_q <= COUNT'(add_i && multiply_i);
    else step_q <= step_q + COUNT'(1);
  end
endmodule
