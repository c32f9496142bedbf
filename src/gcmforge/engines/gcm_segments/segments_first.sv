// SPDX-License-Identifier: Apache-2.0
// The first status that is not OK within runs of segments: from the start of a segment's run to
// itself.
// Latency: combinational, a choice for each doubling of Segments. Throughput: one beat a cycle.
module segments_first #(
    parameter int Segments = 2
) (
    input  logic [  Segments-1:0] first_i,   // a run starts
    input  logic [3*Segments-1:0] status_i,
    output logic [3*Segments-1:0] status_o
);
  localparam int Levels = $clog2(Segments);

  logic [3*Segments*(Levels+1)-1:0] found;
  logic [Segments*(Levels+1)-1:0] closed;  // what comes before is of no matter

  assign found[3*Segments-1:0] = status_i;
  assign closed[Segments-1:0]  = first_i;

  for (genvar k = 0; k < Levels; k++) begin : gen_level
    for (genvar g = 0; g < Segments; g++) begin : gen_segment
      localparam int From = k * Segments + g;
      localparam int To = From + Segments;
      if (g < 2 ** k) begin : gen_done
        assign found[3*To+:3] = found[3*From+:3];
        assign closed[To]     = closed[From];
      end else begin : gen_more
        localparam int Before = From - 2 ** k;
        assign found[3*To+:3] = closed[From] || found[3*Before+:3] == gcm_pkg::STATUS_OK
            ? found[3*From+:3] : found[3*Before+:3];
        assign closed[To] = closed[From] || closed[Before];
      end
    end
  end

  assign status_o = found[3*Segments*Levels+:3*Segments];
endmodule
