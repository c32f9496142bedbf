// SPDX-License-Identifier: Apache-2.0
// GHASH for one key of q = Lanes blocks a beat: gf128_fixed adds the products of lane l with
// H^(q-l), all of which are in its logic (Satoh 2007, equation (7), with Crenne 2011's folded key).
//
// Blocks are polynomials: bit i is the coefficient of x^i. A beat of m < q blocks is shifted to the
// last lanes, after blocks of zeros. The running sum is added to the beat's first block, wherever
// that is, so that it gets its factor H^m without a multiplier of its own.
//
// Latency: digest 2 cycles after the last beat. Throughput: one beat a cycle.
module ghash_fixed_lanes #(
    parameter int Lanes = 2,  // the gf128_fixed in the folder has as many
    localparam int CountWidth = $clog2(Lanes + 1)
) (
    input  logic                  clk,
    input  logic                  rst,
    // messages, up to Lanes blocks a beat, the first blocks on top
    input  logic                  in_valid_i,
    output logic                  in_ready_o,
    input  logic [ Lanes*128-1:0] in_data_i,
    input  logic [CountWidth-1:0] in_count_i,      // 1 to Lanes
    input  logic                  in_last_i,
    // one digest a message, in order
    output logic                  digest_valid_o,
    output logic [         127:0] digest_o
);
  logic valid_q, last_q, fresh_q;
  logic [Lanes-1:0] first_d, first_q;  // which lane has the beat's first block
  logic [Lanes*128-1:0] blocks_q, sums;
  logic [127:0] product, sum_q;

  assign in_ready_o = 1'b1;
  assign digest_o   = sum_q;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int Low = (Lanes - 1 - l) * 128;
    assign first_d[l]      = in_count_i == CountWidth'(Lanes - l);
    assign sums[Low+:128] = blocks_q[Low+:128] ^ (first_q[l] && !fresh_q ? sum_q : 128'b0);
  end

  gf128_fixed u_multiplier (
      .a_i(sums),
      .c_o(product)
  );

  always_ff @(posedge clk) begin
    if (in_valid_i) begin
      blocks_q <= in_data_i >> {CountWidth'(Lanes) - in_count_i, 7'b0};
      first_q  <= first_d;
      last_q   <= in_last_i;
    end
    if (valid_q) sum_q <= product;
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      valid_q        <= 1'b0;
      fresh_q        <= 1'b1;
      digest_valid_o <= 1'b0;
    end else begin
      valid_q        <= in_valid_i;
      digest_valid_o <= valid_q && last_q;
      if (valid_q) fresh_q <= last_q;
    end
  end

  if (Lanes < 2) begin : gen_bad
    $error("ghash_fixed_lanes: Lanes must be at least 2; ghash_fixed has one");
  end
endmodule
