// SPDX-License-Identifier: Apache-2.0
// AES encryption by a few rounds in hardware, through which every block goes several times. The
// rounds stand in a ring with one register a stage, and as many beats are under way as the ring has
// places. A beat enters at the first round and leaves after whichever round is its last. The places
// that it does not need stay empty until its turn ends.
//
// Beats of any contexts and key sizes may be mixed. They leave in order: a beat enters only when it
// will leave after all that entered before it, so that one with a shorter key may wait for as many
// cycles as its cipher is shorter. aes_loop_keys gives the round keys; it is the part that the
// configuration chose, with keys stored for each context or made in the ring with the data.
//
// Latency: R * SubStages + 2 cycles for a key size of R rounds, when nothing is in the way.
// Throughput: Rounds * SubStages beats, one a cycle, in turns of ceil(R / Rounds) * Rounds *
// SubStages cycles: ceil(R / Rounds) cycles a beat.
module aes_loop #(
    parameter int Lanes = 1,
    parameter int Contexts = 1,
    parameter int MinRounds = 10,  // of the smallest key size built
    parameter int MaxRounds = 14,  // of the largest
    parameter int Rounds = 1,      // in hardware
    parameter int SubStages = 1,   // stages a round: the S-boxes in the folder have as many
    // S-boxes are memories, read with a clock: their registers stand for the one in front of a
    // round. What follows a memory, which is slow, is only a register then.
    parameter bit InMemory = 1'b0,
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                    clk,
    input  logic                    rst,
    // counter blocks in
    input  logic                    in_valid_i,
    output logic                    in_ready_o,
    input  logic [ContextWidth-1:0] in_context_i,
    input  logic [             1:0] in_size_i,
    input  logic [   Lanes*128-1:0] in_blocks_i,
    // encrypted blocks out
    output logic                    out_valid_o,
    input  logic                    out_ready_i,
    output logic [   Lanes*128-1:0] out_blocks_o,
    // round keys, or the key in two parts; never written while a block of its context is inside
    input  logic                    key_valid_i,
    input  logic [ContextWidth-1:0] key_context_i,
    input  logic [             1:0] key_size_i,
    input  logic [             3:0] key_round_i,
    input  logic [           127:0] key_data_i
);
  localparam int Places = Rounds * SubStages;
  localparam int PassWidth = $clog2((MaxRounds + Rounds - 1) / Rounds + 1);

  logic advance;  // all places move
  logic enter;    // the waiting beat goes into the ring

  // ---- the next beat waits for its place; round key 0 is added on its way into the ring
  // Its place takes whatever comes, and wait_valid_q says whether that was a beat.
  logic wait_valid_q;
  logic [ContextWidth-1:0] wait_context_q;
  logic [1:0] wait_size_q;
  logic [3:0] wait_rounds;
  logic [Lanes*128-1:0] wait_blocks_q, whitened;
  logic [127:0] first_key;

  assign in_ready_o = !wait_valid_q || enter;
  assign whitened   = wait_blocks_q ^ {Lanes{first_key}};
  assign wait_rounds = 4'd10 + {1'b0, wait_size_q, 1'b0};

  always_ff @(posedge clk)
    if (in_ready_o) begin
      wait_context_q <= in_context_i;
      wait_size_q    <= in_size_i;
      wait_blocks_q  <= in_blocks_i;
    end

  always_ff @(posedge clk)
    if (rst) wait_valid_q <= 1'b0;
    else if (in_ready_o) wait_valid_q <= in_valid_i;

  gcm_ram #(
      .Width(128),
      .Depth(Contexts)
  ) u_first_key (
      .clk         (clk),
      .write_i     (key_valid_i && key_round_i == '0),
      .write_addr_i(key_context_i),
      .write_data_i(key_data_i),
      .read_i      (in_ready_o),
      .read_addr_i (in_context_i),
      .read_data_o (first_key)
  );

  // ---- cycles until the last beat in the ring leaves it
  logic in_order;

  if (MinRounds == MaxRounds || Places == 1) begin : gen_in_order
    assign in_order = 1'b1;
  end else begin : gen_sizes
    localparam int TimeWidth = $clog2(MaxRounds * SubStages + 1);
    logic [TimeWidth-1:0] wait_time, last_time_q;
    assign wait_time = TimeWidth'(wait_rounds) * TimeWidth'(SubStages);
    assign in_order  = wait_time > last_time_q;
    always_ff @(posedge clk)
      if (rst) last_time_q <= '0;
      else if (enter) last_time_q <= wait_time - TimeWidth'(1);
      else if (advance && last_time_q != '0) last_time_q <= last_time_q - TimeWidth'(1);
  end

  // ---- what stands at each place; round r is at stage (r - 1) % Rounds in pass (r - 1) / Rounds
  logic [Places-1:0] valid_q, valid_d;
  logic [Places-1:0][ContextWidth-1:0] context_q, context_d;
  logic [Places-1:0][3:0] left_q, left_d;  // rounds to go, with the one at this place
  logic [Places-1:0][PassWidth-1:0] pass_q, pass_d;
  logic [Rounds-1:0] leaves;
  logic turn_free;

  assign turn_free = !valid_q[Places-1] || leaves[Rounds-1];
  assign enter     = advance && wait_valid_q && turn_free && in_order;

  for (genvar p = 0; p < Places; p++) begin : gen_place
    localparam int Before = p == 0 ? Places - 1 : p - 1;
    localparam bit NewRound = p % SubStages == 0;
    logic stays;

    if (NewRound) begin : gen_new_round
      assign stays = valid_q[Before] && !leaves[Before/SubStages];
    end else begin : gen_same_round
      assign stays = valid_q[Before];
    end
    if (p == 0) begin : gen_entrance
      assign valid_d[p]   = enter || stays;
      assign context_d[p] = turn_free ? wait_context_q : context_q[Before];
      assign left_d[p]    = turn_free ? wait_rounds : left_q[Before] - 4'd1;
      assign pass_d[p]    = turn_free ? '0 : pass_q[Before] + PassWidth'(1);
    end else begin : gen_inside
      assign valid_d[p]   = stays;
      assign context_d[p] = context_q[Before];
      assign left_d[p]    = left_q[Before] - 4'(NewRound);
      assign pass_d[p]    = pass_q[Before];
    end
  end

  always_ff @(posedge clk)
    if (rst) valid_q <= '0;
    else if (advance) valid_q <= valid_d;

  always_ff @(posedge clk)
    if (advance) begin
      context_q <= context_d;
      left_q    <= left_d;
      pass_q    <= pass_d;
    end

  // ---- rounds
  logic [Rounds*ContextWidth-1:0] end_context;  // of the beats that come to the end of each
  logic [Rounds*PassWidth-1:0] end_pass;
  logic [Rounds*128-1:0] round_keys;

  aes_loop_keys u_keys (
      .clk          (clk),
      .advance_i    (advance),
      .accept_i     (in_ready_o),
      .in_context_i (in_context_i),
      .wait_size_i  (wait_size_q),
      .first_key_i  (first_key),
      .turn_free_i  (turn_free),
      .context_i    (end_context),
      .pass_i       (end_pass),
      .keys_o       (round_keys),
      .key_valid_i  (key_valid_i),
      .key_context_i(key_context_i),
      .key_round_i  (key_round_i),
      .key_data_i   (key_data_i)
  );

  for (genvar s = 0; s < Rounds; s++) begin : gen_stage
    localparam int End = (s + 1) * SubStages - 1;  // the place where the round ends
    // Key sizes of which this stage is the last: the others never leave from here.
    localparam bit Exit = (MinRounds <= 10 && 9 % Rounds == s)
        || (MinRounds <= 12 && MaxRounds >= 12 && 11 % Rounds == s)
        || (MaxRounds >= 14 && 13 % Rounds == s);

    logic [127:0] round_key;
    logic [Lanes*128-1:0] coming, state, state_d;
    logic [Lanes*128-1:0] leaving, found;  // the beat that leaves, gathered stage by stage

    assign round_key                                 = round_keys[128*s+:128];
    assign end_context[s*ContextWidth+:ContextWidth] = context_d[End];
    assign end_pass[s*PassWidth+:PassWidth]          = pass_d[End];

    if (s == 0) begin : gen_entrance
      assign coming = turn_free ? whitened : gen_stage[Rounds-1].state_d;
      assign found  = leaving;
    end else begin : gen_inside
      assign coming = gen_stage[s-1].state_d;
      assign found  = gen_stage[s-1].found | leaving;
    end

    if (InMemory) begin : gen_memory
      assign state = coming;
    end else begin : gen_register
      logic [Lanes*128-1:0] state_q;
      always_ff @(posedge clk) if (advance) state_q <= coming;
      assign state = state_q;
    end

    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      logic [127:0] shifted, mixed;

      aes_sub_shift u_sub_shift (
          .clk    (clk),
          .en_i   (advance),
          .state_i(state[l*128+:128]),
          .state_o(shifted)
      );
      aes_mix_columns u_mix (
          .state_i(shifted),
          .state_o(mixed)
      );
      assign state_d[l*128+:128] = (Exit && left_q[End] == 4'd1 ? shifted : mixed) ^ round_key;
    end

    assign leaves[s] = Exit && valid_q[End] && left_q[End] == 4'd1;
    assign leaving   = Exit ? state_d & {Lanes*128{leaves[s]}} : '0;
  end

  // ---- at most one beat leaves in a cycle
  logic out_valid_q;
  logic [Lanes*128-1:0] out_q;

  assign advance      = leaves == '0 || !out_valid_q || out_ready_i;
  assign out_valid_o  = out_valid_q;
  assign out_blocks_o = out_q;

  always_ff @(posedge clk) if (advance && leaves != '0) out_q <= gen_stage[Rounds-1].found;

  always_ff @(posedge clk)
    if (rst) out_valid_q <= 1'b0;
    else if (advance && leaves != '0) out_valid_q <= 1'b1;
    else if (out_ready_i) out_valid_q <= 1'b0;

  // synthesis translate_off
  always_ff @(posedge clk) assert (rst || (leaves & (leaves - Rounds'(1))) == '0);
  // synthesis translate_on

  logic unused;
  assign unused = &{1'b0, key_size_i, context_d, pass_d};

  if (MinRounds < 10 || MaxRounds > 14 || MinRounds > MaxRounds || Rounds < 1 || Rounds >= MinRounds
      || SubStages < 1 + InMemory) begin : gen_bad
    $error("aes_loop: needs 1 <= Rounds < MinRounds, 10 <= MinRounds <= MaxRounds <= 14");
  end
endmodule
