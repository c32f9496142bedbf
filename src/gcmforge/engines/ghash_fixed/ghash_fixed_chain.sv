// SPDX-License-Identifier: Apache-2.0
// GHASH for one key, a whole message of n = Stages blocks every cycle: a chain of n multipliers by
// H, which is in the logic of gf128_fixed (Crenne 2011, Fig. 4).
//
// Blocks are polynomials: bit i is the coefficient of x^i. Every beat is a message. A shorter one
// has blocks of zeros before its first block, which change nothing. Block s, counted from 0, is
// needed s cycles after the first: it waits here or, with Skewed, comes that late by itself, as in
// the paper.
//
// Latency: digest n cycles after the beat (after its first block). Throughput: a message a cycle.
module ghash_fixed_chain #(
    parameter int Stages = 4,
    parameter bit Skewed = 1'b0,
    localparam int CountWidth = $clog2(Stages + 1)
) (
    input  logic                  clk,
    input  logic                  rst,
    // messages, the first block on top
    input  logic                  in_valid_i,
    output logic                  in_ready_o,
    input  logic [Stages*128-1:0] in_data_i,
    input  logic [CountWidth-1:0] in_count_i,
    input  logic                  in_last_i,
    // one digest a message, in order
    output logic                  digest_valid_o,
    output logic [         127:0] digest_o
);
  logic [Stages-1:0] valid_q;

  assign in_ready_o     = 1'b1;
  assign digest_valid_o = valid_q[Stages-1];

  always_ff @(posedge clk)
    if (rst) valid_q <= '0;
    else valid_q <= Stages'({valid_q, in_valid_i});

  for (genvar s = 0; s < Stages; s++) begin : gen_stage
    logic [127:0] block, sum, product, sum_q;

    assign block = in_data_i[(Stages-1-s)*128+:128];
    if (s == 0) begin : gen_first
      assign sum = block;
    end else if (Skewed) begin : gen_skewed
      assign sum = gen_stage[s-1].sum_q ^ block;
    end else begin : gen_wait
      logic [s*128-1:0] wait_q;  // the newest at the bottom
      if (s == 1) begin : gen_one
        always_ff @(posedge clk) wait_q <= block;
      end else begin : gen_more
        always_ff @(posedge clk) wait_q <= {wait_q[(s-1)*128-1:0], block};
      end
      assign sum = gen_stage[s-1].sum_q ^ wait_q[(s-1)*128+:128];
    end

    gf128_fixed u_multiplier (
        .a_i(sum),
        .c_o(product)
    );
    always_ff @(posedge clk) sum_q <= product;
  end

  assign digest_o = gen_stage[Stages-1].sum_q;

  if (Stages < 1) begin : gen_bad
    $error("ghash_fixed_chain: Stages must be at least 1");
  end

  logic unused;
  assign unused = &{1'b0, in_count_i, in_last_i};
endmodule
