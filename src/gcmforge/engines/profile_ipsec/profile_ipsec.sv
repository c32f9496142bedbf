// SPDX-License-Identifier: Apache-2.0
// IPsec ESP around a core: nonce and AAD of RFC 4106 from the fields of a packet.
//
//   nonce = salt || IV                                              (section 4)
//   AAD = SPI || sequence number, of 64 bits where ESN is in use    (section 5)
//
// The salt, and whether sequence numbers are extended, are loaded with the key and belong to its
// context. The payload with padding and next header comes on s_axis as text. Extended sequence
// numbers are given whole; else their upper half is not looked at.
//
// Latency: that of profile_prepend more than the core's. Throughput: that of profile_prepend for a
// header of 8 bytes, or 12 with ESN; a command a cycle.
module profile_ipsec #(
    parameter int Lanes = 1,
    parameter int Contexts = 1,
    parameter int AadLanes = 0,
    localparam int Bytes = 16 * Lanes,
    localparam int SideLanes = AadLanes > 0 ? AadLanes : 1,
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                     aclk,
    input  logic                     aresetn,
    input  logic                     zeroise,               // erases what came with keys, too
    // keys, handed on when there is room for salt and esn
    input  logic                     s_key_tvalid,
    output logic                     s_key_tready,
    input  logic [ ContextWidth-1:0] s_key_context,
    input  logic [             31:0] s_key_salt,
    input  logic                     s_key_esn,
    output logic                     core_s_key_tvalid,
    input  logic                     core_s_key_tready,
    // commands
    input  logic                     s_cmd_tvalid,
    output logic                     s_cmd_tready,
    input  logic [ ContextWidth-1:0] s_cmd_context,
    input  logic [             31:0] s_cmd_spi,
    input  logic [             63:0] s_cmd_sequence,
    input  logic [             63:0] s_cmd_explicit_iv,
    output logic                     core_s_cmd_tvalid,
    input  logic                     core_s_cmd_tready,
    output logic [             15:0] core_s_cmd_iv_bytes,
    output logic [            127:0] core_s_cmd_iv,
    // packets
    input  logic                     s_axis_tvalid,
    output logic                     s_axis_tready,
    input  logic [      8*Bytes-1:0] s_axis_tdata,
    input  logic [        Bytes-1:0] s_axis_tkeep,
    input  logic                     s_axis_tuser,
    input  logic                     s_axis_tlast,
    output logic                     core_s_axis_tvalid,
    input  logic                     core_s_axis_tready,
    output logic [      8*Bytes-1:0] core_s_axis_tdata,
    output logic [        Bytes-1:0] core_s_axis_tkeep,
    output logic                     core_s_axis_tuser,
    output logic                     core_s_axis_tlast,
    output logic [128*SideLanes-1:0] core_s_axis_aad,       // of use with AadLanes only
    output logic [ 16*SideLanes-1:0] core_s_axis_aad_keep
);
  localparam int ShortBytes = 8;
  localparam int LongBytes = 12;

  logic clk, rst;
  assign clk = aclk;
  assign rst = !aresetn;

  // ---- numbers are sent with their highest byte first
  logic [31:0] spi;
  logic [63:0] sequence_number;

  for (genvar b = 0; b < 4; b++) begin : gen_spi
    assign spi[8*b+:8] = s_cmd_spi[8*(3-b)+:8];
  end
  for (genvar b = 0; b < 8; b++) begin : gen_sequence_number
    assign sequence_number[8*b+:8] = s_cmd_sequence[8*(7-b)+:8];
  end

  logic [31:0] salt;
  logic esn;

  // ---- what a context's key brought along; a command sees what is there in its own cycle
  logic erasing;

  assign core_s_key_tvalid = s_key_tvalid && !erasing;
  assign s_key_tready      = core_s_key_tready && !erasing;

  profile_store #(
      .Width   (33),
      .Contexts(Contexts)
  ) u_store (
      .clk         (clk),
      .rst         (rst),
      .clear_i     (zeroise),
      .busy_o      (erasing),
      .write_i     (s_key_tvalid && s_key_tready),
      .write_at_i  (s_key_context),
      .write_data_i({s_key_esn, s_key_salt}),
      .read_at_i   (s_cmd_context),
      .read_data_o ({esn, salt})
  );

  logic [8*LongBytes-1:0] header;
  logic header_long;

  assign header_long = esn;
  assign header      = esn ? {sequence_number, spi} : {32'b0, sequence_number[63:32], spi};

  assign core_s_cmd_iv_bytes = 16'd12;
  assign core_s_cmd_iv       = {32'b0, s_cmd_explicit_iv, salt};

  profile_path #(
      .Lanes     (Lanes),
      .ShortBytes(ShortBytes),
      .LongBytes (LongBytes),
      .AadLanes  (AadLanes)
  ) u_path (
      .clk                 (clk),
      .rst                 (rst),
      .command_valid_i     (s_cmd_tvalid),
      .command_ready_o     (s_cmd_tready),
      .header_long_i       (header_long),
      .header_i            (header),
      .core_command_valid_o(core_s_cmd_tvalid),
      .core_command_ready_i(core_s_cmd_tready),
      .in_valid_i          (s_axis_tvalid),
      .in_ready_o          (s_axis_tready),
      .in_data_i           (s_axis_tdata),
      .in_keep_i           (s_axis_tkeep),
      .in_text_i           (s_axis_tuser),
      .in_last_i           (s_axis_tlast),
      .out_valid_o         (core_s_axis_tvalid),
      .out_ready_i         (core_s_axis_tready),
      .out_data_o          (core_s_axis_tdata),
      .out_keep_o          (core_s_axis_tkeep),
      .out_text_o          (core_s_axis_tuser),
      .out_last_o          (core_s_axis_tlast),
      .side_o              (core_s_axis_aad),
      .side_keep_o         (core_s_axis_aad_keep)
  );
endmodule
