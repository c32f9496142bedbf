// SPDX-License-Identifier: Apache-2.0
// AES encryption of one beat, one round a pipeline stage, round keys stored beside each stage.
// Shorter keys pass through the first rounds unchanged, so that every key size leaves by the last
// stage after the same time and any beat may follow any other.
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
    // round keys; never written while a block of the same context is inside
    input  logic                    key_valid_i,
    input  logic [ContextWidth-1:0] key_context_i,
    input  logic [             1:0] key_size_i,
    input  logic [             3:0] key_round_i,
    input  logic [           127:0] key_data_i
);
  // A block stands at place k in the k-th cycle after it came in. Place 0 adds round key 0; round r
  // starts at place (r - 1) * SubStages + 1 and adds its key at place r * SubStages.
  localparam int Last = MaxRounds * SubStages;
  localparam int SkipWidth = 3;

  logic advance;  // all places move together: the output buffer has room
  logic [Last:0] valid_q;
  logic [(Last+1)*ContextWidth-1:0] context_q;
  logic [SkipWidth-1:0] in_skip;  // rounds that this key size leaves out
  logic [(Last+1)*SkipWidth-1:0] skip_q;
  logic [3:0] key_place;  // the round stage that a round key belongs to

  assign in_ready_o = advance;
  assign in_skip = SkipWidth'(MaxRounds - 10) - {in_size_i, 1'b0};
  assign key_place = key_round_i == '0 ? '0 : key_round_i + 4'(MaxRounds - 10) - {1'b0, key_size_i, 1'b0};

  always_ff @(posedge clk)
    if (rst) valid_q <= '0;
    else if (advance) valid_q <= {valid_q[Last-1:0], in_valid_i};

  always_ff @(posedge clk)
    if (advance) begin
      context_q <= {context_q[Last*ContextWidth-1:0], in_context_i};
      skip_q    <= {skip_q[Last*SkipWidth-1:0], in_skip};
    end

  for (genvar r = 0; r <= MaxRounds; r++) begin : gen_round
    logic [127:0] round_key;
    logic [Lanes*128-1:0] state_d;  // after this round, in front of the next register
    logic [ContextWidth-1:0] context_before;  // one place ahead of where the key is added

    if (r == 0) begin : gen_first
      assign context_before = in_context_i;
    end else begin : gen_later
      assign context_before = context_q[(r*SubStages-1)*ContextWidth+:ContextWidth];
    end

    gcm_ram #(
        .Width(128),
        .Depth(Contexts)
    ) u_key (
        .clk         (clk),
        .write_i     (key_valid_i && key_place == 4'(r)),
        .write_addr_i(key_context_i),
        .write_data_i(key_data_i),
        .read_i      (advance),
        .read_addr_i (context_before),
        .read_data_o (round_key)
    );

    if (r == 0) begin : gen_whiten
      logic [Lanes*128-1:0] blocks_q;
      always_ff @(posedge clk) if (advance) blocks_q <= in_blocks_i;
      assign state_d = blocks_q ^ {Lanes{round_key}};
    end else begin : gen_cipher
      logic [Lanes*128-1:0] state_q, keyed;
      always_ff @(posedge clk) if (advance) state_q <= gen_round[r-1].state_d;

      for (genvar l = 0; l < Lanes; l++) begin : gen_lane
        logic [127:0] shifted, mixed;

        aes_sub_shift u_sub_shift (
            .clk    (clk),
            .en_i   (advance),
            .state_i(state_q[l*128+:128]),
            .state_o(shifted)
        );
        if (r < MaxRounds) begin : gen_mix
          aes_mix_columns u_mix (
              .state_i(shifted),
              .state_o(mixed)
          );
        end else begin : gen_no_mix
          assign mixed = shifted;
        end
        assign keyed[l*128+:128] = mixed ^ round_key;
      end

      if (r <= MaxRounds - MinRounds) begin : gen_optional
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
        assign state_d = SkipWidth'(r) <= skip_q[r*SubStages*SkipWidth+:SkipWidth] ? unchanged : keyed;
      end else begin : gen_always
        assign state_d = keyed;
      end
    end
  end

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

  logic unused;  // the last places carry context and key size no further
  assign unused = &{1'b0, context_q[Last*ContextWidth+:ContextWidth], skip_q};

  if (MinRounds < 10 || MaxRounds > 14 || MinRounds > MaxRounds || SubStages < 1) begin : gen_bad
    $error("aes_pipelined: needs 10 <= MinRounds <= MaxRounds <= 14 and SubStages of at least 1");
  end
endmodule
