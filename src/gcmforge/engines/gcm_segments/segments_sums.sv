// SPDX-License-Identifier: Apache-2.0
// Sums within runs of segments: of all values from the start of a segment's run to itself.
// Latency: combinational, an addition for each doubling of Segments. Throughput: one beat a cycle.
module segments_sums #(
    parameter int Segments = 2,
    parameter int Width = 4
) (
    input  logic [      Segments-1:0] first_i,  // a run starts
    input  logic [Width*Segments-1:0] value_i,
    output logic [Width*Segments-1:0] sum_o
);
  localparam int Levels = $clog2(Segments);

  logic [Width*Segments*(Levels+1)-1:0] sums;
  logic [Segments*(Levels+1)-1:0] closed;  // nothing that comes before belongs to the sum

  assign sums[Width*Segments-1:0] = value_i;
  assign closed[Segments-1:0]     = first_i;

  for (genvar k = 0; k < Levels; k++) begin : gen_level
    for (genvar g = 0; g < Segments; g++) begin : gen_segment
      localparam int From = k * Segments + g;
      localparam int To = From + Segments;
      if (g < 2 ** k) begin : gen_done
        assign sums[Width*To+:Width] = sums[Width*From+:Width];
        assign closed[To]            = closed[From];
      end else begin : gen_more
        localparam int Before = From - 2 ** k;
        assign sums[Width*To+:Width] = sums[Width*From+:Width]
            + (closed[From] ? '0 : sums[Width*Before+:Width]);
        assign closed[To] = closed[From] || closed[Before];
      end
    end
  end

  assign sum_o = sums[Width*Segments*Levels+:Width*Segments];
endmodule
