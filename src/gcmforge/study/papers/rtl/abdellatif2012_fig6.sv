// SPDX-License-Identifier: Apache-2.0
// Abdellatif 2012, Fig. 6, and no more than the paper has: whole beats of four blocks, a beat of a
// message in every cycle, the powers H to H^16 given from outside. A lane chooses among four of
// them. Four products by Karatsuba have one reduction and go through four stages (gf128_dot).
// Blocks are polynomials: bit i is the coefficient of x^i.
//
// The sum Q of a beat is added to the first block of the beat four later. Those of a message's last
// four beats are added up: the tag without E(K, Y0).
// Latency: n/4 + 4 cycles for n blocks, Table I. Throughput: a beat a cycle.
module abdellatif2012_fig6 (
    input  logic         clk,
    input  logic         rst,
    // H^(power_index_i + 1)
    input  logic         power_valid_i,
    input  logic [  3:0] power_index_i,
    input  logic [127:0] power_i,
    // the first block on top
    input  logic         in_valid_i,
    input  logic [511:0] in_data_i,
    input  logic [  2:0] in_left_i,      // beats of the message after this one: 4 for more
    output logic         tag_valid_o,
    output logic [127:0] tag_o
);
  localparam int Lanes = 4;
  localparam int Stages = 4;

  logic [16*128-1:0] powers_q;
  for (genvar p = 0; p < 16; p++) begin : gen_power
    always_ff @(posedge clk)
      if (power_valid_i && power_index_i == 4'(p)) powers_q[128*p+:128] <= power_i;
  end

  // ---- operands: lane l of a beat with r beats after it takes H^(4r + 4 - l), r of up to 3
  logic [511:0] operands, factors;
  logic [127:0] dot, q_q, ends_q;
  logic [1:0] rest;
  logic fed;  // q_q belongs to this beat's first block
  assign rest = in_left_i[2] ? 2'd3 : in_left_i[1:0];
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int Low = (Lanes - 1 - l) * 128;
    assign factors[Low+:128]  = powers_q[128*(4*rest+3-l)+:128];
    assign operands[Low+:128] = in_data_i[Low+:128] ^ (l == 0 && fed ? q_q : 128'b0);
  end

  gf128_dot u_dot (
      .clk(clk),
      .a_i(operands),
      .b_i(factors),
      .c_o(dot)
  );

  // ---- what goes with a beat through the stages: another takes its sum, or it is one of the last
  logic [3*Stages-1:0] kind_q;
  logic goes_on, is_end, is_last;
  always_ff @(posedge clk)
    if (rst) kind_q <= '0;
    else
      kind_q <= {kind_q[3*Stages-4:0], in_valid_i && in_left_i[2], in_valid_i && !in_left_i[2],
                 in_valid_i && in_left_i == '0};
  assign {goes_on, is_end, is_last} = kind_q[3*(Stages-2)+:3];
  assign fed = kind_q[3*Stages-1];

  logic fresh_q;
  always_ff @(posedge clk) begin
    if (goes_on) q_q <= dot;
    if (is_end) ends_q <= dot ^ (fresh_q ? 128'b0 : ends_q);
    if (rst) {tag_valid_o, fresh_q} <= 2'b01;
    else begin
      tag_valid_o <= is_last;
      if (is_end) fresh_q <= is_last;
    end
  end
  assign tag_o = ends_q;
endmodule
