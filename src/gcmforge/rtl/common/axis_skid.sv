// SPDX-License-Identifier: Apache-2.0
// Two-entry buffer that registers both directions of a valid/ready stream.
// Latency: 1 cycle. Throughput: one word a cycle.
module axis_skid #(
    parameter int Width = 8
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             in_valid_i,
    output logic             in_ready_o,
    input  logic [Width-1:0] in_data_i,
    output logic             out_valid_o,
    input  logic             out_ready_i,
    output logic [Width-1:0] out_data_o
);
  logic [Width-1:0] data_q, spare_q;
  logic valid_q, spare_valid_q;
  logic ready_q;  // what spare_valid_q says, without the words that it chooses to drive
  logic load;     // the output register takes a word, or becomes empty
  logic spare_valid_d;

  assign in_ready_o  = ready_q;
  assign out_valid_o = valid_q;
  assign out_data_o  = data_q;
  assign load          = out_ready_i || !valid_q;
  assign spare_valid_d = !load && (spare_valid_q || in_valid_i);

  always_ff @(posedge clk) begin
    if (load) data_q <= spare_valid_q ? spare_q : in_data_i;
    if (!spare_valid_q) spare_q <= in_data_i;
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      valid_q       <= 1'b0;
      spare_valid_q <= 1'b0;
      ready_q       <= 1'b1;
    end else begin
      if (load) valid_q <= spare_valid_q || in_valid_i;
      spare_valid_q <= spare_valid_d;
      ready_q       <= !spare_valid_d;
    end
  end
endmodule
