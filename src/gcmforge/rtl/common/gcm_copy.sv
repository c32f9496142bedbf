// SPDX-License-Identifier: Apache-2.0
// One of several registers of the same value, each for a part of what reads it: in a module of its
// own, so that no tool makes one register of them again. It has no reset: value_i has to be right
// during a reset, too.
// Latency: 1 cycle. Throughput: one value a cycle.
module gcm_copy #(
    parameter int Width = 4
) (
    input  logic             clk,
    input  logic [Width-1:0] value_i,
    output logic [Width-1:0] value_o
);
  logic [Width-1:0] value_q;
  always_ff @(posedge clk) value_q <= value_i;
  assign value_o = value_q;
endmodule
