// SPDX-License-Identifier: Apache-2.0
// AES encryption in Loops loops side by side, with one round in hardware each, that take the beats
// in turn. aes_loop_parallel_keys gives their round keys; it is the part that the configuration
// chose, with one store for all loops or with keys made in each loop with the data.
//
// Beats of any contexts and key sizes may be mixed. They leave in order: a loop that is done before
// the one whose turn it is holds its beat.
//
// Latency: R + 2 cycles for a key size of R rounds, when nothing is in the way. Throughput: Loops
// beats in R cycles.
module aes_loop_parallel #(
    parameter int Lanes = 1,
    parameter int Contexts = 1,
    parameter int Loops = 2,
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
  // ---- the next beat waits for its loop; round key 0 is added on its way there
  // Its place takes whatever comes, and wait_valid_q says whether that was a beat.
  logic wait_valid_q;
  logic [ContextWidth-1:0] wait_context_q;
  logic [1:0] wait_size_q;
  logic [3:0] wait_rounds;
  logic [Lanes*128-1:0] wait_blocks_q, whitened;
  logic [127:0] first_key;
  logic enter;

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
  logic [Loops-1:0] moves;
  logic [Loops*ContextWidth-1:0] contexts;
  logic [Loops*4-1:0] rounds;
  logic [Loops*128-1:0] round_keys;

  aes_loop_parallel_keys u_keys (
      .clk          (clk),
      .accept_i     (in_ready_o),
      .in_context_i (in_context_i),
      .wait_size_i  (wait_size_q),
      .first_key_i  (first_key),
      .enters_i     (enters),
      .move_i       (moves),
      .context_i    (contexts),
      .round_i      (rounds),
      .keys_o       (round_keys),
      .key_valid_i  (key_valid_i),
      .key_context_i(key_context_i),
      .key_round_i  (key_round_i),
      .key_data_i   (key_data_i)
  );

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

    assign moves[n]                               = move;
    assign contexts[n*ContextWidth+:ContextWidth] = context_d;
    assign rounds[4*n+:4]                         = round_d;
    assign round_key                              = round_keys[128*n+:128];

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
  assign unused = &{1'b0, key_size_i};

  if (Loops < 2) begin : gen_bad
    $error("aes_loop_parallel: Loops must be at least 2");
  end
endmodule
