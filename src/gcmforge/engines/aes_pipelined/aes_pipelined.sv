// SPDX-License-Identifier: Apache-2.0
// AES encryption with a pipeline stage, or several, for each round: a beat of blocks a cycle, each
// beat under any key. Shorter keys pass rounds from the third on unchanged, so that every key size
// leaves by the last stage after the same time and any beat may follow any other. With one key size
// there is no such way past a round.
//
// Three parts are what the configuration chose: aes_front (whitening and the first two rounds,
// with or without what counter blocks have in common), aes_schedule (round keys stored for each
// context, or made stage by stage with the data) and aes_output (who moves the pipeline).
//
// Latency: MaxRounds * SubStages + 2 cycles. Throughput: one beat a cycle.
module aes_pipelined #(
    parameter int Lanes = 1,
    parameter int Contexts = 1,
    parameter int MinRounds = 10,  // of the smallest key size built
    parameter int MaxRounds = 14,  // of the largest
    parameter int SubStages = 1,   // stages a round: the aes_sbox in the folder has as many
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
  // A block stands at place k in the k-th cycle after it came in. Place 0 adds round key 0; round r
  // starts at place (r - 1) * SubStages + 1 and adds its key at place r * SubStages.
  localparam int Last = MaxRounds * SubStages;
  localparam int First = 3;  // the first round that is built here
  localparam int SkipWidth = 3;

  logic advance;  // all places move together
  logic [SkipWidth-1:0] in_skip;  // rounds that this key size leaves out
  logic [(Last+1)*SkipWidth-1:0] skip_q;
  logic [(MaxRounds+1)*128-1:0] round_keys;
  logic [Lanes*128-1:0] front_d;  // after round 2

  assign in_ready_o = advance;
  assign in_skip    = SkipWidth'(MaxRounds - 10) - {in_size_i, 1'b0};

  always_ff @(posedge clk) if (advance) skip_q <= {skip_q[Last*SkipWidth-1:0], in_skip};

  aes_schedule u_schedule (
      .clk          (clk),
      .advance_i    (advance),
      .in_context_i (in_context_i),
      .in_size_i    (in_size_i),
      .keys_o       (round_keys),
      .key_valid_i  (key_valid_i),
      .key_context_i(key_context_i),
      .key_size_i   (key_size_i),
      .key_round_i  (key_round_i),
      .key_data_i   (key_data_i)
  );

  aes_front u_front (
      .clk      (clk),
      .advance_i(advance),
      .valid_i  (in_valid_i),
      .blocks_i (in_blocks_i),
      .keys_i   (round_keys[383:0]),
      .state_o  (front_d)
  );

  for (genvar r = First; r <= MaxRounds; r++) begin : gen_round
    logic [Lanes*128-1:0] state_q, keyed;
    logic [Lanes*128-1:0] state_d;  // after this round, in front of the next register

    if (r == First) begin : gen_first
      always_ff @(posedge clk) if (advance) state_q <= front_d;
    end else begin : gen_later
      always_ff @(posedge clk) if (advance) state_q <= gen_round[r-1].state_d;
    end

    for (genvar l = 0; l < Lanes; l++) begin : gen_lane
      aes_round #(
          .Last(r == MaxRounds)
      ) u_round (
          .clk    (clk),
          .en_i   (advance),
          .state_i(state_q[l*128+:128]),
          .key_i  (round_keys[128*r+:128]),
          .state_o(keyed[l*128+:128])
      );
    end

    if (r > 2 && r <= 2 + MaxRounds - MinRounds) begin : gen_optional
      logic [Lanes*128-1:0] unchanged;  // the round's input, as late as the round's output
      if (SubStages == 1) begin : gen_direct
        assign unchanged = state_q;
      end else begin : gen_delay
        logic [(SubStages-1)*Lanes*128-1:0] delay_q;
        if (SubStages == 2) begin : gen_one
          always_ff @(posedge clk) if (advance) delay_q <= state_q;
        end else begin : gen_more
          always_ff @(posedge clk)
            if (advance) delay_q <= {delay_q[(SubStages-2)*Lanes*128-1:0], state_q};
        end
        assign unchanged = delay_q[(SubStages-2)*Lanes*128+:Lanes*128];
      end
      assign state_d = SkipWidth'(r - 2) <= skip_q[r*SubStages*SkipWidth+:SkipWidth]
          ? unchanged : keyed;
    end else begin : gen_always
      assign state_d = keyed;
    end
  end

  aes_output u_output (
      .clk         (clk),
      .rst         (rst),
      .advance_o   (advance),
      .in_valid_i  (in_valid_i),
      .state_i     (gen_round[MaxRounds].state_d),
      .out_valid_o (out_valid_o),
      .out_ready_i (out_ready_i),
      .out_blocks_o(out_blocks_o)
  );

  logic unused;  // the last places carry the key size no further
  assign unused = &{1'b0, skip_q};

  if (MinRounds < 10 || MaxRounds > 14 || MinRounds > MaxRounds || SubStages < 1) begin : gen_bad
    $error("aes_pipelined: needs 10 <= MinRounds <= MaxRounds <= 14 and SubStages of at least 1");
  end
endmodule
