// SPDX-License-Identifier: Apache-2.0
// Commands between gcm_ahead and gcm_issue where key stream is made for several packets: a queue,
// in the order of the key streams. A command goes into it before its blocks are made.
//
// Latency: 1 cycle from in_valid_i to told_o and to out_valid_o. Throughput: a command in 2 cycles.
module gcm_ahead_commands_queue #(
    parameter int Width = 8,
    parameter int Places = 4  // at least 2
) (
    input  logic             clk,
    input  logic             rst,
    // oldest command
    input  logic             in_valid_i,
    output logic             in_ready_o,
    input  logic [Width-1:0] in_data_i,
    output logic             told_o,       // its blocks may be made
    input  logic             start_i,      // they are begun
    // to gcm_issue
    output logic             out_valid_o,
    input  logic             out_ready_i,
    output logic [Width-1:0] out_data_o
);
  logic told_q, taken_q;  // taken: gcm_issue took a command a cycle ago
  logic tell, space, some;

  assign tell        = in_valid_i && !told_q;
  assign told_o      = told_q;
  assign in_ready_o  = start_i;
  assign out_valid_o = some && !taken_q;

  always_ff @(posedge clk)
    if (rst) begin
      told_q  <= 1'b0;
      taken_q <= 1'b0;
    end else begin
      told_q  <= (tell && space) || (told_q && !start_i);
      taken_q <= out_valid_o && out_ready_i;
    end

  gcm_fifo #(
      .Width(Width),
      .Depth(Places),
      .Eager(1'b1)
  ) u_commands (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (tell),
      .in_ready_o (space),
      .in_data_i  (in_data_i),
      .out_valid_o(some),
      .out_ready_i(taken_q),
      .out_data_o (out_data_o)
  );
endmodule
