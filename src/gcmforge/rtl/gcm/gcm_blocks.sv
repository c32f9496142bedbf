// SPDX-License-Identifier: Apache-2.0
// The counter blocks of a beat, lane by lane. J0, which masks the tag, has the lane after the last
// block, or the first lane in a slot without text, or a lane of its own with OWN_J0.
//
// With COUNTER_SHARING the AES builds what the blocks have in common once: bytes 0 to 11 are the
// same in all of them, and bytes 12 to 14 have at most two values, that of the first lane and that
// of the last. Counters take the second value after a carry out of byte 15; J0 takes it in the
// closing lane. So J0 cannot go with a beat of text in which counters have both values.
//
// Latency: combinational; the upper part of the counter stands for two cycles at least. Throughput:
// a beat a cycle.
module gcm_blocks (
    input  logic                            clk,
    input  logic [                   127:0] j0_i,
    input  logic [                    31:0] counter_i,     // of the first lane
    input  logic [      gcm_pkg::LANES-1:0] counted_i,     // lanes that have a block of text
    input  logic [gcm_pkg::COUNT_WIDTH-1:0] count_i,       // blocks of the beat
    input  logic                            j0_here_i,     // the slot has J0
    input  logic                            close_i,       // and nothing else
    input  logic                            aad_i,         // or AAD
    input  logic                            zero_i,        // the block is zero, for a hash subkey
    output logic                            two_values_o,  // of bytes 12 to 14
    output logic [                    23:0] upper_next_o,  // counter's upper part after a carry
    output logic [      gcm_pkg::LANES-1:0] has_j0_o,
    output logic [  gcm_pkg::AES_WIDTH-1:0] blocks_o
);
  localparam int Lanes = gcm_pkg::LANES;
  localparam int CountWidth = gcm_pkg::COUNT_WIDTH;
  localparam bit OwnJ0 = gcm_pkg::OWN_J0;
  localparam int J0Lanes = OwnJ0 ? 1 : 0;

  logic [Lanes-1:0] carried;  // byte 15 carries in this lane or in one before it
  logic [Lanes*8-1:0] low;
  logic first_lane;

  assign first_lane   = close_i || (gcm_pkg::OWN_TAIL && aad_i);
  assign two_values_o = gcm_pkg::COUNTER_SHARING && |(carried & counted_i);

  gcm_increment #(
      .Width(24)
  ) u_upper_next (
      .clk    (clk),
      .value_i(counter_i[31:8]),
      .next_o (upper_next_o)
  );

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int Low = (Lanes - 1 - l + J0Lanes) * 128;
    logic [23:0] upper;

    assign {carried[l], low[8*l+:8]} = {1'b0, counter_i[7:0]} + 9'(l);
    assign has_j0_o[l] = j0_here_i && !OwnJ0 && (first_lane ? l == 0 : count_i == CountWidth'(l));
    assign upper = j0_here_i && !OwnJ0 && (close_i || !counted_i[l]) ? j0_i[31:8]
        : carried[l] ? upper_next_o : counter_i[31:8];
    assign blocks_o[Low+:128] = zero_i ? 128'b0
        : {j0_i[127:32], upper, has_j0_o[l] ? j0_i[7:0] : low[8*l+:8]};
  end
  if (OwnJ0) begin : gen_j0_lane
    assign blocks_o[127:0] = j0_i;
  end
endmodule
