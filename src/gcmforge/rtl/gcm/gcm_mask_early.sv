// SPDX-License-Identifier: Apache-2.0
// What a packet's digest is compared with, in gcm_join: E(K, J0) added to the expected tag.
// E(K, J0) comes with any slot of the packet, in the first lane that is free in the AES, and is
// kept until the packet ends.
// Latency: combinational. Throughput: one slot a cycle.
module gcm_mask_early (
    input  logic                            clk,
    input  logic                            passes_i,
    input  logic                            has_j0_i,  // the slot
    input  logic                            aad_i,     // it is AAD, which leaves all lanes free
    input  logic [gcm_pkg::COUNT_WIDTH-1:0] count_i,   // its blocks
    input  logic [  gcm_pkg::LANES*128-1:0] stream_i,
    input  logic [                   127:0] tag_i,
    output logic [                   127:0] mask_o
);
  localparam int Lanes = gcm_pkg::LANES;

  logic [127:0] j0, early_q;  // in this slot; from an earlier one of the packet

  always_comb begin
    j0 = '0;
    for (int l = 0; l < Lanes; l++)
      if (aad_i ? l == 0 : count_i == gcm_pkg::COUNT_WIDTH'(l))
        j0 = j0 | stream_i[(Lanes-1-l)*128+:128];
  end
  always_ff @(posedge clk) if (passes_i && has_j0_i) early_q <= j0;
  assign mask_o = (has_j0_i ? j0 : early_q) ^ tag_i;
endmodule
