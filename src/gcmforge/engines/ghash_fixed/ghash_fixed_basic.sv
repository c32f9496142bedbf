// SPDX-License-Identifier: Apache-2.0
// GHASH for one key in two cycles a block: the block is added to the register, then the register
// multiplied by H, which is in the logic of gf128_fixed (Crenne 2011, section III.B).
// Blocks are polynomials: bit i is the coefficient of x^i.
// Latency: digest 2 cycles after the last block. Throughput: 2n cycles for n blocks.
module ghash_fixed_basic (
    input  logic         clk,
    input  logic         rst,
    // messages, a block a beat
    input  logic         in_valid_i,
    output logic         in_ready_o,
    input  logic [127:0] in_data_i,
    input  logic [  0:0] in_count_i,
    input  logic         in_last_i,
    // one digest a message, in order
    output logic         digest_valid_o,
    output logic [127:0] digest_o
);
  logic multiply_q, last_q, fresh_q;
  logic [127:0] product, sum_q;

  assign in_ready_o = !multiply_q;
  assign digest_o   = sum_q;

  gf128_fixed u_multiplier (
      .a_i(sum_q),
      .c_o(product)
  );

  always_ff @(posedge clk)
    if (multiply_q) sum_q <= product;
    else if (in_valid_i) sum_q <= in_data_i ^ (fresh_q ? 128'b0 : sum_q);

  always_ff @(posedge clk) begin
    if (rst) begin
      multiply_q     <= 1'b0;
      fresh_q        <= 1'b1;
      digest_valid_o <= 1'b0;
    end else begin
      multiply_q     <= in_valid_i && !multiply_q;
      digest_valid_o <= multiply_q && last_q;
      if (multiply_q) fresh_q <= last_q;
    end
  end

  always_ff @(posedge clk) if (!multiply_q) last_q <= in_last_i;

  logic unused;
  assign unused = &{1'b0, in_count_i};
endmodule
