// SPDX-License-Identifier: Apache-2.0
// Beats of data on their way in, in gcm_front: two places.
// Latency: 1 cycle. Throughput: one beat a cycle.
module gcm_input_plain #(
    parameter int Width = 8
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             in_valid_i,
    output logic             in_ready_o,
    input  logic [Width-1:0] in_beat_i,
    output logic             out_valid_o,
    input  logic             out_ready_i,
    output logic [Width-1:0] out_beat_o,
    // no AAD comes with them
    output logic [    127:0] out_side_o,
    output logic [     15:0] out_side_keep_o
);
  axis_skid #(
      .Width(Width)
  ) u_input (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (in_valid_i),
      .in_ready_o (in_ready_o),
      .in_data_i  (in_beat_i),
      .out_valid_o(out_valid_o),
      .out_ready_i(out_ready_i),
      .out_data_o (out_beat_o)
  );
  assign out_side_o      = '0;
  assign out_side_keep_o = '0;
endmodule
