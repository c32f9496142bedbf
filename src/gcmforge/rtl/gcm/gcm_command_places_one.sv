// SPDX-License-Identifier: Apache-2.0
// One place for a command, in gcm_command.
// Latency: 1 cycle. Throughput: a command every two cycles.
module gcm_command_places_one #(
    parameter int Width = 8
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             in_valid_i,
    output logic             in_ready_o,
    input  logic [Width-1:0] in_fields_i,
    input  logic [    255:0] in_blocks_i,
    output logic             out_valid_o,
    output logic             out_two_o,     // never two
    input  logic             out_ready_i,
    output logic [Width-1:0] out_fields_o,
    output logic [    255:0] out_blocks_o
);
  logic [255:0] blocks_q;

  always_ff @(posedge clk) if (in_ready_o) blocks_q <= in_blocks_i;
  assign out_blocks_o = blocks_q;
  assign out_two_o    = 1'b0;

  gcm_fifo #(
      .Width(Width),
      .Depth(1),
      .Eager(1'b1)
  ) u_fields (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (in_valid_i),
      .in_ready_o (in_ready_o),
      .in_data_i  (in_fields_i),
      .out_valid_o(out_valid_o),
      .out_ready_i(out_ready_i),
      .out_data_o (out_fields_o)
  );
endmodule
