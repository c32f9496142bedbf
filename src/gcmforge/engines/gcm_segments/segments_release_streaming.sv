// SPDX-License-Identifier: Apache-2.0
// Text leaves at once, whatever its packet's verdict will be.
// Latency: 1 cycle. Throughput: one beat a cycle.
module segments_release_streaming #(
    parameter int Segments = 2,
    localparam int Lanes = gcm_pkg::LANES,
    localparam int EmptyWidth = $clog2(16 * Lanes / Segments + 1)
) (
    input  logic                           clk,
    input  logic                           rst,
    input  logic                           in_valid_i,   // a beat passes
    input  logic [          Lanes*128-1:0] in_text_i,
    input  logic [           Segments-1:0] in_used_i,    // of each segment: it is text that leaves
    input  logic [           Segments-1:0] in_start_i,
    input  logic [           Segments-1:0] in_end_i,
    input  logic [EmptyWidth*Segments-1:0] in_empty_i,
    output logic                           in_soon_o,    // in the next cycle there is room
    output logic                           out_valid_o,
    input  logic                           out_ready_i,
    output logic [          Lanes*128-1:0] out_text_o,
    output logic [           Segments-1:0] out_used_o,
    output logic [           Segments-1:0] out_start_o,
    output logic [           Segments-1:0] out_end_o,
    output logic [EmptyWidth*Segments-1:0] out_empty_o
);
  segments_out #(
      .Width(Lanes * 128 + (3 + EmptyWidth) * Segments)
  ) u_out (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (in_valid_i && in_used_i != '0),
      .in_data_i  ({in_text_i, in_used_i, in_start_i, in_end_i, in_empty_i}),
      .in_soon_o  (in_soon_o),
      .out_valid_o(out_valid_o),
      .out_ready_i(out_ready_i),
      .out_data_o ({out_text_o, out_used_o, out_start_o, out_end_o, out_empty_o})
  );
endmodule
