// SPDX-License-Identifier: Apache-2.0
// Blocks of a slot for GHASH, in gcm_join: AAD that came with the beat, then the beat.
// Latency: combinational. Throughput: one slot a cycle.
module gcm_hashed_side (
    input  logic                           side_i,  // there is AAD with it
    input  logic [gcm_pkg::SLOT_WIDTH-1:0] data_i,
    input  logic [     gcm_pkg::WIDTH-1:0] beat_i,
    output logic [gcm_pkg::HASH_WIDTH-1:0] hashed_o
);
  localparam int AadWidth = gcm_pkg::AAD_LANES * 128;

  assign hashed_o = side_i
      ? {data_i[gcm_pkg::SLOT_WIDTH-gcm_pkg::HASH_WIDTH+:AadWidth], beat_i}
      : {beat_i, AadWidth'(0)};
endmodule
