// SPDX-License-Identifier: Apache-2.0
// Two words before a port whose ready is a register; it tells a cycle ahead that it takes one more.
// Latency: 1 cycle. Throughput: one word a cycle.
module segments_out #(
    parameter int Width = 8
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             in_valid_i,
    input  logic [Width-1:0] in_data_i,
    output logic             in_soon_o,    // in the next cycle there is room, whatever comes now
    output logic             out_valid_o,
    input  logic             out_ready_i,
    output logic [Width-1:0] out_data_o
);
  logic [Width-1:0] data_q, spare_q;
  logic valid_q, spare_valid_q, spare_valid_d;
  logic load;  // the output register takes a word, or becomes empty

  assign load          = out_ready_i || !valid_q;
  assign spare_valid_d = !load && (spare_valid_q || in_valid_i);
  assign in_soon_o     = !spare_valid_d;
  assign out_valid_o   = valid_q;
  assign out_data_o    = data_q;

  always_ff @(posedge clk) begin
    if (load) data_q <= spare_valid_q ? spare_q : in_data_i;
    if (!spare_valid_q) spare_q <= in_data_i;
  end

  always_ff @(posedge clk)
    if (rst) begin
      valid_q       <= 1'b0;
      spare_valid_q <= 1'b0;
    end else begin
      if (load) valid_q <= spare_valid_q || in_valid_i;
      spare_valid_q <= spare_valid_d;
    end

  // synthesis translate_off
  always_ff @(posedge clk) assert (rst || !(in_valid_i && spare_valid_q));
  // synthesis translate_on
endmodule
