// SPDX-License-Identifier: Apache-2.0
// How far a turn's row of powers is to be moved, known a cycle before the powers come: it is kept
// in several registers, one for each part of the row.
// Latency: 1 cycle. Throughput: one value a cycle.
module ghash_aggregated_rest_early #(
    parameter int Width  = 4,
    parameter int Copies = 2
) (
    input  logic                    clk,
    input  logic [       Width-1:0] early_i,
    output logic [Copies*Width-1:0] rest_o
);
  for (genvar c = 0; c < Copies; c++) begin : gen_copy
    gcm_copy #(
        .Width(Width)
    ) u_rest (
        .clk    (clk),
        .value_i(early_i),
        .value_o(rest_o[c*Width+:Width])
    );
  end
endmodule
