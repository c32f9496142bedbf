// SPDX-License-Identifier: Apache-2.0
// Round keys for aes_loop_parallel, made in each loop with the data: only the key itself is stored
// for a context. It sets out with its beat and makes a step a round.
//
// Latency: keys_o of a loop is that of the round that came in the cycle before. Throughput: a key
// for each loop a cycle.
module aes_loop_parallel_keys_travelling #(
    parameter int Contexts = 1,
    parameter bit [2:0] Sizes = 3'b111,  // key sizes built: bit 0 AES-128, 1 AES-192, 2 AES-256
    parameter int MaxRounds = 14,        // of the largest of them
    parameter int Loops = 2,
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                          clk,
    // the beat that waits for its loop: its key as it sets out
    input  logic                          accept_i,       // it may come in this cycle
    input  logic [      ContextWidth-1:0] in_context_i,
    input  logic [                   1:0] wait_size_i,
    input  logic [                 127:0] first_key_i,
    // of each loop
    input  logic [             Loops-1:0] enters_i,       // the beat enters it
    input  logic [             Loops-1:0] move_i,         // it comes to its next round
    output logic [         Loops*128-1:0] keys_o,
    // the key, left aligned: its first 128 bits as round 0, the rest as round 1; never written
    // while a block of the same context is inside
    input  logic                          key_valid_i,
    input  logic [      ContextWidth-1:0] key_context_i,
    input  logic [                   3:0] key_round_i,
    input  logic [                 127:0] key_data_i
);
  localparam int KeyBits = 32 * (MaxRounds - 6);
  localparam int TurnWidth = 2 + 2 + 8 + KeyBits;
  logic [TurnWidth-1:0] wait_turn;

  aes_key_start #(
      .Contexts (Contexts),
      .MaxRounds(MaxRounds)
  ) u_start (
      .clk          (clk),
      .accept_i     (accept_i),
      .in_context_i (in_context_i),
      .size_i       (wait_size_i),
      .first_key_i  (first_key_i),
      .turn_o       (wait_turn),
      .key_valid_i  (key_valid_i),
      .key_context_i(key_context_i),
      .key_round_i  (key_round_i),
      .key_data_i   (key_data_i)
  );

  for (genvar n = 0; n < Loops; n++) begin : gen_loop
    logic [TurnWidth-1:0] turn_q, turn_d;
    always_ff @(posedge clk) if (move_i[n]) turn_q <= enters_i[n] ? wait_turn : turn_d;

    aes_key_turn #(
        .Sizes    (Sizes),
        .MaxRounds(MaxRounds)
    ) u_turn (
        .clk   (clk),
        .en_i  (1'b1),
        .turn_i(turn_q),
        .turn_o(turn_d)
    );
    assign keys_o[128*n+:128] = turn_d[KeyBits-1-:128];
  end
endmodule
