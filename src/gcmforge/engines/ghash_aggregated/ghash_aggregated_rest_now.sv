// SPDX-License-Identifier: Apache-2.0
// How far a turn's row of powers is to be moved, used in the cycle in which it is known.
// Latency: none. Throughput: one value a cycle.
module ghash_aggregated_rest_now #(
    parameter int Width = 4
) (
    input  logic [Width-1:0] now_i,
    output logic [Width-1:0] rest_o
);
  assign rest_o = now_i;
endmodule
