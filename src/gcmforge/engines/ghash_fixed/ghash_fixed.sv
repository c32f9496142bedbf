// SPDX-License-Identifier: Apache-2.0
// GHASH for one key, a block a cycle: Y = (Y + X) * H, with H in the logic of gf128_fixed
// (Crenne 2011, Fig. 2, without its second cycle).
// Blocks are polynomials: bit i is the coefficient of x^i.
// Latency: digest 1 cycle after the last block. Throughput: n cycles for n blocks.
module ghash_fixed (
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
  logic fresh_q;
  logic [127:0] sum, product, sum_q;

  assign in_ready_o = 1'b1;
  assign sum        = in_data_i ^ (fresh_q ? 128'b0 : sum_q);
  assign digest_o   = sum_q;

  gf128_fixed u_multiplier (
      .a_i(sum),
      .c_o(product)
  );

  always_ff @(posedge clk) if (in_valid_i) sum_q <= product;

  always_ff @(posedge clk) begin
    if (rst) begin
      fresh_q        <= 1'b1;
      digest_valid_o <= 1'b0;
    end else begin
      digest_valid_o <= in_valid_i && in_last_i;
      if (in_valid_i) fresh_q <= in_last_i;
    end
  end

  logic unused;
  assign unused = &{1'b0, in_count_i};
endmodule
