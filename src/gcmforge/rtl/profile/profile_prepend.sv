// SPDX-License-Identifier: Apache-2.0
// Puts a header of ShortBytes or LongBytes before each packet's additional authenticated data. What
// the packet brings of that itself follows the header without a gap; its text is left as it is.
// With AadLanes, a header that is all the AAD there is goes on the ports of AAD with the first beat
// instead.
//
// A packet that breaks the framing rules is handed on so that the core finds it broken.
// Latency: 1 cycle, and a cycle for each beat that the header adds. Throughput: a packet of a bytes
// of AAD and t of text takes ceil((header + a) / beat) + ceil(t / beat) cycles; with AadLanes and
// without AAD of its own, ceil(t / beat) and no fewer than one.
module profile_prepend #(
    parameter int Lanes = 1,
    parameter int ShortBytes = 8,
    parameter int LongBytes = 12,
    parameter int AadLanes = 0,
    localparam int Bytes = 16 * Lanes,
    localparam int SideBytes = AadLanes > 0 ? 16 * AadLanes : 16
) (
    input  logic                   clk,
    input  logic                   rst,
    // one header a packet; byte 0 in the low bits, as on the streams
    input  logic                   header_valid_i,
    output logic                   header_ready_o,
    input  logic                   header_long_i,
    input  logic [8*LongBytes-1:0] header_i,
    // the packet's own beats
    input  logic                   in_valid_i,
    output logic                   in_ready_o,
    input  logic [    8*Bytes-1:0] in_data_i,
    input  logic [      Bytes-1:0] in_keep_i,
    input  logic                   in_text_i,
    input  logic                   in_last_i,
    // beats for the core
    output logic                   out_valid_o,
    input  logic                   out_ready_i,
    output logic [    8*Bytes-1:0] out_data_o,
    output logic [      Bytes-1:0] out_keep_o,
    output logic                   out_text_o,
    output logic                   out_last_o,
    output logic [8*SideBytes-1:0] side_o,
    output logic [  SideBytes-1:0] side_keep_o
);
  // Bytes that a header leaves for a beat after its whole ones. They stay before every beat of
  // AAD, so that two fixed shifts are all there is.
  localparam int ShortWhole = ShortBytes / Bytes;
  localparam int LongWhole = LongBytes / Bytes;
  localparam int ShortRest = ShortBytes % Bytes;
  localparam int LongRest = LongBytes % Bytes;
  localparam int Kept = LongRest > ShortRest ? LongRest : ShortRest;
  localparam int Joined = Bytes + Kept;

  typedef enum logic [1:0] {
    PREPEND_START,  // the packet's first beat has not gone
    PREPEND_AAD,    // AAD, after the bytes that wait for it
    PREPEND_END,    // the last of AAD, which had no room in its beat
    PREPEND_REST    // everything as it comes
  } state_t;

  state_t state_q, state_d;
  logic [8*Kept-1:0] kept_q;
  logic [Kept-1:0] kept_keep_q;
  logic last_q;    // PREPEND_END ends the packet
  logic closed_q;  // a beat without a byte told that there is no AAD, and was left out

  // ---- the input, registered on its way
  logic valid, take, text, last;
  logic [8*Bytes-1:0] data;
  logic [Bytes-1:0] keep;

  axis_skid #(
      .Width(9 * Bytes + 2)
  ) u_input (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (in_valid_i),
      .in_ready_o (in_ready_o),
      .in_data_i  ({in_last_i, in_text_i, in_keep_i, in_data_i}),
      .out_valid_o(valid),
      .out_ready_i(take),
      .out_data_o ({last, text, keep, data})
  );

  // ---- what waits, the header's rest or the last beat's, and after it the beat
  logic [8*Kept-1:0] first, first_mask, waiting;
  logic [Kept-1:0] first_keep, waiting_keep;
  logic [8*Joined-1:0] joined;
  logic [Joined-1:0] joined_keep;

  assign first        = (8*Kept)'(header_long_i ? header_i >> (8 * Bytes * LongWhole)
                                 : header_i >> (8 * Bytes * ShortWhole)) & first_mask;
  assign first_keep   = header_long_i ? Kept'((1 << LongRest) - 1) : Kept'((1 << ShortRest) - 1);
  assign waiting      = state_q == PREPEND_START ? first : kept_q;
  assign waiting_keep = state_q == PREPEND_START ? first_keep : kept_keep_q;
  assign joined       = (header_long_i ? (8*Joined)'(data) << (8 * LongRest)
                         : (8*Joined)'(data) << (8 * ShortRest)) | (8*Joined)'(waiting);
  assign joined_keep  = (header_long_i ? Joined'(keep) << LongRest : Joined'(keep) << ShortRest)
      | Joined'(waiting_keep);

  for (genvar b = 0; b < Kept; b++) begin : gen_mask
    assign first_mask[8*b+:8] = {8{first_keep[b]}};
  end

  // ---- what leaves
  logic null_beat, own, with_beat, left_out, whole, over, full, fire;

  assign null_beat = keep == '0;
  assign own       = !text && !null_beat && !closed_q;
  assign with_beat = AadLanes > 0 && state_q == PREPEND_START && !own;
  assign left_out  = with_beat && null_beat && !text && !last;
  assign whole     = header_long_i ? LongWhole > 0 : ShortWhole > 0;
  assign over      = joined_keep[Bytes+:Kept] != '0;
  assign full      = keep[Bytes-1];
  assign fire      = out_valid_o && out_ready_i;

  always_comb begin
    state_d     = state_q;
    out_valid_o = header_valid_i && valid;
    out_data_o  = data;
    out_keep_o  = keep;
    out_text_o  = text;
    out_last_o  = last;
    take        = out_ready_i && header_valid_i;
    side_keep_o = '0;
    if (with_beat) begin
      out_valid_o = header_valid_i && valid && !left_out;
      out_text_o  = text || null_beat;
      side_keep_o = header_long_i ? SideBytes'((64'd1 << LongBytes) - 64'd1)
          : SideBytes'((64'd1 << ShortBytes) - 64'd1);
      take        = header_valid_i && (out_ready_i || left_out);
      state_d     = PREPEND_REST;
    end else if (state_q == PREPEND_START && whole) begin
      out_data_o = (8*Bytes)'(header_i);
      out_keep_o = '1;
      out_text_o = 1'b0;
      out_last_o = 1'b0;
      take       = 1'b0;
      state_d    = PREPEND_AAD;
    end else if (state_q == PREPEND_END) begin
      out_valid_o = header_valid_i;
      out_data_o  = (8*Bytes)'(kept_q);
      out_keep_o  = Bytes'(kept_keep_q);
      out_text_o  = 1'b0;
      out_last_o  = last_q;
      take        = 1'b0;
      state_d     = PREPEND_REST;
    end else if (state_q != PREPEND_REST && own) begin
      out_data_o = joined[0+:8*Bytes];
      out_keep_o = joined_keep[0+:Bytes];
      out_last_o = last && !over;
      if (full && !last) state_d = PREPEND_AAD;
      else state_d = over ? PREPEND_END : PREPEND_REST;
    end else if (state_q != PREPEND_REST) begin
      out_data_o = (8*Bytes)'(waiting);
      out_keep_o = Bytes'(waiting_keep);
      out_text_o = 1'b0;
      out_last_o = null_beat && last;
      take       = out_ready_i && header_valid_i && null_beat && (last || !text);
      state_d    = PREPEND_REST;
    end else state_d = PREPEND_REST;
  end

  for (genvar b = 0; b < SideBytes; b++) begin : gen_side
    if (b < LongBytes) begin : gen_byte
      assign side_o[8*b+:8] = header_i[8*b+:8] & {8{side_keep_o[b]}};
    end else begin : gen_none
      assign side_o[8*b+:8] = '0;
    end
  end

  assign header_ready_o = fire && out_last_o;

  always_ff @(posedge clk) begin
    if (rst) begin
      state_q  <= PREPEND_START;
      closed_q <= 1'b0;
    end else if (fire) begin
      state_q  <= out_last_o ? PREPEND_START : state_d;
      closed_q <= closed_q && !out_last_o;
    end else if (valid && take) closed_q <= 1'b1;
  end

  always_ff @(posedge clk)
    if (fire) begin
      last_q      <= last;
      kept_q      <= state_q == PREPEND_START && whole ? first : joined[8*Bytes+:8*Kept];
      kept_keep_q <= state_q == PREPEND_START && whole ? first_keep : joined_keep[Bytes+:Kept];
    end

  if (LongBytes >= 2 * Bytes || ShortBytes > LongBytes || ShortBytes < 1) begin : gen_bad
    $error("profile_prepend: a header has at most one whole beat, and ShortBytes 1 to LongBytes");
  end
  if (ShortRest == 0 || LongRest == 0) begin : gen_bad_rest
    $error("profile_prepend: a header must leave bytes for a beat that is not whole");
  end
  if (AadLanes > 0 && LongBytes > 16 * AadLanes) begin : gen_bad_side
    $error("profile_prepend: the header does not fit into AadLanes");
  end
endmodule
