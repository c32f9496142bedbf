// SPDX-License-Identifier: Apache-2.0
// MACsec around a core: IV and header from the fields of a frame's SecTAG, IEEE 802.1AE-2018.
//
//   AAD = destination || source || SecTAG [|| what of the frame is only protected]
//   SecTAG = 88-E5 || TCI and AN || SL || low half of PN [|| SCI, where TCI says so]    (9.3)
//   IV = SCI || PN                      GCM-AES-128 and GCM-AES-256                    (14.5, 14.6)
//   IV = (SSCI || 64 bits of PN) ^ salt  GCM-AES-XPN-128 and GCM-AES-XPN-256    (14.7, 14.8)
//
// Salt and the kind of PN are loaded with the key and belong to its context. The rest of the frame
// comes on s_axis: as text where it is encrypted, as AAD where it is only protected; a
// confidentiality offset is AAD before text.
//
// Latency: that of profile_prepend more than the core's. Throughput: that of profile_prepend for a
// header of 20 bytes, or 28 with SCI; a command a cycle.
module profile_macsec #(
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
    // keys, handed on when there is room for salt and xpn
    input  logic                     s_key_tvalid,
    output logic                     s_key_tready,
    input  logic [ ContextWidth-1:0] s_key_context,
    input  logic [             95:0] s_key_salt,
    input  logic                     s_key_xpn,
    output logic                     core_s_key_tvalid,
    input  logic                     core_s_key_tready,
    // commands
    input  logic                     s_cmd_tvalid,
    output logic                     s_cmd_tready,
    input  logic [ ContextWidth-1:0] s_cmd_context,
    input  logic [             47:0] s_cmd_destination,
    input  logic [             47:0] s_cmd_source,
    input  logic [              7:0] s_cmd_tci_an,
    input  logic [              7:0] s_cmd_sl,
    input  logic [             63:0] s_cmd_pn,
    input  logic [             63:0] s_cmd_sci,
    input  logic [             31:0] s_cmd_ssci,
    output logic                     core_s_cmd_tvalid,
    input  logic                     core_s_cmd_tready,
    output logic [              4:0] core_s_cmd_tag_bytes,
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
  localparam logic [15:0] ETHERTYPE = 16'he588;  // 88-E5, first byte in the low bits
  localparam int ShortBytes = 20;
  localparam int LongBytes = 28;
  localparam int TCI_SC = 5;  // the SecTAG has an SCI

  logic clk, rst;
  assign clk = aclk;
  assign rst = !aresetn;

  // ---- numbers are sent with their highest byte first
  logic [31:0] ssci;
  logic [63:0] pn;

  for (genvar b = 0; b < 4; b++) begin : gen_ssci
    assign ssci[8*b+:8] = s_cmd_ssci[8*(3-b)+:8];
  end
  for (genvar b = 0; b < 8; b++) begin : gen_pn
    assign pn[8*b+:8] = s_cmd_pn[8*(7-b)+:8];
  end

  logic [95:0] salt, iv;
  logic xpn;

  // ---- what a context's key brought along; a command sees what is there in its own cycle
  logic erasing;

  assign core_s_key_tvalid = s_key_tvalid && !erasing;
  assign s_key_tready      = core_s_key_tready && !erasing;

  profile_store #(
      .Width   (97),
      .Contexts(Contexts)
  ) u_store (
      .clk         (clk),
      .rst         (rst),
      .clear_i     (zeroise),
      .busy_o      (erasing),
      .write_i     (s_key_tvalid && s_key_tready),
      .write_at_i  (s_key_context),
      .write_data_i({s_key_xpn, s_key_salt}),
      .read_at_i   (s_cmd_context),
      .read_data_o ({xpn, salt})
  );

  logic header_long;
  logic [8*LongBytes-1:0] header;

  assign iv          = xpn ? {pn, ssci} ^ salt : {pn[63:32], s_cmd_sci};
  assign header_long = s_cmd_tci_an[TCI_SC];
  assign header      = {
    s_cmd_sci, pn[63:32], s_cmd_sl, s_cmd_tci_an, ETHERTYPE, s_cmd_source, s_cmd_destination
  };

  assign core_s_cmd_tag_bytes = 5'd16;
  assign core_s_cmd_iv_bytes  = 16'd12;
  assign core_s_cmd_iv        = {32'b0, iv};

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
