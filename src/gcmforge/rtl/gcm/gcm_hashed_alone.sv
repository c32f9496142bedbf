// SPDX-License-Identifier: Apache-2.0
// Blocks of a slot for GHASH, in gcm_join: its beat.
// Latency: combinational. Throughput: one slot a cycle.
module gcm_hashed_alone (
    input  logic [     gcm_pkg::WIDTH-1:0] beat_i,
    output logic [gcm_pkg::HASH_WIDTH-1:0] hashed_o
);
  assign hashed_o = beat_i;
endmodule
