// SPDX-License-Identifier: Apache-2.0
// AES encryption of one beat, one round a pipeline stage. Shorter keys pass the rounds from the third
// on unchanged, so that every key size leaves by the last stage after the same time and any beat may
// follow any other. With one key size there is no such way past a round.
// Latency: MaxRounds * SubStages + 2 cycles. Throughput: one beat a cycle.
module aes_pipelined #(
    parameter int Lanes = 1,
    parameter int Contexts = 1,
    parameter int MinRounds = 10,        // of the smallest key size built
    parameter int MaxRounds = 14,        // of the largest
    parameter int SubStages = 1,         // stages a round: the aes_sbox in the folder has as many
    parameter bit CounterSharing = 1'b0, // blocks of a beat are as aes_front_shared wants them
    parameter int OtherLanes = 0,        // but the last ones, which have nothing in common with them
    parameter bit Travelling = 1'b0,     // round keys are made beside the data
    // out_ready_i moves everything, nothing waits behind the last round, and who moves it knows what
    // is where: out_valid_o says nothing
    parameter bit InStep = 1'b0,
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
  // A block stands at place k in the k-th cycle after it came in. Place 0 adds round key 0; round r
  // starts at place (r - 1) * SubStages + 1 and adds its key at place r * SubStages.
  localparam int Last = MaxRounds * SubStages;
  localparam int First = CounterSharing ? 3 : 1;  // the first round that is built here
  localparam int SkipWidth = 3;

  logic advance;  // all places move together: the output buffer has room
  logic [SkipWidth-1:0] in_skip;  // rounds that this key size leaves out
  logic [(Last+1)*SkipWidth-1:0] skip_q;
  logic [(MaxRounds+1)*128-1:0] round_keys;
  logic [Lanes*128-1:0] front_d;  // in front of round First

  assign in_ready_o = advance;
  assign in_skip    = SkipWidth'(MaxRounds - 10) - {in_size_i, 1'b0};

  always_ff @(posedge clk) if (advance) skip_q <= {skip_q[Last*SkipWidth-1:0], in_skip};

  if (Travelling) begin : gen_travelling
    aes_schedule_travelling #(
        .Contexts (Contexts),
        .MinRounds(MinRounds),
        .MaxRounds(MaxRounds),
        .SubStages(SubStages)
    ) u_schedule (
        .clk          (clk),
        .advance_i    (advance),
        .in_context_i (in_context_i),
        .in_size_i    (in_size_i),
        .keys_o       (round_keys),
        .key_valid_i  (key_valid_i),
        .key_context_i(key_context_i),
        .key_round_i  (key_round_i),
        .key_data_i   (key_data_i)
    );
  end else begin : gen_stored
    aes_schedule_stored #(
        .Contexts (Contexts),
        .MaxRounds(MaxRounds),
        .SubStages(SubStages)
    ) u_schedule (
        .clk          (clk),
        .advance_i    (advance),
        .in_context_i (in_context_i),
        .keys_o       (round_keys),
        .key_valid_i  (key_valid_i),
        .key_context_i(key_context_i),
        .key_size_i   (key_size_i),
        .key_round_i  (key_round_i),
        .key_data_i   (key_data_i)
    );
  end

  if (CounterSharing) begin : gen_shared
    aes_front_shared #(
        .Lanes    (Lanes - OtherLanes),
        .SubStages(SubStages)
    ) u_front (
        .clk      (clk),
        .advance_i(advance),
        .valid_i  (in_valid_i),
        .blocks_i (in_blocks_i[OtherLanes*128+:(Lanes-OtherLanes)*128]),
        .keys_i   (round_keys[383:0]),
        .state_o  (front_d[OtherLanes*128+:(Lanes-OtherLanes)*128])
    );
    for (genvar l = 0; l < OtherLanes; l++) begin : gen_other
      logic [127:0] block_q, state1_q, state2_q, state1_d;
      always_ff @(posedge clk)
        if (advance) begin
          block_q  <= in_blocks_i[l*128+:128];
          state1_q <= block_q ^ round_keys[127:0];
          state2_q <= state1_d;
        end
      aes_round u_first (
          .clk    (clk),
          .en_i   (advance),
          .state_i(state1_q),
          .key_i  (round_keys[255:128]),
          .state_o(state1_d)
      );
      aes_round u_second (
          .clk    (clk),
          .en_i   (advance),
          .state_i(state2_q),
          .key_i  (round_keys[383:256]),
          .state_o(front_d[l*128+:128])
      );
    end
  end else begin : gen_whiten
    logic [Lanes*128-1:0] blocks_q;
    always_ff @(posedge clk) if (advance) blocks_q <= in_blocks_i;
    assign front_d = blocks_q ^ {Lanes{round_keys[127:0]}};
  end

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
      assign state_d = SkipWidth'(r - 2) <= skip_q[r*SubStages*SkipWidth+:SkipWidth] ? unchanged : keyed;
    end else begin : gen_always
      assign state_d = keyed;
    end
  end

  if (InStep) begin : gen_step
    logic [Lanes*128-1:0] out_q;
    always_ff @(posedge clk) if (advance) out_q <= gen_round[MaxRounds].state_d;
    assign advance      = out_ready_i;
    assign out_valid_o  = 1'b1;
    assign out_blocks_o = out_q;
    logic unused;
    assign unused = &{1'b0, rst, in_valid_i};
  end else begin : gen_buffer
    logic [Last:0] valid_q;
    always_ff @(posedge clk)
      if (rst) valid_q <= '0;
      else if (advance) valid_q <= {valid_q[Last-1:0], in_valid_i};

    axis_skid #(
        .Width(Lanes * 128)
    ) u_output (
        .clk        (clk),
        .rst        (rst),
        .in_valid_i (valid_q[Last]),
        .in_ready_o (advance),
        .in_data_i  (gen_round[MaxRounds].state_d),
        .out_valid_o(out_valid_o),
        .out_ready_i(out_ready_i),
        .out_data_o (out_blocks_o)
    );
  end

  logic unused;  // the last places carry the key size no further
  assign unused = &{1'b0, skip_q, key_size_i};

  if (MinRounds < 10 || MaxRounds > 14 || MinRounds > MaxRounds || SubStages < 1) begin : gen_bad
    $error("aes_pipelined: needs 10 <= MinRounds <= MaxRounds <= 14 and SubStages of at least 1");
  end
endmodule
