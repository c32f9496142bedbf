// SPDX-License-Identifier: Apache-2.0
// One more than a value that changes seldom, made in two parts so that no carry is long.
//
// Latency: 1 cycle from a value to the one after it. Throughput: a value that stands for two
// cycles.
module gcm_increment #(
    parameter int Width = 32
) (
    input  logic             clk,
    input  logic [Width-1:0] value_i,
    output logic [Width-1:0] next_o    // right in a cycle in which value_i is what it was before
);
  localparam int Low = (Width + 1) / 2;

  logic [Low-1:0] low_q;
  always_ff @(posedge clk) low_q <= value_i[Low-1:0] + Low'(1);

  if (Width > Low) begin : gen_high
    logic [Width-Low-1:0] high_q;
    logic full_q;  // the low part goes over
    always_ff @(posedge clk) begin
      full_q <= value_i[Low-1:0] == '1;
      high_q <= value_i[Width-1:Low] + (Width - Low)'(1);
    end
    assign next_o = {full_q ? high_q : value_i[Width-1:Low], low_q};
  end else begin : gen_low
    assign next_o = low_q;
  end
endmodule
