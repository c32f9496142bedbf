// SPDX-License-Identifier: Apache-2.0
// What a packet's digest is compared with, in gcm_join: E(K, J0), which has an AES lane of its own,
// added to the expected tag.
// Latency: combinational. Throughput: one slot a cycle.
module gcm_mask_own_j0 (
    input  logic [127:0] j0_i,
    input  logic [127:0] tag_i,
    output logic [127:0] mask_o
);
  assign mask_o = j0_i ^ tag_i;
endmodule
