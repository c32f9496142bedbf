// SPDX-License-Identifier: Apache-2.0
// GHASH of q = Lanes blocks a beat on one sum of q products of p = Stages stages, and no other
// multiplier: p sums go round through it, in a long message with H^(qp).
//
// Blocks are polynomials: bit i is the coefficient of x^i. Every cycle is a turn, whether a beat
// comes in it or not. A beat of m <= q blocks is shifted to the last lanes and waits for p - 1
// turns, in which W more blocks of its message may come; then lane l multiplies by H^(q-l+W).
// What the turn p before gave for the same message is added to the first block of the beat before
// that block is multiplied, and so gets its factor H^(m+W). When a message has no beat in a turn,
// the sum waits in the accumulator for the next one. What the last p turns of a message gave needs
// no factor: it adds up to the digest in the same accumulator, while the next message begins.
//
// A power of H is the digest of a message that is the power before: a turn of its own makes it.
//
// Latency: digest 2p cycles after the last beat. Throughput: one beat a cycle. Loading a subkey takes
// qp - 1 of those cycles, 2p + 1 apart, and is done (qp - 1)(2p + 1) + 2 cycles after the subkey.
module ghash_aggregated #(
    parameter int Lanes = 1,
    parameter int Stages = 1,  // the gf128_dot in the folder has as many, and as many lanes
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
  localparam int Width = Lanes * 128;
  localparam int Powers = Lanes * Stages;
  localparam int ExpWidth = $clog2(Powers + 1);

  // ---- powers of H: made one after another, each in a stolen turn
  typedef enum logic [1:0] {
    POWER_IDLE,
    POWER_TURN,
    POWER_WAIT
  } power_state_t;
  power_state_t power_state_q;
  logic [ExpWidth-1:0] power_exp_q;  // of the newest power
  logic [ContextWidth-1:0] power_context_q;
  logic [127:0] power_q, product;
  logic power_turn, power_product, store_power;

  assign power_turn    = power_state_q == POWER_TURN;
  assign subkey_done_o = power_state_q == POWER_IDLE;

  always_ff @(posedge clk) begin
    if (rst) begin
      power_state_q <= POWER_IDLE;
      store_power   <= 1'b0;
    end else begin
      store_power <= subkey_valid_i || power_product;
      if (subkey_valid_i) power_state_q <= POWER_WAIT;
      else if (power_turn) power_state_q <= POWER_WAIT;
      else if (store_power)
        power_state_q <= power_exp_q == ExpWidth'(Powers) ? POWER_IDLE : POWER_TURN;
    end
  end

  always_ff @(posedge clk) begin
    if (subkey_valid_i) begin
      power_q         <= subkey_i;
      power_exp_q     <= ExpWidth'(1);
      power_context_q <= subkey_context_i;
    end else if (power_product) begin
      power_q     <= product;
      power_exp_q <= power_exp_q + ExpWidth'(1);
    end
  end

  // ---- the turn that comes: a beat at its lanes, or the newest power in the last lane
  logic beat, ends;
  logic [CountWidth-1:0] places;  // free lanes in front
  logic [ContextWidth-1:0] context_id;
  logic [Width-1:0] data;

  assign in_ready_o = !power_turn;
  assign beat       = in_valid_i && !power_turn;
  assign ends       = beat && in_last_i;
  assign places     = CountWidth'(Lanes) - (power_turn ? '0 : in_count_i);
  assign context_id = power_turn ? power_context_q : in_context_i;
  assign data       = (in_data_i >> {places, 7'b0}) | Width'(power_turn ? power_q : 128'b0);

  // ---- the turn that goes into the multiplier, p - 1 cycles later, and its factors
  logic next_beat, next_last, next_power;
  logic [CountWidth-1:0] next_count;
  logic [Width-1:0] next_data, factor;

  if (Stages == 1) begin : gen_direct
    assign next_beat  = beat;
    assign next_last  = ends;
    assign next_power = power_turn;
    assign next_count = in_count_i;
    assign next_data  = data;

    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      gcm_ram #(
          .Width(128),
          .Depth(Contexts)
      ) u_power (
          .clk         (clk),
          .write_i     (store_power && power_exp_q == ExpWidth'(Lanes - l)),
          .write_addr_i(power_context_q),
          .write_data_i(power_q),
          .read_i      (beat || power_turn),
          .read_addr_i (context_id),
          .read_data_o (factor[(Lanes-1-l)*128+:128])
      );
    end
  end else begin : gen_line
    localparam int Line = Stages - 1;
    localparam int AheadWidth = $clog2(Lanes * Line + 1);

    // Turns that wait, the newest in the low bits; `ahead` counts the blocks that came after a
    // beat in its message, until the message has ended.
    logic [Line-1:0] beat_q, last_q, power_turn_q, ended_q, ended_d;
    logic [Line*CountWidth-1:0] count_q;
    logic [Line*ContextWidth-1:0] context_q;
    logic [Line*Width-1:0] data_q;
    logic [Line*AheadWidth-1:0] ahead_q, ahead_d;
    logic [CountWidth-1:0] count;
    logic [AheadWidth-1:0] ahead;
    logic [ContextWidth-1:0] next_context;

    assign count = beat ? in_count_i : '0;

    always_comb begin
      for (int i = 0; i < Line; i++) begin
        ended_d[i] = ended_q[i] || ends;
        ahead_d[i*AheadWidth+:AheadWidth] = ahead_q[i*AheadWidth+:AheadWidth]
            + AheadWidth'(ended_q[i] ? '0 : count);
      end
    end

    always_ff @(posedge clk) begin
      if (rst) begin
        beat_q       <= '0;
        power_turn_q <= '0;
      end else begin
        beat_q       <= Line'({beat_q, beat});
        power_turn_q <= Line'({power_turn_q, power_turn});
      end
      last_q    <= Line'({last_q, ends});
      ended_q   <= Line'({ended_d, ends || power_turn});
      ahead_q   <= ahead_d << AheadWidth;
      count_q   <= (Line * CountWidth)'({count_q, count});
      context_q <= (Line * ContextWidth)'({context_q, context_id});
      data_q    <= (Line * Width)'({data_q, data});
    end

    assign next_beat    = beat_q[Line-1];
    assign next_last    = next_beat && last_q[Line-1];
    assign next_power   = power_turn_q[Line-1];
    assign next_count   = count_q[(Line-1)*CountWidth+:CountWidth];
    assign next_context = context_q[(Line-1)*ContextWidth+:ContextWidth];
    assign next_data    = data_q[(Line-1)*Width+:Width];
    assign ahead        = ahead_d[(Line-1)*AheadWidth+:AheadWidth];

    // All powers of the context, H^1 in the low bits, moved down by `ahead` places, the widest
    // move first: what is left are H^(q+W) to H^(1+W), one a lane.
    localparam int TableWords = Lanes + 2 ** AheadWidth - 1;
    logic [TableWords*128-1:0] powers;

    for (genvar e = 0; e < TableWords; e++) begin : gen_power
      if (e < Powers) begin : gen_word
        gcm_ram #(
            .Width       (128),
            .Depth       (Contexts),
            .ReadRegister(1'b0)
        ) u_power (
            .clk         (clk),
            .write_i     (store_power && power_exp_q == ExpWidth'(e + 1)),
            .write_addr_i(power_context_q),
            .write_data_i(power_q),
            .read_i      (1'b1),
            .read_addr_i (next_context),
            .read_data_o (powers[e*128+:128])
        );
      end else begin : gen_none
        assign powers[e*128+:128] = '0;
      end
    end

    for (genvar k = 0; k < AheadWidth; k++) begin : gen_move
      localparam int Step = 2 ** (AheadWidth - 1 - k);
      localparam int Words = Lanes + Step - 1;  // as many are still of use
      logic [(Words+Step)*128-1:0] from;
      logic [Words*128-1:0] moved;
      if (k == 0) begin : gen_first
        assign from = powers;
      end else begin : gen_next
        assign from = gen_move[k-1].moved;
      end
      assign moved = ahead[AheadWidth-1-k] ? from[Step*128+:Words*128] : from[0+:Words*128];
    end

    always_ff @(posedge clk) factor <= gen_move[AheadWidth-1].moved;
  end

  // ---- the turns in the multiplier, the newest in the low bits
  logic [Stages-1:0] turn_beat_q, turn_last_q, turn_power_q;
  logic late_beat, late_last;

  always_ff @(posedge clk) begin
    if (rst) begin
      turn_beat_q  <= '0;
      turn_last_q  <= '0;
      turn_power_q <= '0;
    end else begin
      turn_beat_q  <= Stages'({turn_beat_q, next_beat});
      turn_last_q  <= Stages'({turn_last_q, next_last});
      turn_power_q <= Stages'({turn_power_q, next_power});
    end
  end

  assign late_beat     = turn_beat_q[Stages-1];
  assign late_last     = turn_last_q[Stages-1];
  assign power_product = turn_power_q[Stages-1];

  // ---- sums: into the first block of the message's next beat, or to the accumulator
  logic open, taken, fresh_q, digest_valid_q;
  logic [127:0] sum, accumulator_q;
  logic [Width-1:0] operand_q;

  assign open  = !(|turn_last_q);  // all these turns are of the message of the next beat, if any
  assign taken = next_beat && open;
  assign sum   = (late_beat ? product : 128'b0) ^ (fresh_q ? 128'b0 : accumulator_q);

  for (genvar l = 0; l < Lanes; l++) begin : gen_operand
    logic first;
    assign first = taken && next_count == CountWidth'(Lanes - l);
    always_ff @(posedge clk)
      operand_q[(Lanes-1-l)*128+:128] <=
          next_data[(Lanes-1-l)*128+:128] ^ (first ? sum : 128'b0);
  end

  always_ff @(posedge clk) accumulator_q <= sum;
  always_ff @(posedge clk) begin
    if (rst) begin
      fresh_q        <= 1'b1;
      digest_valid_q <= 1'b0;
    end else begin
      fresh_q        <= taken || late_last;
      digest_valid_q <= late_last;
    end
  end

  gf128_dot u_dot (
      .clk(clk),
      .a_i(operand_q),
      .b_i(factor),
      .c_o(product)
  );

  assign digest_valid_o = digest_valid_q;
  assign digest_o       = accumulator_q;

  if (Lanes < 1 || Stages < 1) begin : gen_bad
    $error("ghash_aggregated: Lanes and Stages must be at least 1");
  end
endmodule
