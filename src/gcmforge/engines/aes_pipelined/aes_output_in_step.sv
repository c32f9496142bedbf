// SPDX-License-Identifier: Apache-2.0
// The end of a pipeline of AES rounds that its user moves: out_ready_i moves every place, nothing
// waits after the last round, and the user knows which place holds a beat. out_valid_o is always
// high and tells nothing.
//
// Latency: 1 cycle from the last place to the user. Throughput: one beat a cycle.
module aes_output_in_step #(
    parameter int Lanes = 1
) (
    input  logic                 clk,
    output logic                 advance_o,   // all places move
    input  logic [Lanes*128-1:0] state_i,     // at the last place, after the last round
    output logic                 out_valid_o,
    input  logic                 out_ready_i,
    output logic [Lanes*128-1:0] out_blocks_o
);
  logic [Lanes*128-1:0] out_q;

  always_ff @(posedge clk) if (advance_o) out_q <= state_i;

  assign advance_o    = out_ready_i;
  assign out_valid_o  = 1'b1;
  assign out_blocks_o = out_q;
endmodule
