// SPDX-License-Identifier: Apache-2.0
// GHASH with a digit of the sum a cycle, as in micro_ghash, and its check modulo x^8 + 1: the
// remainder of a block is the sum of its bytes. Both registers of a product are checked in every
// cycle: 12 bits are one and a half turns modulo x^8 + 1, so two wrong digits could cancel.
// Latency: 11 cycles from add_i with digits of 12 bits; bad_o 1 cycle. Throughput: a block in 11
// cycles.
module micro_checked_ghash #(
    parameter int Digit = 12  // bits
) (
    input  logic         clk,
    input  logic         clear_i,         // the digest becomes 0
    input  logic         add_i,           // block_i is added to the digest; only with free_i
    input  logic [127:0] block_i,         // bit 127 is the first bit of a block
    input  logic [  7:0] block_sum_i,     // of its bytes, as it must be
    input  logic         busy_i,          // a digit is multiplied
    input  logic         last_i,          // the last one of a product
    input  logic         clear_again_i,   // the same, for what is checked
    input  logic         add_again_i,
    input  logic         busy_again_i,
    input  logic         last_again_i,
    input  logic         subkey_again_i,
    output logic [127:0] digest_o,        // while nothing is multiplied
    output logic [ 31:0] digest_sums_o,   // of the bytes of each of its words
    input  logic         subkey_i,        // H comes
    input  logic [127:0] subkey_block_i,
    input  logic [  7:0] subkey_sum_i,    // as it must be
    output logic         bad_o
);
  localparam int STEPS = (127 + Digit) / Digit;
  localparam int BYTES = (Digit + 7) / 8;

  // As polynomials: bit i is the coefficient of x^i.
  logic [127:0] product_q, subkey_q, product, added, sum;
  logic [Digit*STEPS-1:0] sum_q;  // what of it is to be multiplied, its next digit on top
  logic [7:0] product_rest_q, subkey_rest_q, sum_rest_q, product_rest, added_rest, sum_rest;
  logic [7:0] digit_rest, left_rest, now, product_now;
  logic [7:0] above;  // the top of the sum, beyond a block
  logic free, free_again;

  assign free       = !busy_i || last_i;
  assign free_again = !busy_again_i || last_again_i;

  for (genvar i = 0; i < 128; i++) begin : gen_order
    assign added[i]    = add_i && block_i[127-i];
    assign digest_o[i] = sum_q[127-i];
  end
  assign above = 8'(sum_q >> 128);
  for (genvar i = 0; i < 8; i++) begin : gen_rest
    assign added_rest[i] = add_again_i && block_sum_i[7-i];
    assign now[i] = digest_sums_o[7-i] ^ digest_sums_o[15-i] ^ digest_sums_o[23-i]
        ^ digest_sums_o[31-i] ^ above[i];
  end

  micro_byte_sum #(
      .Bytes(BYTES)
  ) u_digit (
      .bytes_i((8*BYTES)'(sum_q[Digit*STEPS-1-:Digit])),
      .sum_o  (digit_rest)
  );

  ghash_checked_step #(
      .Digit(Digit)
  ) u_step (
      .sum_i        (product_q),
      .sum_rest_i   (product_rest_q),
      .digit_i      (sum_q[Digit*STEPS-1-:Digit]),
      .digit_rest_i (digit_rest),
      .subkey_i     (subkey_q),
      .subkey_rest_i(subkey_rest_q),
      .sum_o        (product),
      .sum_rest_o   (product_rest)
  );

  assign sum       = added ^ (clear_i ? 128'b0 : busy_i ? product : sum_q[127:0]);
  assign sum_rest  = added_rest
      ^ (clear_again_i ? 8'b0 : busy_again_i ? product_rest : sum_rest_q);
  // A digit less, and a shift: digits stand at multiples of x^4, and x^(Digit * STEPS) may not.
  assign left_rest = rotated(sum_rest_q ^ rotated(digit_rest, Digit * (STEPS - 1) % 8), Digit % 8);

  always_ff @(posedge clk) begin
    sum_q          <= free || clear_i ? (Digit * STEPS)'(sum) : sum_q << Digit;
    sum_rest_q     <= free_again || clear_again_i ? sum_rest : left_rest;
    product_q      <= free ? 128'b0 : product;
    product_rest_q <= free_again ? 8'b0 : product_rest;
    if (subkey_i)
      for (int i = 0; i < 128; i++) subkey_q[i] <= subkey_block_i[127-i];
    if (subkey_again_i)
      for (int i = 0; i < 8; i++) subkey_rest_q[i] <= subkey_sum_i[7-i];
  end

  for (genvar w = 0; w < 4; w++) begin : gen_word
    micro_byte_sum #(
        .Bytes(4)
    ) u_word (
        .bytes_i(digest_o[32*w+:32]),
        .sum_o  (digest_sums_o[8*w+:8])
    );
  end

  micro_byte_sum #(
      .Bytes(16)
  ) u_product (
      .bytes_i(product_q),
      .sum_o  (product_now)
  );

  assign bad_o = now != sum_rest_q || product_now != product_rest_q;

  function automatic [7:0] rotated(input [7:0] value, input int by);
    rotated = 8'({value, value} >> (8 - by));
  endfunction
endmodule
