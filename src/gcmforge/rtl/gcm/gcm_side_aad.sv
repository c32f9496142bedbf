// SPDX-License-Identifier: Apache-2.0
// AAD that comes on ports of its own, in the same transfer as a packet's first beat of text or as
// its only beat. It is moved to the last of the lanes for AAD: zero blocks before a message do not
// change its hash.
//
// Latency: combinational. Throughput: a beat a cycle.
module gcm_side_aad (
    input  logic [gcm_pkg::SIDE_LANES*128-1:0] data_i,
    input  logic [ gcm_pkg::SIDE_LANES*16-1:0] keep_i,
    // the beat that it comes with: not the packet's first, has text, has no byte
    input  logic                               late_i,
    input  logic                               text_i,
    input  logic                               null_i,
    output logic                               any_o,
    output logic                               bad_o,    // has holes, or comes when it may not
    output logic [    gcm_pkg::SIDE_WIDTH-1:0] bytes_o,
    output logic [gcm_pkg::SIDE_LANES*128-1:0] data_o
);
  localparam int AadLanes = gcm_pkg::AAD_LANES;
  localparam int SideWidth = gcm_pkg::SIDE_WIDTH;
  localparam int BlocksWidth = $clog2(AadLanes + 1);

  logic [BlocksWidth-1:0] blocks;
  logic [AadLanes*16-1:0] mask;
  logic [AadLanes*128-1:0] kept;

  assign mask  = keep_i >> 1;
  assign any_o = keep_i != '0;
  assign bad_o = |(mask & ~keep_i) || (any_o && (late_i || (!text_i && !null_i)));

  always_comb begin
    blocks  = '0;
    bytes_o = '0;
    for (int l = 0; l < AadLanes; l++) if (keep_i[16*l]) blocks = blocks + BlocksWidth'(1);
    for (int i = 0; i < 16 * AadLanes; i++) begin
      if (keep_i[i]) bytes_o = bytes_o + SideWidth'(1);
      kept[AadLanes*128-1-8*i-:8] = data_i[AadLanes*128-1-8*i-:8] & {8{keep_i[i]}};
    end
    data_o = '0;
    for (int b = 1; b <= AadLanes; b++)
      if (blocks == BlocksWidth'(b)) data_o = kept >> (128 * (AadLanes - b));
  end
endmodule
