// SPDX-License-Identifier: Apache-2.0
// Text leaves after its packet's verdict: of a packet with status OK as it came, of any other
// nothing. The packets of a beat are told apart: a bad one leaves a gap between its neighbours.
//
// A text is what lies between a start and an end of text. Beats lie in a ring. Its oldest one waits
// for the verdicts of the texts that end in it, and of one that starts in it and goes on. That one
// is known, then, in the beats that follow. Of a packet that is found bad before its end only the
// segments in which its text starts and ends are kept. The ring must hold a longest text whose
// segments come one a beat.
//
// Latency: 1 cycle from the verdict. Throughput: one beat a cycle.
module segments_release_verified #(
    parameter int Segments = 2,
    parameter int Depth = 16,   // beats
    parameter int Pending = 6,  // beats with ends that wait for their verdicts
    localparam int Lanes = gcm_pkg::LANES,
    localparam int Bytes = 16 * Lanes / Segments,
    localparam int EmptyWidth = $clog2(Bytes + 1)
) (
    input  logic                           clk,
    input  logic                           rst,
    input  logic                           in_valid_i,   // a beat passes
    input  logic [          Lanes*128-1:0] in_text_i,
    input  logic [           Segments-1:0] in_used_i,    // of each segment: it is text
    input  logic [           Segments-1:0] in_start_i,   // a packet's text starts, ends
    input  logic [           Segments-1:0] in_end_i,
    input  logic [EmptyWidth*Segments-1:0] in_empty_i,
    input  logic [           Segments-1:0] in_good_i,    // its packet has no error so far
    input  logic [           Segments-1:0] in_close_i,   // a packet ends, with text or without
    // of the packets that ended in one beat, in order
    input  logic [           Segments-1:0] verdict_i,
    input  logic [           Segments-1:0] verdict_ok_i,
    output logic                           in_soon_o,    // in the next cycle there is room
    output logic                           out_valid_o,
    input  logic                           out_ready_i,
    output logic [          Lanes*128-1:0] out_text_o,
    output logic [           Segments-1:0] out_used_o,
    output logic [           Segments-1:0] out_start_o,
    output logic [           Segments-1:0] out_end_o,
    output logic [EmptyWidth*Segments-1:0] out_empty_o
);
  localparam int PtrWidth = $clog2(Depth);
  localparam int CountWidth = $clog2(Depth + 1);
  localparam int Word = Lanes * 128 + (3 + EmptyWidth) * Segments;

  // ---- what is kept of a beat
  logic [Segments-1:0] keep;
  logic push, fetch, there_q, goes;
  logic [PtrWidth-1:0] write_q, read_q;
  logic [CountWidth-1:0] count_q, count_d;

  assign keep      = in_used_i & (in_good_i | in_start_i | in_end_i);
  assign push      = in_valid_i && keep != '0;
  assign fetch     = count_q != '0 && (!there_q || goes);
  assign count_d   = count_q + CountWidth'(push) - CountWidth'(fetch);
  assign in_soon_o = count_d != CountWidth'(Depth);

  always_ff @(posedge clk)
    if (rst) begin
      write_q <= '0;
      read_q  <= '0;
      count_q <= '0;
      there_q <= 1'b0;
    end else begin
      if (push) write_q <= write_q == PtrWidth'(Depth - 1) ? '0 : write_q + PtrWidth'(1);
      if (fetch) read_q <= read_q == PtrWidth'(Depth - 1) ? '0 : read_q + PtrWidth'(1);
      count_q <= count_d;
      there_q <= fetch || (there_q && !goes);
    end

  logic [Lanes*128-1:0] text;
  logic [Segments-1:0] used, start, ends;
  logic [EmptyWidth*Segments-1:0] empty;

  gcm_ram #(
      .Width(Word),
      .Depth(Depth)
  ) u_beats (
      .clk         (clk),
      .write_i     (push),
      .write_addr_i(write_q),
      .write_data_i({in_text_i, keep, in_start_i, in_end_i, in_empty_i}),
      .read_i      (fetch),
      .read_addr_i (read_q),
      .read_data_o ({text, used, start, ends, empty})
  );

  // ---- verdicts: of the texts that end in a beat, and of one that started in an earlier beat
  logic in_old, pending_old, own_valid, old_valid, old_ok, opens, pending_there;
  logic [Segments-1:0] pending_ends, first_end, own_ok;
  logic pending_room, own_room, old_room;
  logic [Segments:0] before_start;  // no start in the segments before

  always_comb begin
    in_old = in_end_i != '0;
    for (int g = Segments - 1; g >= 0; g--) begin
      if (in_end_i[g]) in_old = 1'b1;
      if (in_start_i[g]) in_old = 1'b0;
    end
  end

  gcm_fifo #(
      .Width(1 + Segments),
      .Depth(Pending)
  ) u_pending (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (in_valid_i && in_close_i != '0),
      .in_ready_o (pending_room),
      .in_data_i  ({in_old, in_end_i}),
      .out_valid_o(pending_there),
      .out_ready_i(|verdict_i),
      .out_data_o ({pending_old, pending_ends})
  );

  assign first_end = pending_ends & ~(pending_ends - Segments'(1));

  gcm_fifo #(
      .Width(Segments),
      .Depth(Depth + 2)
  ) u_own (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (|verdict_i && pending_ends != '0),
      .in_ready_o (own_room),
      .in_data_i  (verdict_ok_i & pending_ends),
      .out_valid_o(own_valid),
      .out_ready_i(goes && ends != '0),
      .out_data_o (own_ok)
  );

  gcm_fifo #(
      .Width(1),
      .Depth(Depth + 2)
  ) u_old (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (|verdict_i && pending_old),
      .in_ready_o (old_room),
      .in_data_i  (|(verdict_ok_i & first_end)),
      .out_valid_o(old_valid),
      .out_ready_i(goes && opens),
      .out_data_o (old_ok)
  );

  // ---- the oldest beat
  logic before_ok_q;  // the text that goes on into it is good
  logic judged;
  logic [Segments-1:0] ok, shown;
  logic [Segments:0] later;  // the verdict of what starts or goes on in a segment and later ones

  always_comb begin
    opens = 1'b0;
    for (int g = 0; g < Segments; g++) begin
      if (start[g]) opens = 1'b1;
      if (ends[g]) opens = 1'b0;
    end
  end

  assign later[Segments] = old_ok;
  assign before_start[0] = 1'b1;
  for (genvar g = 0; g < Segments; g++) begin : gen_segment
    assign later[g]          = ends[g] ? own_ok[g] : later[g+1];
    assign before_start[g+1] = before_start[g] && !start[g];
    assign ok[g]             = before_start[g+1] ? before_ok_q : later[g];
    assign out_text_o[8*Bytes*g+:8*Bytes] = shown[g] ? text[8*Bytes*g+:8*Bytes] : '0;
  end

  assign judged      = there_q && (ends == '0 || own_valid) && (!opens || old_valid);
  assign shown       = judged ? used & ok : '0;
  assign goes        = judged && (out_ready_i || shown == '0);
  assign out_valid_o = shown != '0;
  assign out_used_o  = shown;
  assign out_start_o = start & shown;
  assign out_end_o   = ends & shown;
  assign out_empty_o = empty;

  always_ff @(posedge clk) if (goes && opens) before_ok_q <= old_ok;

  // synthesis translate_off
  always_ff @(posedge clk) begin
    assert (rst || !push || count_q != CountWidth'(Depth));
    assert (rst || verdict_i == '0 || (pending_there && (pending_ends & ~verdict_i) == '0));
  end
  // synthesis translate_on

  logic unused;  // they have a place for each beat of the ring, and for each answer under way
  assign unused = &{1'b0, pending_room, own_room, old_room, pending_there};
endmodule
