// SPDX-License-Identifier: Apache-2.0
// AES encryption of the blocks of one segment under one key, a pipeline stage or several a round,
// whose round keys come from outside, each at its place. Shorter keys pass rounds from the third on
// unchanged, so that every key size leaves by the last stage after the same time.
//
// Places are those of aes_pipelined: round r adds its key at place r * SubStages.
// Latency: MaxRounds * SubStages + 2 steps. Throughput: one beat a step.
module segments_rounds #(
    parameter int Lanes = 2,
    parameter int MinRounds = 10,  // of the smallest key size built
    parameter int MaxRounds = 14,  // of the largest
    parameter int SubStages = 1    // stages a round: the aes_sbox in the folder has as many
) (
    input  logic                         clk,
    input  logic                         advance_i,  // all places move
    input  logic                         valid_i,    // blocks come in that are of use
    input  logic [                  1:0] size_i,     // of the key of the blocks that come in
    input  logic [        Lanes*128-1:0] blocks_i,
    input  logic [(MaxRounds+1)*128-1:0] keys_i,     // of round r in keys_i[128*r+:128]
    output logic [        Lanes*128-1:0] blocks_o
);
  localparam int Last = MaxRounds * SubStages;
  localparam int First = 3;  // the first round that is built here
  localparam int SkipWidth = 3;

  logic [SkipWidth-1:0] in_skip;  // rounds that this key size leaves out
  logic [(Last+1)*SkipWidth-1:0] skip_q;
  logic [Lanes*128-1:0] front, out_q;

  assign in_skip = SkipWidth'(MaxRounds - 10) - {size_i, 1'b0};
  always_ff @(posedge clk) if (advance_i) skip_q <= {skip_q[Last*SkipWidth-1:0], in_skip};

  // The blocks of a segment have one IV: what is common to them may be built once.
  aes_front u_front (
      .clk      (clk),
      .advance_i(advance_i),
      .valid_i  (valid_i),
      .blocks_i (blocks_i),
      .keys_i   (keys_i[383:0]),
      .state_o  (front)
  );

  for (genvar r = First; r <= MaxRounds; r++) begin : gen_round
    logic [Lanes*128-1:0] state_q, keyed;
    logic [Lanes*128-1:0] state_d;  // after this round, in front of the next register

    if (r == First) begin : gen_first
      always_ff @(posedge clk) if (advance_i) state_q <= front;
    end else begin : gen_later
      always_ff @(posedge clk) if (advance_i) state_q <= gen_round[r-1].state_d;
    end

    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      aes_round #(
          .Last(r == MaxRounds)
      ) u_round (
          .clk    (clk),
          .en_i   (advance_i),
          .state_i(state_q[l*128+:128]),
          .key_i  (keys_i[128*r+:128]),
          .state_o(keyed[l*128+:128])
      );
    end

    if (r > 2 && r <= 2 + MaxRounds - MinRounds) begin : gen_optional
      logic [Lanes*128-1:0] unchanged;  // the round's input, as late as the round's output
      if (SubStages == 1) begin : gen_direct
        assign unchanged = state_q;
      end else begin : gen_delay
        gcm_line #(
            .Width(Lanes * 128),
            .Depth(SubStages - 1)
        ) u_unchanged (
            .clk   (clk),
            .en_i  (advance_i),
            .word_i(state_q),
            .word_o(unchanged)
        );
      end
      assign state_d = SkipWidth'(r - 2) <= skip_q[r*SubStages*SkipWidth+:SkipWidth]
          ? unchanged : keyed;
    end else begin : gen_always
      assign state_d = keyed;
    end
  end

  always_ff @(posedge clk) if (advance_i) out_q <= gen_round[MaxRounds].state_d;
  assign blocks_o = out_q;

  logic unused;  // the last places carry the key size no further
  assign unused = &{1'b0, skip_q};
endmodule
