// SPDX-License-Identifier: Apache-2.0
// Round keys for aes_loop, made in the ring with the data: only the key itself is stored for a
// context. It sets out with its beat and makes a step at each round that the beat passes.
//
// Latency: keys_o of a stage is that of the beat at the end of its round. Throughput: a key for
// each stage a cycle.
module aes_loop_keys_travelling #(
    parameter int Contexts = 1,
    parameter bit [2:0] Sizes = 3'b111,  // key sizes built: bit 0 AES-128, 1 AES-192, 2 AES-256
    parameter int MaxRounds = 14,        // of the largest of them
    parameter int Rounds = 1,            // in hardware
    parameter int SubStages = 1,         // stages a round: the aes_sbox in the folder has as many
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                           clk,
    input  logic                           advance_i,      // all places move
    // the beat that waits to enter: its key as it sets out
    input  logic                           accept_i,       // it may come in this cycle
    input  logic [       ContextWidth-1:0] in_context_i,
    input  logic [                    1:0] wait_size_i,
    input  logic [                  127:0] first_key_i,
    input  logic                           turn_free_i,    // it may enter the ring
    output logic [         Rounds*128-1:0] keys_o,         // of stage s in keys_o[128*s+:128]
    // the key, left aligned: its first 128 bits as round 0, the rest as round 1; never written
    // while a block of the same context is inside
    input  logic                           key_valid_i,
    input  logic [       ContextWidth-1:0] key_context_i,
    input  logic [                    3:0] key_round_i,
    input  logic [                  127:0] key_data_i
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

  for (genvar s = 0; s < Rounds; s++) begin : gen_stage
    logic [TurnWidth-1:0] turn_q, turn_d;  // in front of this round, and after it

    if (s == 0) begin : gen_entrance
      always_ff @(posedge clk)
        if (advance_i) turn_q <= turn_free_i ? wait_turn : gen_stage[Rounds-1].turn_d;
    end else begin : gen_inside
      always_ff @(posedge clk) if (advance_i) turn_q <= gen_stage[s-1].turn_d;
    end

    aes_key_turn #(
        .Sizes    (Sizes),
        .MaxRounds(MaxRounds),
        .SubStages(SubStages)
    ) u_turn (
        .clk   (clk),
        .en_i  (advance_i),
        .turn_i(turn_q),
        .turn_o(turn_d)
    );
    assign keys_o[128*s+:128] = turn_d[KeyBits-1-:128];
  end
endmodule
