// SPDX-License-Identifier: Apache-2.0
// How many blocks a beat of data has, whole or not: found before the beat is registered, as much
// hangs on it.
// Latency: combinational. Throughput: a beat a cycle.
module gcm_beat_count (
    input  logic [      gcm_pkg::BYTES-1:0] keep_i,   // bit i is byte i
    output logic [gcm_pkg::COUNT_WIDTH-1:0] count_o
);
  localparam int Lanes = gcm_pkg::LANES;
  localparam int CountWidth = gcm_pkg::COUNT_WIDTH;
  localparam int LaneLeaves = 2 ** $clog2(Lanes);

  logic [Lanes-1:0] lane_used;
  for (genvar l = 0; l < Lanes; l++) begin : gen_used
    assign lane_used[l] = keep_i[16*l];
  end

  logic [2*LaneLeaves*CountWidth-1:CountWidth] sums;  // a tree: node n adds nodes 2n and 2n + 1
  assign count_o = sums[CountWidth+:CountWidth];
  for (genvar n = 1; n < LaneLeaves; n++) begin : gen_sum
    assign sums[n*CountWidth+:CountWidth] = sums[2*n*CountWidth+:CountWidth]
        + sums[(2*n+1)*CountWidth+:CountWidth];
  end
  for (genvar l = 0; l < LaneLeaves; l++) begin : gen_leaf
    assign sums[(LaneLeaves+l)*CountWidth+:CountWidth] =
        l < Lanes ? CountWidth'(lane_used[l%Lanes]) : '0;
  end

  logic unused;  // the other bytes of a block
  assign unused = &{1'b0, keep_i};
endmodule
