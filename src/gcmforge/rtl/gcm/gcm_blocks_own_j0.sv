// SPDX-License-Identifier: Apache-2.0
// The blocks of a slot for the AES, with a lane of its own for J0, which masks the tag: the last.
// Latency: combinational. Throughput: a slot a cycle.
module gcm_blocks_own_j0 (
    input  logic [                 127:0] j0_i,
    input  logic [ gcm_pkg::LANES*32-1:0] counters_i,
    input  logic                          zero_i,      // the block is zero, for a hash subkey
    output logic [    gcm_pkg::LANES-1:0] has_j0_o,    // no other lane
    output logic [gcm_pkg::AES_WIDTH-1:0] blocks_o
);
  localparam int Lanes = gcm_pkg::LANES;

  assign has_j0_o = '0;
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int Low = Lanes - 1 - l;
    assign blocks_o[128*(Low+1)+:128] =
        zero_i ? 128'b0 : {j0_i[127:32], counters_i[32*Low+:32]};
  end
  assign blocks_o[127:0] = j0_i;
endmodule
