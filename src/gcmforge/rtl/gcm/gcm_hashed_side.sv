// SPDX-License-Identifier: Apache-2.0
// Blocks of a slot for GHASH, in gcm_join: AAD that came with the beat, then the beat.
// Latency: combinational. Throughput: one slot a cycle.
module gcm_hashed_side (
    input  logic                               side_i,   // there is AAD with it
    input  logic [gcm_pkg::SIDE_LANES*128-1:0] aad_i,
    input  logic [         gcm_pkg::WIDTH-1:0] beat_i,
    output logic [    gcm_pkg::HASH_WIDTH-1:0] hashed_o
);
  localparam int AadWidth = gcm_pkg::SIDE_LANES * 128;

  assign hashed_o = side_i ? {aad_i, beat_i} : {beat_i, AadWidth'(0)};
endmodule
