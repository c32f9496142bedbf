// SPDX-License-Identifier: Apache-2.0
// A share of the digest: a factor, and its products with both shares of a power of H, in registers.
// Bit i is for x^i. The sum of both products is built only from what has been in them: a wire of it
// hangs on no share of H.
// Latency, throughput: those of masked_line_ghash.
module masked_line_ghash_share (
    input  logic         clk,
    input  logic         clear_i,
    input  logic         step_i,
    input  logic [127:0] block_i,
    input  logic [127:0] random_i,
    input  logic [127:0] own_i,     // the share of the power of H with the same number
    input  logic [127:0] other_i,
    output logic [127:0] digest_o
);
  logic [127:0] factor_q, own_q, cross_q, own_next, cross_next;

  assign digest_o = factor_q ^ own_q ^ cross_q;

  gf128_mul u_own (
      .clk(clk),
      .a_i(factor_q),
      .b_i(own_i),
      .c_o(own_next)
  );

  gf128_mul u_cross (
      .clk(clk),
      .a_i(factor_q),
      .b_i(other_i),
      .c_o(cross_next)
  );

  always_ff @(posedge clk)
    if (clear_i) begin
      factor_q <= '0;
      own_q    <= '0;
      cross_q  <= '0;
    end else if (step_i) begin
      factor_q <= own_q ^ cross_q ^ block_i;
      own_q    <= own_next;
      cross_q  <= cross_next ^ random_i;
    end
endmodule
