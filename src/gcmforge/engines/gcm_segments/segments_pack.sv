// SPDX-License-Identifier: Apache-2.0
// Beats of plain AXI4-Stream become beats of segments: a packet's data fills the segments after the
// packet before it, and a beat goes when its segments are full, or when nothing more has come for
// some cycles. Frames that break a rule are marked; whatever the core says to them is its answer.
//
// It also tells, for each beat of text that is to leave, how many segments of it come out.
// Latency: 1 cycle, and while a beat is not full up to Patience cycles more. Throughput: one beat a
// cycle.
module segments_pack #(
    parameter int Segments = 2,
    parameter int Patience = 3,
    localparam int Lanes = gcm_pkg::LANES,
    localparam int Bytes = 16 * Lanes / Segments,
    localparam int EmptyWidth = $clog2(Bytes + 1),
    localparam int CountWidth = $clog2(Segments + 1),
    localparam int ContextWidth = gcm_pkg::CONTEXT_WIDTH,
    // of a segment: data, used, start, end, error, text, empty, command, tag
    localparam int CommandWidth = ContextWidth + 1 + 96 + 16 + 5,
    localparam int SegmentWidth = 8 * Bytes + 5 + EmptyWidth + CommandWidth + 128
) (
    input  logic                             clk,
    input  logic                             rst,
    // the command of the packet that comes
    input  logic                             command_valid_i,
    output logic                             command_ready_o,
    input  logic [         CommandWidth-1:0] command_i,
    input  logic [                    127:0] tag_i,
    // plain beats
    input  logic                             in_valid_i,
    output logic                             in_ready_o,
    input  logic [            Lanes*128-1:0] in_data_i,
    input  logic [             Lanes*16-1:0] in_keep_i,
    input  logic                             in_text_i,
    input  logic                             in_last_i,
    // beats of segments, the first segment in the low bits
    output logic                             out_valid_o,
    input  logic                             out_ready_i,
    output logic [SegmentWidth*Segments-1:0] out_o,
    // segments of text that are to leave as one beat
    output logic                             text_valid_o,
    input  logic                             text_ready_i,
    output logic [           CountWidth-1:0] text_count_o
);
  localparam int Width = SegmentWidth * Segments;
  localparam int HeldWidth = $clog2(2 * Segments + 1);

  // ---- rules of a plain frame
  logic begun_q, in_text_q, ended_q, some_text_q;  // segments of the packet have gone; and so on
  logic holes, full, some, bad, emits, leaves, moves, room;
  logic [CountWidth-1:0] count, wanted;

  assign holes = |(in_keep_i & (in_keep_i + (Lanes * 16)'(1)));
  assign full  = &in_keep_i;
  assign some  = |in_keep_i;
  assign bad   = holes || (in_text_i ? in_text_q && ended_q : in_text_q || ended_q);

  always_comb begin
    count = CountWidth'(1);
    for (int g = 1; g < Segments; g++)
      if (in_keep_i[g*Bytes] && !holes) count = CountWidth'(g + 1);
  end
  // A beat without a byte has nothing to say, unless a rule is broken or the packet ends.
  assign emits  = some || in_last_i || bad;
  assign wanted = emits ? count : '0;
  // text that leaves: of this beat, or an end without a byte
  assign leaves = in_text_i && some ? 1'b1 : in_last_i && some_text_q;

  assign text_valid_o = moves && leaves;
  assign text_count_o = in_text_i && some ? count : CountWidth'(1);

  assign moves           = in_valid_i && command_valid_i && room && text_ready_i;
  assign in_ready_o      = command_valid_i && room && text_ready_i;
  assign command_ready_o = moves && in_last_i;

  always_ff @(posedge clk)
    if (rst || (moves && in_last_i)) begin
      begun_q     <= 1'b0;
      in_text_q   <= 1'b0;
      ended_q     <= 1'b0;
      some_text_q <= 1'b0;
    end else if (moves) begin
      begun_q     <= begun_q || emits;
      in_text_q   <= in_text_q || in_text_i;
      ended_q     <= !full;
      some_text_q <= some_text_q || (in_text_i && some);
    end

  // ---- the beat as segments
  logic [Width-1:0] fresh;
  for (genvar g = 0; g < Segments; g++) begin : gen_segment
    logic [Bytes-1:0] keep;
    logic [EmptyWidth-1:0] bytes;
    logic last;
    assign keep = in_keep_i[g*Bytes+:Bytes];
    assign last = CountWidth'(g + 1) == count;
    always_comb begin
      bytes = '0;
      for (int b = 0; b < Bytes; b++) if (keep[b]) bytes = EmptyWidth'(b + 1);
      if (holes) bytes = EmptyWidth'(1);
    end
    assign fresh[g*SegmentWidth+:SegmentWidth] = {
        tag_i, command_i, EmptyWidth'(Bytes) - bytes, in_text_i, bad, last && in_last_i,
        g == 0 && !begun_q, 1'b1, in_data_i[g*8*Bytes+:8*Bytes]
    };
  end

  // ---- what waits for a full beat, at most two of them; the oldest segment in the low bits
  logic [2*Width-1:0] held_q, held_d;
  logic [HeldWidth-1:0] held_count_q, held_count_d, base;
  logic [3:0] idle_q;
  logic goes, due;

  assign room        = base <= HeldWidth'(Segments);
  assign due         = idle_q == 4'(Patience) && held_count_q != '0;
  assign out_valid_o = held_count_q >= HeldWidth'(Segments) || due;
  assign goes        = out_valid_o && out_ready_i;
  assign base        = !goes ? held_count_q
      : held_count_q >= HeldWidth'(Segments) ? held_count_q - HeldWidth'(Segments) : '0;

  for (genvar g = 0; g < Segments; g++) begin : gen_out
    logic there;
    assign there = held_count_q > HeldWidth'(g);
    assign out_o[g*SegmentWidth+:SegmentWidth] = held_q[g*SegmentWidth+:SegmentWidth]
        & ~(SegmentWidth'(!there) << (8 * Bytes));
  end

  always_comb begin
    held_d = goes ? held_q >> Width : held_q;
    for (int g = 0; g < Segments; g++)
      for (int h = 0; h < 2 * Segments; h++)
        if (moves && CountWidth'(g) < wanted && HeldWidth'(h) == base + HeldWidth'(g))
          held_d[h*SegmentWidth+:SegmentWidth] = fresh[g*SegmentWidth+:SegmentWidth];
    held_count_d = base + (moves ? HeldWidth'(wanted) : '0);
  end

  always_ff @(posedge clk) begin
    held_q <= held_d;
    if (rst) begin
      held_count_q <= '0;
      idle_q       <= '0;
    end else begin
      held_count_q <= held_count_d;
      if (moves || goes) idle_q <= '0;
      else if (idle_q != 4'(Patience)) idle_q <= idle_q + 4'd1;
    end
  end
endmodule
