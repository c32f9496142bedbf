// SPDX-License-Identifier: Apache-2.0
// The AES of a segmented core: for each segment a pipeline for its blocks and J0, each under the
// key of its own packet.
// Latency: that of segments_rounds. Throughput: one beat a step.
module segments_aes #(
    parameter int Segments = 2,
    parameter int SubStages = 1,
    localparam int Lanes = gcm_pkg::LANES / Segments + 1,
    localparam int ContextWidth = gcm_pkg::CONTEXT_WIDTH
) (
    input  logic                             clk,
    input  logic                             advance_d_i,   // in the next cycle all places move
    input  logic [             Segments-1:0] valid_i,       // blocks come in that are of use
    input  logic [ContextWidth*Segments-1:0] context_i,
    input  logic [           2*Segments-1:0] size_i,
    input  logic [   128*Lanes*Segments-1:0] blocks_i,
    output logic [   128*Lanes*Segments-1:0] blocks_o,
    // round keys
    input  logic                             key_valid_i,
    input  logic [         ContextWidth-1:0] key_context_i,
    input  logic [                      1:0] key_size_i,
    input  logic [                      3:0] key_round_i,
    input  logic [                    127:0] key_data_i
);
  localparam int MinRounds = gcm_pkg::KEY_SIZES[0] ? 10 : gcm_pkg::KEY_SIZES[1] ? 12 : 14;
  localparam int MaxRounds = gcm_pkg::KEY_SIZES[2] ? 14 : gcm_pkg::KEY_SIZES[1] ? 12 : 10;
  localparam int KeysWidth = (MaxRounds + 1) * 128;

  logic [Segments*KeysWidth-1:0] keys;
  logic keys_advance;

  gcm_copy #(
      .Width(1)
  ) u_keys_advance (
      .clk    (clk),
      .value_i(advance_d_i),
      .value_o(keys_advance)
  );

  segments_schedule_stored #(
      .Segments (Segments),
      .MaxRounds(MaxRounds),
      .SubStages(SubStages)
  ) u_schedule (
      .clk          (clk),
      .advance_i    (keys_advance),
      .in_context_i (context_i),
      .keys_o       (keys),
      .key_valid_i  (key_valid_i),
      .key_context_i(key_context_i),
      .key_size_i   (key_size_i),
      .key_round_i  (key_round_i),
      .key_data_i   (key_data_i)
  );

  for (genvar g = 0; g < Segments; g++) begin : gen_segment
    logic advance;

    gcm_copy #(
        .Width(1)
    ) u_advance (
        .clk    (clk),
        .value_i(advance_d_i),
        .value_o(advance)
    );

    segments_rounds #(
        .Lanes    (Lanes),
        .MinRounds(MinRounds),
        .MaxRounds(MaxRounds),
        .SubStages(SubStages)
    ) u_rounds (
        .clk      (clk),
        .advance_i(advance),
        .valid_i  (valid_i[g]),
        .size_i   (size_i[2*g+:2]),
        .blocks_i (blocks_i[128*Lanes*g+:128*Lanes]),
        .keys_i   (keys[KeysWidth*g+:KeysWidth]),
        .blocks_o (blocks_o[128*Lanes*g+:128*Lanes])
    );
  end
endmodule
