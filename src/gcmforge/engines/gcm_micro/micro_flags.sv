// SPDX-License-Identifier: Apache-2.0
// A copy of some flags: a module of its own, so that no tool makes one of several copies.
// Latency: 1 cycle. Throughput: one value a cycle.
(* keep_hierarchy = "yes" *)
module micro_flags #(
    parameter int Flags = 8
) (
    input  logic             clk,
    input  logic             rst,
    input  logic [Flags-1:0] flags_i,
    output logic [Flags-1:0] flags_o
);
  always_ff @(posedge clk) flags_o <= flags_i & {Flags{!rst}};
endmodule
