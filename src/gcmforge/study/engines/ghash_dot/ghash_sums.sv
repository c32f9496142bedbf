// SPDX-License-Identifier: Apache-2.0
// The running sums of a GHASH whose lanes have fixed powers of H (ghash_dot, ghash_evaluated), and
// the powers themselves; its multiplier is cut into p = Stages stages.
//
// With p stages there are p running sums, taken in turn: S[s] = D[s] + S[s-p] * H^e, where D[s] is
// the sum of the products of beat s, and e counts the blocks that came after beat s-p in the same
// message. When a message has ended, each of its last p sums passes the multiplier once more with
// what is left of e, and these products add up to the digest. That happens in the turns of the
// beats that follow, which have no sum of their own message to multiply yet: messages of any length
// follow one another without a gap.
//
// Latency: digest 2p + 2 cycles after the last beat, a cycle more for each cycle that a key's
// powers take. Throughput: one beat a cycle. Loading a subkey takes qp - 1 of those cycles, p + 3
// apart, and is done (qp - 1)(p + 3) + 2 cycles after the subkey.
module ghash_sums #(
    parameter int Lanes = 1,
    parameter int Stages = 1,  // the gf128_mul in the folder has as many
    parameter int Contexts = 1,
    localparam int CountWidth = $clog2(Lanes + 1),
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1,
    localparam int Powers = Lanes * Stages,
    localparam int ExpWidth = $clog2(Powers + 1)
) (
    input  logic                    clk,
    input  logic                    rst,
    // beats, of up to Lanes blocks; what the lanes make of one comes Stages + 1 cycles after it
    input  logic                    in_valid_i,
    output logic                    in_ready_o,
    input  logic [  CountWidth-1:0] in_count_i,        // 1 to Lanes
    input  logic                    in_last_i,
    input  logic [ContextWidth-1:0] in_context_i,
    input  logic [           127:0] dot_i,
    // one digest a message, in order
    output logic                    digest_valid_o,
    output logic [           127:0] digest_o,
    // the hash subkey of a context; never replaced while the context is in use
    input  logic                    subkey_valid_i,
    input  logic [ContextWidth-1:0] subkey_context_i,
    input  logic [           127:0] subkey_i,
    output logic                    subkey_done_o,     // its powers are in place
    // each power as it is made, and kept here until the next one is
    output logic                    power_valid_o,
    output logic [    ExpWidth-1:0] power_exp_o,
    output logic [ContextWidth-1:0] power_context_o,
    output logic [           127:0] power_o
);
  localparam int TableDepth = Contexts * Powers;
  localparam int TableWidth = TableDepth > 1 ? $clog2(TableDepth) : 1;
  localparam int TurnWidth = Stages > 1 ? $clog2(Stages) : 1;

  // ---- turns: the p sums in flight, the oldest first; the oldest is what the next turn multiplies
  logic [Stages-1:0] sum_valid_q, sum_ended_q, sum_last_q;
  logic [Stages-1:0] sum_ended_d;
  logic [Stages*ExpWidth-1:0] sum_exp_q, sum_exp_d;
  logic [Stages*ContextWidth-1:0] sum_context_q;
  logic beat, flush, turn, power_turn;

  assign in_ready_o = !power_turn;
  assign beat       = in_valid_i && !power_turn;
  assign flush      = !beat && !power_turn && (|(sum_valid_q & sum_ended_q));
  assign turn       = beat || flush;

  always_comb begin
    sum_ended_d = sum_ended_q;
    sum_exp_d   = sum_exp_q;
    for (int i = 0; i < Stages; i++) begin
      if (beat && !sum_ended_q[i]) begin
        sum_exp_d[i*ExpWidth+:ExpWidth] = sum_exp_q[i*ExpWidth+:ExpWidth] + ExpWidth'(in_count_i);
        sum_ended_d[i] = in_last_i;
      end
    end
  end

  logic unused;  // the oldest sum leaves: whether it ends now is nobody's concern
  assign unused = &{1'b0, sum_ended_d[0]};

  // Shifted by one place at each turn; the turn's own beat joins at the end.
  if (Stages > 1) begin : gen_turns
    always_ff @(posedge clk) begin
      if (rst) sum_valid_q <= '0;
      else if (turn) sum_valid_q <= {beat, sum_valid_q[Stages-1:1]};
      if (turn) begin
        sum_ended_q   <= {beat && in_last_i, sum_ended_d[Stages-1:1]};
        sum_last_q    <= {beat && in_last_i, sum_last_q[Stages-1:1]};
        sum_exp_q     <= {{ExpWidth{1'b0}}, sum_exp_d[Stages*ExpWidth-1:ExpWidth]};
        sum_context_q <= {in_context_i, sum_context_q[Stages*ContextWidth-1:ContextWidth]};
      end
    end
  end else begin : gen_turn
    always_ff @(posedge clk) begin
      if (rst) sum_valid_q <= '0;
      else if (turn) sum_valid_q <= beat;
      if (turn) begin
        sum_ended_q   <= beat && in_last_i;
        sum_last_q    <= beat && in_last_i;
        sum_exp_q     <= '0;
        sum_context_q <= in_context_i;
      end
    end
  end

  // ---- powers of H: made one after another on the multiplier of the sums, in stolen turns
  typedef enum logic [1:0] {
    POWER_IDLE,
    POWER_TURN,
    POWER_WAIT
  } power_state_t;
  power_state_t power_state_q;
  logic [ExpWidth-1:0] power_exp_q;  // of the newest power
  logic [ContextWidth-1:0] power_context_q;
  logic [127:0] power_q, base_q, product;
  logic power_product, store_power;

  assign power_turn      = power_state_q == POWER_TURN;
  assign subkey_done_o   = power_state_q == POWER_IDLE;
  assign power_valid_o   = store_power;
  assign power_exp_o     = power_exp_q;
  assign power_context_o = power_context_q;
  assign power_o         = power_q;

  always_ff @(posedge clk) begin
    if (rst) begin
      power_state_q <= POWER_IDLE;
      store_power   <= 1'b0;
    end else begin
      store_power <= subkey_valid_i || power_product;
      if (subkey_valid_i) power_state_q <= POWER_WAIT;
      else if (power_state_q == POWER_TURN) power_state_q <= POWER_WAIT;
      else if (store_power)
        power_state_q <= power_exp_q == ExpWidth'(Powers) ? POWER_IDLE : POWER_TURN;
    end
  end

  always_ff @(posedge clk) begin
    if (subkey_valid_i) begin
      base_q          <= subkey_i;
      power_q         <= subkey_i;
      power_exp_q     <= ExpWidth'(1);
      power_context_q <= subkey_context_i;
    end else if (power_product) begin
      power_q     <= product;
      power_exp_q <= power_exp_q + ExpWidth'(1);
    end
  end

  // ---- first cycle: the power for the oldest sum
  logic beat_q, sum_turn_q, finish_q, finish_last_q, power_turn_q, whole_q;
  logic [ExpWidth-1:0] exp_q;
  logic [ContextWidth-1:0] exp_context_q;

  always_ff @(posedge clk) begin
    exp_q         <= sum_exp_d[ExpWidth-1:0];
    exp_context_q <= sum_context_q[ContextWidth-1:0];
    finish_q      <= sum_ended_q[0];
    finish_last_q <= sum_last_q[0];
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      beat_q       <= 1'b0;
      sum_turn_q   <= 1'b0;
      power_turn_q <= 1'b0;
    end else begin
      beat_q       <= beat;
      sum_turn_q   <= turn && sum_valid_q[0];
      power_turn_q <= power_turn;
    end
  end

  // ---- second cycle: the oldest sum times its power
  logic beat_qq, sum_turn_qq, finish_qq, finish_last_qq, power_turn_qq, turn_qq;
  logic [127:0] sum_operand, sum_factor, table_power;
  logic [127:0] sums_q[0:Stages-1];
  logic [TurnWidth-1:0] read_turn_q, write_turn_q;
  localparam logic [TurnWidth-1:0] LAST_TURN = TurnWidth'(Stages - 1);

  gcm_ram #(
      .Width(128),
      .Depth(TableDepth)
  ) u_powers (
      .clk(clk),
      .write_i(store_power),
      .write_addr_i(TableWidth'(power_context_q) * TableWidth'(Powers) + TableWidth'(power_exp_q)
                    - TableWidth'(1)),
      .write_data_i(power_q),
      .read_i(sum_turn_q),
      .read_addr_i(TableWidth'(exp_context_q) * TableWidth'(Powers) + TableWidth'(exp_q)
                   - TableWidth'(1)),
      .read_data_o(table_power)
  );

  logic turn_q;
  always_ff @(posedge clk) begin
    whole_q        <= exp_q == '0;
    finish_qq      <= finish_q;
    finish_last_qq <= finish_last_q;
  end
  always_ff @(posedge clk) begin
    if (rst) begin
      turn_q        <= 1'b0;
      turn_qq       <= 1'b0;
      beat_qq       <= 1'b0;
      sum_turn_qq   <= 1'b0;
      power_turn_qq <= 1'b0;
      read_turn_q   <= '0;
    end else begin
      turn_q        <= turn;
      turn_qq       <= turn_q;
      beat_qq       <= beat_q;
      sum_turn_qq   <= sum_turn_q;
      power_turn_qq <= power_turn_q;
      if (turn_qq) read_turn_q <= read_turn_q == LAST_TURN ? '0 : read_turn_q + TurnWidth'(1);
    end
  end

  assign sum_operand = power_turn_qq ? power_q : sums_q[read_turn_q];
  assign sum_factor  = power_turn_qq ? base_q : whole_q ? 128'b1 : table_power;

  gf128_mul u_multiplier (
      .clk(clk),
      .a_i(sum_operand),
      .b_i(sum_factor),
      .c_o(product)
  );

  // What the product is for, as late as the product.
  logic [5:0] kind, kind_late;  // turn, beat, sum, finish, last, power
  assign kind = {turn_qq, beat_qq, sum_turn_qq, finish_qq, finish_last_qq, power_turn_qq};
  if (Stages == 1) begin : gen_prompt
    assign kind_late = kind;
  end else begin : gen_late
    logic [(Stages-1)*6-1:0] kind_q;
    if (Stages == 2) begin : gen_one
      always_ff @(posedge clk)
        if (rst) kind_q <= '0;
        else kind_q <= kind;
    end else begin : gen_more
      always_ff @(posedge clk)
        if (rst) kind_q <= '0;
        else kind_q <= {kind_q[(Stages-2)*6-1:0], kind};
    end
    assign kind_late = kind_q[(Stages-2)*6+:6];
  end

  logic late_turn, late_beat, late_sum, late_finish, late_last;
  assign {late_turn, late_beat, late_sum, late_finish, late_last, power_product} = kind_late;

  // ---- the new sum, and the digest of a message that has ended
  logic [127:0] sum_d, digest_q;
  logic fresh_q, digest_valid_q;

  assign sum_d = (late_beat ? dot_i : 128'b0) ^ (late_sum && !late_finish ? product : 128'b0);

  always_ff @(posedge clk) begin
    if (late_turn) sums_q[write_turn_q] <= sum_d;
    if (late_sum && late_finish) digest_q <= product ^ (fresh_q ? 128'b0 : digest_q);
  end
  always_ff @(posedge clk) begin
    if (rst) begin
      write_turn_q   <= '0;
      fresh_q        <= 1'b1;
      digest_valid_q <= 1'b0;
    end else begin
      if (late_turn) write_turn_q <= write_turn_q == LAST_TURN ? '0 : write_turn_q + TurnWidth'(1);
      digest_valid_q <= late_sum && late_finish && late_last;
      if (late_sum && late_finish) fresh_q <= late_last;
    end
  end

  assign digest_valid_o = digest_valid_q;
  assign digest_o       = digest_q;

  if (Lanes < 1 || Stages < 1) begin : gen_bad
    $error("ghash_sums: Lanes and Stages must be at least 1");
  end
endmodule
