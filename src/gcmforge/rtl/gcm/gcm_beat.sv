// SPDX-License-Identifier: Apache-2.0
// What is to be known of a beat of data, when the number of its blocks is: how many bytes the last
// of them has, whether its bytes have holes; and the data with zeros where there are no bytes.
//
// Latency: combinational. Throughput: a beat a cycle.
module gcm_beat (
    // keep bit i is byte i, byte 0 on top of the data
    input  logic [      gcm_pkg::WIDTH-1:0] data_i,
    input  logic [      gcm_pkg::BYTES-1:0] keep_i,
    input  logic                            text_i,     // and has a byte
    input  logic [gcm_pkg::COUNT_WIDTH-1:0] count_i,    // blocks, whole or not
    output logic [      gcm_pkg::LANES-1:0] counted_o,  // lanes that have a block of text
    output logic [                     3:0] tail_o,     // bytes of the last block, less one
    output logic                            full_o,     // its last byte is there
    output logic                            holes_o,
    output logic [      gcm_pkg::WIDTH-1:0] data_o
);
  localparam int Lanes = gcm_pkg::LANES;
  localparam int Bytes = gcm_pkg::BYTES;
  localparam int CountWidth = gcm_pkg::COUNT_WIDTH;

  logic [Lanes-1:0] lane_used, lane_full;
  for (genvar l = 0; l < Lanes; l++) begin : gen_used
    assign lane_used[l] = keep_i[16*l];
    assign lane_full[l] = keep_i[16*l+15];
    assign counted_o[l] = text_i && CountWidth'(l) < count_i;
  end

  logic [15:0] tail_keep;
  logic [Bytes-1:0] mask;
  always_comb begin
    tail_keep = '0;
    for (int l = 0; l < Lanes; l++) begin
      if (lane_used[l] && !lane_full[l]) tail_keep = tail_keep | keep_i[16*l+:16];
    end
    // The last block is full unless some lane is cut short, after the last byte without a hole.
    tail_o = tail_keep == '0 ? 4'd15 : '0;
    for (int i = 1; i < 15; i++) if (tail_keep[i] && !tail_keep[i+1]) tail_o = tail_o | 4'(i);
    for (int i = 0; i < Bytes; i++)
      data_o[Lanes*128-1-8*i-:8] = data_i[Lanes*128-1-8*i-:8] & {8{keep_i[i]}};
  end

  assign full_o  = keep_i[Bytes-1];
  assign mask    = keep_i >> 1;
  assign holes_o = |(mask & ~keep_i);
endmodule
