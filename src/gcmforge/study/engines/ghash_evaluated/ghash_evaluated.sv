// SPDX-License-Identifier: Apache-2.0
// GHASH of q = Lanes blocks a beat on one sum of q products of p = Stages stages, its lanes' powers
// of H kept in evaluated form: the sums of a key's bits that the products take are made once a key,
// as its powers are made, and no lane has them. One multiplier more takes the running sums.
//
// Blocks are polynomials: bit i is the coefficient of x^i. As in ghash_dot a beat of m < q blocks
// is shifted to the last lanes, so that lane l always multiplies by H^(q-l), and ghash_sums adds up
// the sums of products of a message and makes the powers.
//
// Latency: digest 2p + 2 cycles after the last beat, a cycle more for each cycle that a key's
// powers take. Throughput: one beat a cycle. Loading a subkey takes qp - 1 of those cycles, p + 3
// apart, and is done (qp - 1)(p + 3) + 2 cycles after the subkey.
module ghash_evaluated #(
    parameter int Lanes = 1,
    parameter int Stages = 1,  // the leaves gf128_* in the folder have as many
    parameter int KeyBits = 128,  // of an evaluated power, as gf128_key gives it
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

  // ---- keys: H^(q-l) of lane l, evaluated on its way to the memory
  logic [Stages-1:0] store_q;  // what the stages of the evaluation hold, the newest in the low bits
  logic [KeyBits-1:0] evaluated;
  logic [Lanes*KeyBits-1:0] keys;
  logic store;

  gf128_key u_key (
      .clk(clk),
      .a_i(power),
      .k_o(evaluated)
  );

  // A power and its number stand until the next one is made, longer than the evaluation takes.
  always_ff @(posedge clk)
    if (rst) store_q <= '0;
    else store_q <= Stages'({store_q, power_valid});

  if (Stages == 1) begin : gen_prompt
    assign store = power_valid;
  end else begin : gen_late
    assign store = store_q[Stages-2];
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int Exponent = Lanes - l;

    gcm_ram #(
        .Width(KeyBits),
        .Depth(Contexts)
    ) u_key (
        .clk         (clk),
        .write_i     (store && power_exp == ExpWidth'(Exponent)),
        .write_addr_i(power_context),
        .write_data_i(evaluated),
        .read_i      (beat),
        .read_addr_i (in_context_i),
        .read_data_o (keys[(Lanes-1-l)*KeyBits+:KeyBits])
    );
  end

  // ---- dot product of the beat: Stages cycles, then its register
  gf128_dot_stored u_dot (
      .clk(clk),
      .a_i(beat_data_q),
      .k_i(keys),
      .c_o(dot)
  );

  logic unused;  // the last of the stages stores in the cycle before
  assign unused = &{1'b0, store_q[Stages-1]};

  always_ff @(posedge clk) dot_q <= dot;
endmodule
