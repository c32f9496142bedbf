// SPDX-License-Identifier: Apache-2.0
// The counters of a beat, lane by lane: bytes 12 to 15 of its counter blocks.
//
// An AES with shared counters builds once what the blocks of a beat have in common: bytes 0 to 11
// are the same in all of them, and bytes 12 to 14 have at most two values, that of the first lane
// and, after a carry out of byte 15, that of the last.
//
// Latency: combinational; the upper part of the counter stands for two cycles at least. Throughput:
// a beat a cycle.
module gcm_lane_counters (
    input  logic                         clk,
    input  logic [                 31:0] counter_i,     // of the first lane
    input  logic [   gcm_pkg::LANES-1:0] counted_i,     // lanes that have a block of text
    output logic                         two_values_o,  // blocks of text have two in bytes 12 to 14
    output logic [                 23:0] upper_next_o,  // counter's upper part after a carry
    output logic [gcm_pkg::LANES*32-1:0] counters_o
);
  localparam int Lanes = gcm_pkg::LANES;

  logic [Lanes-1:0] carried;  // byte 15 carries in this lane or in one before it

  assign two_values_o = |(carried & counted_i);

  gcm_increment #(
      .Width(24)
  ) u_upper_next (
      .clk    (clk),
      .value_i(counter_i[31:8]),
      .next_o (upper_next_o)
  );

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int Low = (Lanes - 1 - l) * 32;
    logic [7:0] low;

    assign {carried[l], low} = {1'b0, counter_i[7:0]} + 9'(l);
    assign counters_o[Low+:32] = {carried[l] ? upper_next_o : counter_i[31:8], low};
  end
endmodule
