// SPDX-License-Identifier: Apache-2.0
// What the profiles share: a command goes on to the core in the cycle in which it comes, and its
// header waits here for the packet's data.
// Latency: none for a command; that of profile_prepend for data. Throughput: a command a cycle;
// data as profile_prepend has it. Depth headers wait.
module profile_path #(
    parameter int Lanes = 1,
    parameter int ShortBytes = 8,
    parameter int LongBytes = 12,
    parameter int AadLanes = 0,
    parameter int Depth = 4,
    localparam int Bytes = 16 * Lanes,
    localparam int SideLanes = AadLanes > 0 ? AadLanes : 1
) (
    input  logic                     clk,
    input  logic                     rst,
    // commands, each with its header; byte 0 in the low bits
    input  logic                     command_valid_i,
    output logic                     command_ready_o,
    input  logic                     header_long_i,
    input  logic [  8*LongBytes-1:0] header_i,
    output logic                     core_command_valid_o,
    input  logic                     core_command_ready_i,
    // the packet's own beats
    input  logic                     in_valid_i,
    output logic                     in_ready_o,
    input  logic [      8*Bytes-1:0] in_data_i,
    input  logic [        Bytes-1:0] in_keep_i,
    input  logic                     in_text_i,
    input  logic                     in_last_i,
    // beats for the core
    output logic                     out_valid_o,
    input  logic                     out_ready_i,
    output logic [      8*Bytes-1:0] out_data_o,
    output logic [        Bytes-1:0] out_keep_o,
    output logic                     out_text_o,
    output logic                     out_last_o,
    output logic [128*SideLanes-1:0] side_o,
    output logic [ 16*SideLanes-1:0] side_keep_o
);
  logic room, header_valid, header_ready, header_long;
  logic [8*LongBytes-1:0] header;

  assign core_command_valid_o = command_valid_i && room;
  assign command_ready_o      = core_command_ready_i && room;

  gcm_fifo #(
      .Width(8 * LongBytes + 1),
      .Depth(Depth)
  ) u_headers (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (command_valid_i && core_command_ready_i),
      .in_ready_o (room),
      .in_data_i  ({header_long_i, header_i}),
      .out_valid_o(header_valid),
      .out_ready_i(header_ready),
      .out_data_o ({header_long, header})
  );

  profile_prepend #(
      .Lanes     (Lanes),
      .ShortBytes(ShortBytes),
      .LongBytes (LongBytes),
      .AadLanes  (AadLanes)
  ) u_prepend (
      .clk           (clk),
      .rst           (rst),
      .header_valid_i(header_valid),
      .header_ready_o(header_ready),
      .header_long_i (header_long),
      .header_i      (header),
      .in_valid_i    (in_valid_i),
      .in_ready_o    (in_ready_o),
      .in_data_i     (in_data_i),
      .in_keep_i     (in_keep_i),
      .in_text_i     (in_text_i),
      .in_last_i     (in_last_i),
      .out_valid_o   (out_valid_o),
      .out_ready_i   (out_ready_i),
      .out_data_o    (out_data_o),
      .out_keep_o    (out_keep_o),
      .out_text_o    (out_text_o),
      .out_last_o    (out_last_o),
      .side_o        (side_o),
      .side_keep_o   (side_keep_o)
  );
endmodule
