// SPDX-License-Identifier: Apache-2.0
// A share of the digest: its products with both shares of H, in two registers, by digits of 13 bits
// from the highest. Bit i is for x^i. The sum of both registers is built only from what has been in
// them: a wire of it hangs on no share of H.
// Latency, throughput: those of masked_fast_ghash.
module masked_fast_ghash_share (
    input  logic         clk,
    input  logic         go_i,
    input  logic         clear_i,
    input  logic         load_i,
    input  logic         step_i,
    input  logic [127:0] block_i,
    input  logic [127:0] random_i,
    input  logic [127:0] own_i,     // the share of H with the same number
    input  logic [127:0] other_i,
    output logic [127:0] digest_o
);
  localparam int Digit = 13;

  logic [127:0] own_q, cross_q, own_next, cross_next;
  logic [129:0] factor_q;
  logic [12:0] digit;

  assign digit    = factor_q[129:117];
  assign digest_o = own_q ^ cross_q;

  masked_fast_digit u_own (
      .sum_i  (own_q),
      .digit_i(digit),
      .x_i    (own_i),
      .sum_o  (own_next)
  );

  masked_fast_digit u_cross (
      .sum_i  (cross_q),
      .digit_i(digit),
      .x_i    (other_i),
      .sum_o  (cross_next)
  );

  always_ff @(posedge clk)
    if (go_i) begin
      if (load_i || clear_i) begin
        own_q   <= '0;
        cross_q <= clear_i ? '0 : random_i;  // those bits are for the first product
      end else if (step_i) begin
        own_q   <= own_next;
        cross_q <= cross_next;
      end
      if (load_i) factor_q <= {2'b00, digest_o ^ block_i};
      else if (step_i) factor_q <= {factor_q[129-Digit:0], Digit'(0)};
    end
endmodule
