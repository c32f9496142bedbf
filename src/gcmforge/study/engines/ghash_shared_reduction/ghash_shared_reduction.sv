// SPDX-License-Identifier: Apache-2.0
// GHASH of q = Lanes blocks a beat in p = Stages stages, all products under one reduction
// (Abdellatif et al. 2012, equation (6), Fig. 6 and Table I).
// Blocks are polynomials: bit i is the coefficient of x^i.
//
// There is no multiplier for the running sum: the sum Q of a beat comes out p beats later and is
// added to the first block of that beat, to be multiplied together with it. So a block's power is
// the number of blocks from it up to that block of p beats later, which full beats make H^(qp) to
// H^(q(p-1)+1), or up to the end of the message: each lane chooses among the powers H to H^(qp).
// The sums of a message's last p beats have nothing to be added to; they add up to the digest.
//
// To choose the power the next p - 1 beats must be known, so up to p beats wait here. The paper
// takes whole beats only; here a beat of m < q blocks stands in the last lanes, and the sum is
// added in the first of them.
//
// Latency: counted from its first operands, a message of n blocks in full beats has its digest
// after n/q + p cycles (q divides n). A beat is sent to the multipliers, one a cycle, from the
// cycle after the one in which p - 1 beats more of its message or the message's last one came in;
// the digest comes p + 1 cycles after the last beat was sent, so at most 2p + 1 after it came in.
// Throughput: one beat a cycle, messages of any length one after another. Loading a subkey takes qp
// - 1 cycles from them, p + 2 apart, and is done (qp - 1)(p + 2) + 2 cycles after the subkey.
module ghash_shared_reduction #(
    parameter int Lanes = 1,
    parameter int Stages = 1,  // the gf128_dot in the folder has as many
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
  localparam int Powers = Lanes * Stages;
  localparam int ExpWidth = $clog2(Powers + 1);
  localparam int TableDepth = Contexts * Powers;
  localparam int TableWidth = TableDepth > 1 ? $clog2(TableDepth) : 1;
  localparam int TurnWidth = Stages > 1 ? $clog2(Stages) : 1;
  localparam int FillWidth = $clog2(Stages + 1);
  localparam logic [TurnWidth-1:0] LAST_TURN = TurnWidth'(Stages - 1);
  localparam logic [FillWidth-1:0] FULL = FillWidth'(Stages);

  typedef struct packed {
    logic                    last;
    logic [ContextWidth-1:0] context_id;
    logic [CountWidth-1:0]   count;
    logic [Lanes*128-1:0]    data;
  } beat_t;

  // ---- the beats that wait, the oldest in place 0
  beat_t new_beat, head;
  logic [FillWidth-1:0] fill_q, fill_left;
  logic [Stages*CountWidth-1:0] counts;
  logic [Stages-1:0] lasts;
  logic beat, send, ended, power_turn;
  logic [ExpWidth-1:0] behind;  // blocks of the oldest beat's message in the places behind it

  assign in_ready_o = !power_turn;  // a place is free, or becomes free in this cycle
  assign beat       = in_valid_i && !power_turn;
  assign fill_left  = fill_q - FillWidth'(send);
  assign new_beat   = {
    in_last_i, in_context_i, in_count_i, in_data_i >> {CountWidth'(Lanes) - in_count_i, 7'b0}
  };

  always_ff @(posedge clk)
    if (rst) fill_q <= '0;
    else fill_q <= fill_left + FillWidth'(beat);

  for (genvar i = 0; i < Stages; i++) begin : gen_place
    beat_t beat_q;

    assign counts[i*CountWidth+:CountWidth] = beat_q.count;
    assign lasts[i] = beat_q.last;

    if (i < Stages - 1) begin : gen_shift
      always_ff @(posedge clk)
        if (beat && fill_left == FillWidth'(i)) beat_q <= new_beat;
        else if (send) beat_q <= gen_place[i+1].beat_q;
    end else begin : gen_end
      always_ff @(posedge clk) if (beat && fill_left == FillWidth'(i)) beat_q <= new_beat;
    end
  end
  assign head = gen_place[0].beat_q;

  always_comb begin
    behind = '0;
    ended  = lasts[0];
    for (int i = 1; i < Stages; i++) begin
      if (!ended && FillWidth'(i) < fill_q) begin
        behind = behind + ExpWidth'(counts[i*CountWidth+:CountWidth]);
        ended  = lasts[i];
      end
    end
  end
  assign send = !power_turn && fill_q != '0 && (ended || fill_q == FULL);

  // ---- powers of H: made one after another on the multiplier of lane 0, in stolen cycles
  typedef enum logic [1:0] {
    POWER_IDLE,
    POWER_TURN,
    POWER_WAIT
  } power_state_t;
  power_state_t power_state_q;
  logic [ExpWidth-1:0] power_exp_q;  // of the newest power
  logic [ContextWidth-1:0] power_context_q;
  logic [127:0] power_q, base_q, dot;
  logic power_product, store_power_q;
  logic [127:0] table_q[0:TableDepth-1];

  assign power_turn    = power_state_q == POWER_TURN;
  assign subkey_done_o = power_state_q == POWER_IDLE;

  always_ff @(posedge clk) begin
    if (rst) begin
      power_state_q <= POWER_IDLE;
      store_power_q <= 1'b0;
    end else begin
      store_power_q <= subkey_valid_i || power_product;
      if (subkey_valid_i || power_turn) power_state_q <= POWER_WAIT;
      else if (store_power_q)
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
      power_q     <= dot;
      power_exp_q <= power_exp_q + ExpWidth'(1);
    end
  end

  always_ff @(posedge clk)
    if (store_power_q)
      table_q[TableWidth'(power_context_q) * TableWidth'(Powers) + TableWidth'(power_exp_q)
              - TableWidth'(1)] <= power_q;

  // ---- the operands: the beat with a power for each lane, and the sum of p beats ago
  logic [FillWidth-1:0] age_q;  // beats of the oldest beat's message that were sent, up to p
  logic sent_q, power_turn_q, with_sum_q, final_q, last_q;
  logic [CountWidth-1:0] first_q;
  logic [Lanes*128-1:0] data_q, operands, factors;
  logic [127:0] sums_q[0:Stages-1];
  logic [127:0] sum;
  logic [TurnWidth-1:0] read_turn_q, write_turn_q;
  logic [TableWidth-1:0] head_base;

  assign head_base = TableWidth'(head.context_id) * TableWidth'(Powers) + TableWidth'(behind);
  assign sum       = with_sum_q ? sums_q[read_turn_q] : '0;

  always_ff @(posedge clk) begin
    if (rst) begin
      sent_q       <= 1'b0;
      power_turn_q <= 1'b0;
      age_q        <= '0;
      read_turn_q  <= '0;
    end else begin
      sent_q       <= send;
      power_turn_q <= power_turn;
      if (send) age_q <= head.last ? '0 : age_q == FULL ? FULL : age_q + FillWidth'(1);
      if (sent_q) read_turn_q <= read_turn_q == LAST_TURN ? '0 : read_turn_q + TurnWidth'(1);
    end
  end

  always_ff @(posedge clk) begin
    if (power_turn) data_q <= (Lanes * 128)'(power_q) << ((Lanes - 1) * 128);
    else if (send) data_q <= head.data;
    first_q    <= CountWidth'(Lanes) - head.count;
    with_sum_q <= send && age_q == FULL;
    final_q    <= ended;
    last_q     <= head.last;
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int Low = (Lanes - 1 - l) * 128;
    logic [127:0] lane_power_q;

    always_ff @(posedge clk)
      if (send) lane_power_q <= table_q[head_base + TableWidth'(Lanes - 1 - l)];

    assign operands[Low+:128] = data_q[Low+:128] ^ (first_q == CountWidth'(l) ? sum : '0);
    assign factors[Low+:128]  = l == 0 && power_turn_q ? base_q : lane_power_q;
  end

  gf128_dot u_dot (
      .clk(clk),
      .a_i(operands),
      .b_i(factors),
      .c_o(dot)
  );

  // What the dot product is for, as late as it is.
  logic [3:0] kind, kind_late;
  assign kind = {sent_q, sent_q && final_q, last_q, power_turn_q};
  if (Stages == 1) begin : gen_prompt
    assign kind_late = kind;
  end else begin : gen_late
    logic [(Stages-1)*4-1:0] kind_q;
    always_ff @(posedge clk)
      if (rst) kind_q <= '0;
      else kind_q <= ((Stages - 1) * 4)'({kind_q, kind});
    assign kind_late = kind_q[(Stages-2)*4+:4];
  end

  logic late_sent, late_final, late_last;
  assign {late_sent, late_final, late_last, power_product} = kind_late;

  // ---- the sums, and the digest of a message whose last sums they are
  logic fresh_q, digest_valid_q;
  logic [127:0] digest_q;

  always_ff @(posedge clk) begin
    if (late_sent) sums_q[write_turn_q] <= dot;
    if (late_final) digest_q <= dot ^ (fresh_q ? 128'b0 : digest_q);
  end
  always_ff @(posedge clk) begin
    if (rst) begin
      write_turn_q   <= '0;
      fresh_q        <= 1'b1;
      digest_valid_q <= 1'b0;
    end else begin
      if (late_sent) write_turn_q <= write_turn_q == LAST_TURN ? '0 : write_turn_q + TurnWidth'(1);
      digest_valid_q <= late_final && late_last;
      if (late_final) fresh_q <= late_last;
    end
  end

  assign digest_valid_o = digest_valid_q;
  assign digest_o       = digest_q;

  if (Lanes < 1 || Stages < 1) begin : gen_bad
    $error("ghash_shared_reduction: Lanes and Stages must be at least 1");
  end
endmodule
