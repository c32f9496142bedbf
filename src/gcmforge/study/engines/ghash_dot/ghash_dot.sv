// SPDX-License-Identifier: Apache-2.0
// GHASH of q = Lanes blocks a beat with one product a lane and one for the running sum
// (Satoh 2007, equation (7) and Fig. 3), its multipliers cut into p = Stages stages.
//
// Blocks are polynomials: bit i is the coefficient of x^i. A beat of m < q blocks is shifted to the
// last lanes, so that lane l always multiplies by H^(q-l): its dot product D needs no correction.
//
// ghash_sums adds up the dot products of a message and makes the powers.
//
// Latency: digest 2p + 2 cycles after the last beat, a cycle more for each cycle that a key's
// powers take. Throughput: one beat a cycle. Loading a subkey takes qp - 1 of those cycles, p + 3
// apart, and is done (qp - 1)(p + 3) + 2 cycles after the subkey.
module ghash_dot #(
    parameter int Lanes = 1,
    parameter int Stages = 1,  // the gf128_mul in the folder has as many
    parameter int Contexts = 1,
    localparam int CountWidth = $clog2(Lanes + 1),
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                    clk,
    input  logic                    rst,
    // messages, up to Lanes blocks a beat, the first blocks on top
    input  logic                    in_valid_i,
    output logic                    in_ready_o,
    input  logic [   Lanes*128-1:0] in_data_i,
    input  logic [  CountWidth-1:0] in_count_i,        // 1 to Lanes
    input  logic                    in_last_i,
    input  logic [ContextWidth-1:0] in_context_i,
    // one digest a message, in order
    output logic                    digest_valid_o,
    output logic [           127:0] digest_o,
    // the hash subkey of a context; never replaced while the context is in use
    input  logic                    subkey_valid_i,
    input  logic [ContextWidth-1:0] subkey_context_i,
    input  logic [           127:0] subkey_i,
    output logic                    subkey_done_o      // its powers are in place
);
  localparam int ExpWidth = $clog2(Lanes * Stages + 1);

  logic power_valid, beat;
  logic [ExpWidth-1:0] power_exp;
  logic [ContextWidth-1:0] power_context;
  logic [127:0] power, dot, dot_q;

  ghash_sums #(
      .Lanes   (Lanes),
      .Stages  (Stages),
      .Contexts(Contexts)
  ) u_sums (
      .clk             (clk),
      .rst             (rst),
      .in_valid_i      (in_valid_i),
      .in_ready_o      (in_ready_o),
      .in_count_i      (in_count_i),
      .in_last_i       (in_last_i),
      .in_context_i    (in_context_i),
      .dot_i           (dot_q),
      .digest_valid_o  (digest_valid_o),
      .digest_o        (digest_o),
      .subkey_valid_i  (subkey_valid_i),
      .subkey_context_i(subkey_context_i),
      .subkey_i        (subkey_i),
      .subkey_done_o   (subkey_done_o),
      .power_valid_o   (power_valid),
      .power_exp_o     (power_exp),
      .power_context_o (power_context),
      .power_o         (power)
  );

  // ---- the beat at its lanes, the first block of a short one not in the first lane
  logic [Lanes*128-1:0] beat_data_q;

  assign beat = in_valid_i && in_ready_o;

  always_ff @(posedge clk)
    if (beat) beat_data_q <= in_data_i >> {CountWidth'(Lanes) - in_count_i, 7'b0};

  // ---- dot product of the beat: Stages cycles, then its register
  logic [Lanes*128-1:0] lane_product;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int Exponent = Lanes - l;
    logic [127:0] lane_power;

    gcm_ram #(
        .Width(128),
        .Depth(Contexts)
    ) u_power (
        .clk         (clk),
        .write_i     (power_valid && power_exp == ExpWidth'(Exponent)),
        .write_addr_i(power_context),
        .write_data_i(power),
        .read_i      (beat),
        .read_addr_i (in_context_i),
        .read_data_o (lane_power)
    );
    gf128_mul u_multiplier (
        .clk(clk),
        .a_i(beat_data_q[(Lanes-1-l)*128+:128]),
        .b_i(lane_power),
        .c_o(lane_product[l*128+:128])
    );
  end

  always_comb begin
    dot = '0;
    for (int l = 0; l < Lanes; l++) dot = dot ^ lane_product[l*128+:128];
  end
  always_ff @(posedge clk) dot_q <= dot;
endmodule
