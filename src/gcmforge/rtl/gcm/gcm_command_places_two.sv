// SPDX-License-Identifier: Apache-2.0
// Two places for command beats, in gcm_command. What decides when a command starts leaves from
// registers; the expected tag and the IV do not. The place that is free takes whatever is there.
// Latency: 1 cycle. Throughput: one beat a cycle.
module gcm_command_places_two #(
    parameter int Width = 8
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             in_valid_i,
    output logic             in_ready_o,
    input  logic [Width-1:0] in_fields_i,
    input  logic [    255:0] in_blocks_i,
    output logic             out_valid_o,
    output logic             out_two_o,     // two beats are here
    input  logic             out_ready_i,   // only with out_valid_o
    output logic [Width-1:0] out_fields_o,
    output logic [    255:0] out_blocks_o
);
  logic [255:0] blocks_q[0:1];
  logic write_q, read_q;

  always_ff @(posedge clk) if (in_ready_o) blocks_q[write_q] <= in_blocks_i;
  always_ff @(posedge clk)
    if (rst) begin
      write_q <= 1'b0;
      read_q  <= 1'b0;
    end else begin
      write_q <= write_q ^ (in_valid_i && in_ready_o);
      read_q  <= read_q ^ out_ready_i;
    end
  assign out_blocks_o = blocks_q[read_q];
  assign out_two_o    = !in_ready_o;

  axis_skid #(
      .Width(Width)
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
