// SPDX-License-Identifier: Apache-2.0
// Round keys for the segments' pipelines of AES rounds, stored once for every context next to the
// stages that add them; each segment reads those of its own packet. Round r adds its key at place
// r * SubStages. Shorter keys leave out the rounds from the third on.
//
// Round keys cross the whole core. On their way they pass a register here, and one that three
// rounds share, so that no path is longer than from the one to the other.
//
// Latency: a segment's key of round r is that of the beat at place r * SubStages; a round key is
// in place 3 cycles after it came. Throughput: one beat a step, each segment of any context.
module segments_schedule_stored #(
    parameter int Segments = 2,
    parameter int MaxRounds = 14,
    parameter int SubStages = 1,
    localparam int ContextWidth = gcm_pkg::CONTEXT_WIDTH
) (
    input  logic                                  clk,
    input  logic                                  advance_i,     // all places move
    input  logic [     Segments*ContextWidth-1:0] in_context_i,
    // of segment g and round r in keys_o[128*((MaxRounds+1)*g+r)+:128]
    output logic [Segments*(MaxRounds+1)*128-1:0] keys_o,
    // round keys; no block of the same context is inside from the first one until 3 cycles after
    // the last. Size and round stand from the cycle before key_valid_i on.
    input  logic                                  key_valid_i,
    input  logic [              ContextWidth-1:0] key_context_i,
    input  logic [                           1:0] key_size_i,
    input  logic [                           3:0] key_round_i,
    input  logic [                         127:0] key_data_i
);
  localparam int Last = MaxRounds * SubStages;
  localparam int Word = Segments * ContextWidth;
  localparam int Near = 3;  // rounds that share a register on the way
  localparam int Ways = (MaxRounds + Near) / Near;

  logic [(Last+1)*Word-1:0] context_q;  // of places 0 to Last
  logic key_valid_q;
  logic [ContextWidth-1:0] key_context_q;
  logic [1:0] key_size_q;
  logic [3:0] key_round_q;
  logic [127:0] key_data_q;
  logic [3:0] key_stage;  // the stage of this round: the skipped ones come after the second
  logic [MaxRounds:0] key_here_q;  // which stage that is, found a cycle ahead
  logic [MaxRounds:0] write;
  logic [Ways*ContextWidth-1:0] write_context;
  logic [Ways*128-1:0] write_data;

  always_ff @(posedge clk) begin
    key_valid_q   <= key_valid_i;
    key_context_q <= key_context_i;
    key_size_q    <= key_size_i;
    key_round_q   <= key_round_i;
    key_data_q    <= key_data_i;
  end

  assign key_stage = key_round_q <= 4'd2 ? key_round_q
      : key_round_q + 4'(MaxRounds - 10) - {1'b0, key_size_q, 1'b0};
  always_ff @(posedge clk) for (int r = 0; r <= MaxRounds; r++) key_here_q[r] <= key_stage == 4'(r);

  for (genvar w = 0; w < Ways; w++) begin : gen_way
    localparam int Rounds = w == Ways - 1 ? MaxRounds + 1 - Near * w : Near;
    gcm_copy #(
        .Width(Rounds + ContextWidth + 128)
    ) u_way (
        .clk    (clk),
        .value_i({{Rounds{key_valid_q}} & key_here_q[Near*w+:Rounds], key_context_q, key_data_q}),
        .value_o({write[Near*w+:Rounds], write_context[ContextWidth*w+:ContextWidth],
                  write_data[128*w+:128]})
    );
  end

  always_ff @(posedge clk)
    if (advance_i) context_q <= ((Last + 1) * Word)'({context_q, in_context_i});

  for (genvar r = 0; r <= MaxRounds; r++) begin : gen_round
    logic [128*Segments-1:0] found;

    segments_store #(
        .Width(128),
        .Depth(gcm_pkg::CONTEXTS),
        .Reads(Segments)
    ) u_key (
        .clk         (clk),
        .write_i     (write[r]),
        .write_addr_i(write_context[ContextWidth*(r/Near)+:ContextWidth]),
        .write_data_i(write_data[128*(r/Near)+:128]),
        .read_addr_i (context_q[r*SubStages*Word+:Word]),
        .read_data_o (found)
    );
    for (genvar g = 0; g < Segments; g++) begin : gen_segment
      assign keys_o[128*((MaxRounds+1)*g+r)+:128] = found[128*g+:128];
    end
  end
endmodule
