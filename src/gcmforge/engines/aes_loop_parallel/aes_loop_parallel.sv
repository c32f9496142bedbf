// SPDX-License-Identifier: Apache-2.0
// AES encryption in Loops loops side by side, one round in hardware each, that take the beats in
// turn. All read their round keys from one store, each through a port of its own, or make them from
// the key beside the data.
//
// Beats of any contexts and key sizes may be mixed. They leave in order: a loop that is done before
// the one whose turn it is holds its beat.
//
// Latency: R + 2 cycles for a key size of R rounds, when nothing is in the way. Throughput: Loops beats
// in R cycles.
module aes_loop_parallel #(
    parameter int Lanes = 1,
    parameter int Contexts = 1,
    parameter int MinRounds = 10,  // of the smallest key size built
    parameter int MaxRounds = 14,  // of the largest
    parameter int Loops = 2,
    parameter bit Travelling = 1'b0,  // the round keys are made in each loop, beside the data
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
    // round keys, or the key in two parts; never written while a block of the same context is inside
    input  logic                    key_valid_i,
    input  logic [ContextWidth-1:0] key_context_i,
    input  logic [             1:0] key_size_i,
    input  logic [             3:0] key_round_i,
    input  logic [           127:0] key_data_i
);
  localparam int Keys = Contexts * MaxRounds;  // of rounds 1 to MaxRounds
  localparam int KeyWidth = $clog2(Keys);

  // ---- the next beat waits for its loop; round key 0 is added on its way there
  logic wait_valid_q;
  logic [ContextWidth-1:0] wait_context_q;
  logic [1:0] wait_size_q;
  logic [3:0] wait_rounds;
  logic [Lanes*128-1:0] wait_blocks_q, whitened;
  logic [127:0] first_key;
  logic accept, enter;

  assign in_ready_o = !wait_valid_q || enter;
  assign accept     = in_valid_i && in_ready_o;
  assign whitened   = wait_blocks_q ^ {Lanes{first_key}};
  assign wait_rounds = 4'd10 + {1'b0, wait_size_q, 1'b0};

  always_ff @(posedge clk)
    if (accept) begin
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
      .read_i      (accept),
      .read_addr_i (in_context_i),
      .read_data_o (first_key)
  );

  // A travelling key: the rest of it, and its window as it sets out.
  localparam int KeyBits = 32 * (MaxRounds - 6);
  localparam int TurnWidth = 2 + 2 + 8 + KeyBits;
  logic [TurnWidth-1:0] wait_turn;

  if (Travelling && KeyBits > 128) begin : gen_rest
    logic [KeyBits-129:0] rest;
    gcm_ram #(
        .Width(KeyBits - 128),
        .Depth(Contexts)
    ) u_rest (
        .clk         (clk),
        .write_i     (key_valid_i && key_round_i == 4'd1),
        .write_addr_i(key_context_i),
        .write_data_i(key_data_i[127-:KeyBits-128]),
        .read_i      (accept),
        .read_addr_i (in_context_i),
        .read_data_o (rest)
    );
    assign wait_turn = {wait_size_q, 2'd0, 8'h01, first_key, rest};
  end else begin : gen_no_rest
    assign wait_turn = {wait_size_q, 2'd0, 8'h01, {KeyBits{1'b0}} | KeyBits'(first_key)};
  end

  // ---- whose turn it is to take a beat, and to give one
  logic [Loops-1:0] enter_turn_q, leave_turn_q;  // one-hot
  logic [Loops-1:0] free, done, enters, leaves;
  logic leave, out_valid_q;

  assign enter  = wait_valid_q && |(enter_turn_q & free);
  assign enters = enter_turn_q & {Loops{enter}};
  assign leave  = |(leave_turn_q & done) && (!out_valid_q || out_ready_i);
  assign leaves = leave_turn_q & {Loops{leave}};

  always_ff @(posedge clk)
    if (rst) begin
      enter_turn_q <= Loops'(1);
      leave_turn_q <= Loops'(1);
    end else begin
      if (enter) enter_turn_q <= {enter_turn_q[Loops-2:0], enter_turn_q[Loops-1]};
      if (leave) leave_turn_q <= {leave_turn_q[Loops-2:0], leave_turn_q[Loops-1]};
    end

  // ---- the loops
  if (!Travelling) begin : gen_store
    logic [127:0] keys_q[0:Keys-1];
    always_ff @(posedge clk)
      if (key_valid_i && key_round_i != '0)
        keys_q[KeyWidth'(key_context_i)*KeyWidth'(MaxRounds)+KeyWidth'(key_round_i)-KeyWidth'(1)]
            <= key_data_i;
  end

  for (genvar n = 0; n < Loops; n++) begin : gen_loop
    logic busy_q, last, move;
    logic [3:0] round_q, rounds_q, round_d;  // round_q counts from 0
    logic [ContextWidth-1:0] context_q, context_d;
    logic [Lanes*128-1:0] state_q, state_d;
    logic [127:0] round_key;

    assign last      = round_q == rounds_q - 4'd1;
    assign done[n]   = busy_q && last;
    assign free[n]   = !busy_q || leaves[n];
    assign move      = enters[n] || !last;  // a beat that is done holds its place and its key
    assign context_d = enters[n] ? wait_context_q : context_q;
    assign round_d   = enters[n] ? 4'd0 : round_q + 4'd1;

    // ---- the beat that leaves, gathered loop by loop
    logic [Lanes*128-1:0] leaving, found;
    assign leaving = state_d & {Lanes*128{leave_turn_q[n]}};
    if (n == 0) begin : gen_first
      assign found = leaving;
    end else begin : gen_next
      assign found = gen_loop[n-1].found | leaving;
    end

    always_ff @(posedge clk)
      if (move) begin
        context_q   <= context_d;
        round_q     <= round_d;
        state_q     <= enters[n] ? whitened : state_d;
      end

    if (Travelling) begin : gen_travelling
      logic [TurnWidth-1:0] turn_q, turn_d;
      always_ff @(posedge clk) if (move) turn_q <= enters[n] ? wait_turn : turn_d;
      aes_key_turn #(
          .MinRounds(MinRounds),
          .MaxRounds(MaxRounds)
      ) u_turn (
          .clk   (clk),
          .en_i  (1'b1),
          .turn_i(turn_q),
          .turn_o(turn_d)
      );
      assign round_key = turn_d[KeyBits-1-:128];
    end else begin : gen_stored
      logic [127:0] key_q;
      always_ff @(posedge clk)
        if (move)
          key_q <= gen_store.keys_q[KeyWidth'(context_d)*KeyWidth'(MaxRounds)+KeyWidth'(round_d)];
      assign round_key = key_q;
    end

    always_ff @(posedge clk) if (enters[n]) rounds_q <= wait_rounds;

    always_ff @(posedge clk)
      if (rst) busy_q <= 1'b0;
      else if (enters[n]) busy_q <= 1'b1;
      else if (leaves[n]) busy_q <= 1'b0;

    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      logic [127:0] shifted, mixed;

      aes_sub_shift u_sub_shift (
          .clk    (clk),
          .en_i   (1'b1),
          .state_i(state_q[l*128+:128]),
          .state_o(shifted)
      );
      aes_mix_columns u_mix (
          .state_i(shifted),
          .state_o(mixed)
      );
      assign state_d[l*128+:128] = (last ? shifted : mixed) ^ round_key;
    end
  end

  logic [Lanes*128-1:0] out_q;
  assign out_valid_o  = out_valid_q;
  assign out_blocks_o = out_q;

  always_ff @(posedge clk) if (leave) out_q <= gen_loop[Loops-1].found;

  always_ff @(posedge clk)
    if (rst) out_valid_q <= 1'b0;
    else if (leave) out_valid_q <= 1'b1;
    else if (out_ready_i) out_valid_q <= 1'b0;

  logic unused;
  assign unused = &{1'b0, key_size_i, wait_turn};

  if (MaxRounds < 10 || MaxRounds > 14 || Loops < 2) begin : gen_bad
    $error("aes_loop_parallel: needs 10 <= MaxRounds <= 14 and Loops of at least 2");
  end
endmodule
