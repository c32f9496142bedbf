// SPDX-License-Identifier: Apache-2.0
// Round keys for a pipeline of AES rounds, stored for every context next to the stage that adds
// them. Round r adds its key at place r * SubStages, that many enabled cycles after the block came
// in plus one. Shorter keys leave out the rounds from the third on: the first two belong to every
// key size.
//
// Of up to 16 contexts a key is read in the cycle in which it is added, which saves a register a
// stage: the key is wanted at the round's end. Of more it is read one place ahead.
//
// Latency: keys_o of round r is that of the beat at place r * SubStages. Throughput: one beat a
// cycle, of any context.
module aes_schedule_stored #(
    parameter int Contexts = 1,
    parameter int MaxRounds = 14,
    parameter int SubStages = 1,
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                         clk,
    input  logic                         advance_i,      // all places move
    input  logic [     ContextWidth-1:0] in_context_i,
    output logic [(MaxRounds+1)*128-1:0] keys_o,         // of round r in keys_o[128*r+:128]
    // round keys; never written while a block of the same context is inside. Context, size and
    // round stand from the cycle before key_valid_i on.
    input  logic                         key_valid_i,
    input  logic [     ContextWidth-1:0] key_context_i,
    input  logic [                  1:0] key_size_i,
    input  logic [                  3:0] key_round_i,
    input  logic [                127:0] key_data_i
);
  localparam int Last = MaxRounds * SubStages;
  localparam bit ReadAhead = Contexts > 16;

  logic [(Last+2)*ContextWidth-1:0] contexts;  // of what comes in, and of places 0 to Last
  logic [(Last+1)*ContextWidth-1:0] context_q;
  logic [3:0] key_stage;  // the stage of this round: the skipped ones come after the second
  logic [MaxRounds:0] key_here_q;  // which stage that is, found a cycle ahead

  assign key_stage = key_round_i <= 4'd2 ? key_round_i
      : key_round_i + 4'(MaxRounds - 10) - {1'b0, key_size_i, 1'b0};
  always_ff @(posedge clk) for (int r = 0; r <= MaxRounds; r++) key_here_q[r] <= key_stage == 4'(r);

  assign contexts = {context_q, in_context_i};

  always_ff @(posedge clk) if (advance_i) context_q <= contexts[(Last+1)*ContextWidth-1:0];

  for (genvar r = 0; r <= MaxRounds; r++) begin : gen_round
    localparam int Place = r * SubStages + (ReadAhead ? 0 : 1);  // in contexts

    gcm_ram #(
        .Width       (128),
        .Depth       (Contexts),
        .ReadRegister(ReadAhead)
    ) u_key (
        .clk         (clk),
        .write_i     (key_valid_i && key_here_q[r]),
        .write_addr_i(key_context_i),
        .write_data_i(key_data_i),
        .read_i      (advance_i),
        .read_addr_i (contexts[Place*ContextWidth+:ContextWidth]),
        .read_data_o (keys_o[128*r+:128])
    );
  end

  logic unused;  // nothing is read at the last place when all are read ahead
  assign unused = &{1'b0, contexts};
endmodule
