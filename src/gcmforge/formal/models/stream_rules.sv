// SPDX-License-Identifier: Apache-2.0
// stream_rules for proofs of a whole core: blocks of 128 bits are data, and are not compared. What
// is said of them stands above them in a word.
module stream_rules #(
    parameter int Width = 8
) (
    input logic             clk,
    input logic             rst,
    input logic             valid_i,
    input logic             ready_i,
    input logic [Width-1:0] data_i
);
  localparam int Said = Width % 128;
  logic waits_q;
  logic [Said:0] said, said_q;

  if (Said > 0) assign said = {1'b0, data_i[Width-1-:Said]};
  else assign said = '0;

  always_ff @(posedge clk) begin
    waits_q <= !rst && valid_i && !ready_i;
    said_q  <= said;
  end

  always_comb
    if (!rst && waits_q) begin
      stays_offered : assert (valid_i);
      stays_the_same : assert (said == said_q);
    end
endmodule
