// SPDX-License-Identifier: Apache-2.0
// The last step of a beat before it meets its key stream: rules of frames, limits, lengths, which
// bytes are there, and what GHASH needs to know of each segment.
//
// AAD comes before text; a segment without some of its bytes ends its section. A packet's first
// error is its status; what comes from that segment on leaves as zeros.
// Latency: 1 step. Throughput: one beat a step.
module segments_check #(
    parameter int Segments = 2,
    localparam int Lanes = gcm_pkg::LANES,
    localparam int Blocks = Lanes / Segments,
    localparam int Bytes = 16 * Blocks,
    localparam int EmptyWidth = $clog2(Bytes + 1),
    localparam int LeftWidth = $clog2(Lanes + 2),
    localparam int ContextWidth = gcm_pkg::CONTEXT_WIDTH,
    localparam int FactWidth = 1 + 1 + 3 + 5 + 1 + ContextWidth + 3 + EmptyWidth,
    localparam int AadBits = $clog2(gcm_pkg::MAX_AAD_BYTES) + 4,  // a length in bits
    localparam int TextBits = $clog2(gcm_pkg::MAX_TEXT_BYTES) + 4,
    localparam int LengthsWidth = AadBits + TextBits
) (
    input  logic                             clk,
    input  logic                             rst,
    input  logic                             advance_i,
    input  logic                             valid_i,
    input  logic [   FactWidth*Segments-1:0] facts_i,     // as segments_issue has them
    // the same beat, a step later
    output logic                             valid_o,
    output logic [             Segments-1:0] text_o,
    output logic [             Segments-1:0] decrypt_o,
    output logic [             Segments-1:0] start_o,
    output logic [             Segments-1:0] end_o,
    output logic [           3*Segments-1:0] status_o,
    output logic [           5*Segments-1:0] tag_bytes_o,
    output logic [ContextWidth*Segments-1:0] context_o,
    output logic [       Bytes*Segments-1:0] keep_o,      // bit i for byte i
    output logic [LengthsWidth*Segments-1:0] lengths_o,   // of a packet that ends, else zero
    // for the text that leaves
    output logic [             Segments-1:0] out_used_o,
    output logic [             Segments-1:0] out_start_o,
    output logic [             Segments-1:0] out_end_o,
    output logic [  EmptyWidth*Segments-1:0] out_empty_o,
    // for GHASH
    output logic [   LeftWidth*Segments-1:0] left_o,      // blocks of its packet from here on
    output logic [             Segments-1:0] on_o,        // its packet goes on after the beat
    output logic                             old_o,       // there are some of the packet before
    output logic                             old_end_o    // which ends
);
  localparam int TextTurns = int'(gcm_pkg::MAX_TEXT_BYTES) / Bytes;
  localparam int AadTurns = int'(gcm_pkg::MAX_AAD_BYTES) / Bytes;
  localparam int TextWidth = $clog2(TextTurns) + 1;  // full segments of a section, and all of them
  localparam int AadWidth = $clog2(AadTurns) + 1;
  localparam int FewWidth = $clog2(Segments + 1);
  localparam int PartWidth = $clog2(Bytes);
  // of a packet that is open, but for its full segments
  localparam int OpenWidth = 3 + 5 + 3 + PartWidth;

  logic [Segments-1:0] text, error, decrypt, start, ends, used;
  logic [Segments-1:0] out_used, out_start;
  logic [3*Segments-1:0] status;
  logic [5*Segments-1:0] tag_bytes;
  logic [Bytes*Segments-1:0] keep;
  logic [LengthsWidth*Segments-1:0] lengths;
  logic [EmptyWidth*Segments-1:0] out_empty;
  logic [LeftWidth*Segments-1:0] left;
  logic [Segments-1:0] on, old_end;
  logic [ContextWidth*Segments-1:0] context_id;

  // ---- what goes from one segment to the next: a packet's status, the bytes of its tag, whether
  // its text has begun, whether the section has ended, whether text has left, the bytes of a last
  // segment of AAD that is not full; and its full segments of both sections, in this beat and
  // before
  logic [OpenWidth*(Segments+1)-1:0] open;
  logic [FewWidth*(Segments+1)-1:0] text_few, aad_few;
  logic [Segments:0] fresh;
  logic [OpenWidth-1:0] open_q;
  logic [TextWidth-1:0] text_turns_q;
  logic [AadWidth-1:0] aad_turns_q;

  assign open[OpenWidth-1:0]    = open_q;
  assign text_few[FewWidth-1:0] = '0;
  assign aad_few[FewWidth-1:0]  = '0;
  assign fresh[0]               = 1'b0;

  for (genvar g = 0; g < Segments; g++) begin : gen_segment
    logic [EmptyWidth-1:0] empty, bytes;
    logic [2:0] asked, earlier, now;
    logic [4:0] tag_before, tag_asked;
    logic in_text, ended, left_text, bad, over, some, full, too_empty;
    logic in_text_before, ended_before, left_before;
    logic [PartWidth-1:0] part, part_before;
    logic [FewWidth-1:0] texts, aads;
    logic [TextWidth-1:0] text_turn;
    logic [AadWidth-1:0] aad_turn;
    logic [LeftWidth-1:0] blocks;
    logic [AadBits-4:0] aad_bytes;
    logic [TextBits-4:0] text_bytes;

    assign {text[g], error[g], asked, tag_asked, decrypt[g],
            context_id[g*ContextWidth+:ContextWidth], start[g], ends[g], used[g], empty}
        = facts_i[g*FactWidth+:FactWidth];
    assign {earlier, tag_before, in_text_before, ended_before, left_before, part_before}
        = open[g*OpenWidth+:OpenWidth];

    assign too_empty = empty > EmptyWidth'(Bytes);
    assign bytes     = !used[g] || too_empty ? '0 : EmptyWidth'(Bytes) - empty;
    assign some      = bytes != '0;
    assign full      = bytes == EmptyWidth'(Bytes);

    // rules
    assign in_text = !start[g] && in_text_before;
    assign ended   = !start[g] && ended_before;
    assign bad     = error[g] || too_empty || (text[g] ? in_text && ended : in_text || ended);

    // full segments of this packet before this one
    assign fresh[g+1] = fresh[g] || start[g];
    assign texts      = start[g] ? '0 : text_few[g*FewWidth+:FewWidth];
    assign aads       = start[g] ? '0 : aad_few[g*FewWidth+:FewWidth];
    assign text_turn  = (fresh[g+1] ? '0 : text_turns_q) + TextWidth'(texts);
    assign aad_turn   = (fresh[g+1] ? '0 : aad_turns_q) + AadWidth'(aads);
    assign over       = some && (text[g] ? text_turn[TextWidth-1] : aad_turn[AadWidth-1]);
    assign text_few[(g+1)*FewWidth+:FewWidth] = texts + FewWidth'(full && text[g]);
    assign aad_few[(g+1)*FewWidth+:FewWidth]  = aads + FewWidth'(full && !text[g]);

    // status
    assign now = start[g] && asked != gcm_pkg::STATUS_OK ? asked
        : !start[g] && earlier != gcm_pkg::STATUS_OK ? earlier
        : bad ? gcm_pkg::STATUS_BAD_FRAME : over ? gcm_pkg::STATUS_TOO_LONG : gcm_pkg::STATUS_OK;
    assign status[3*g+:3]    = now;
    assign tag_bytes[5*g+:5] = start[g] ? tag_asked : tag_before;

    // text that leaves; a text that an error has cut short is ended by a segment without a byte
    assign left_text    = !start[g] && left_before;
    assign out_used[g]  = used[g] && ((text[g] && some) || (ends[g] && left_text));
    assign out_start[g] = out_used[g] && !left_text;
    assign out_empty[g*EmptyWidth+:EmptyWidth] = text[g] ? EmptyWidth'(Bytes) - bytes
        : EmptyWidth'(Bytes);

    // lengths, at the end
    assign part       = start[g] ? '0 : part_before;
    assign aad_bytes  = (AadBits - 3)'(aad_turn) * (AadBits - 3)'(Bytes) + (AadBits - 3)'(part)
        + (AadBits - 3)'(text[g] ? '0 : bytes);
    assign text_bytes = (TextBits - 3)'(text_turn) * (TextBits - 3)'(Bytes)
        + (TextBits - 3)'(text[g] ? bytes : '0);
    assign lengths[LengthsWidth*g+:LengthsWidth] = ends[g]
        ? {aad_bytes, 3'b0, text_bytes, 3'b0} : '0;

    assign open[(g+1)*OpenWidth+:OpenWidth] = !used[g] ? open[g*OpenWidth+:OpenWidth] : {
        now, tag_bytes[5*g+:5], in_text || text[g], !full, left_text || (text[g] && some),
        text[g] ? part : PartWidth'(bytes)
    };

    for (genvar b = 0; b < Bytes; b++) begin : gen_byte
      assign keep[Bytes*g+b] = EmptyWidth'(b) < bytes;
    end

    // what is left of a packet in this beat
    assign blocks = LeftWidth'((bytes + EmptyWidth'(15)) >> 4);
    if (g == Segments - 1) begin : gen_last
      assign left[LeftWidth*g+:LeftWidth] = blocks + LeftWidth'(ends[g]);
      assign on[g]                        = !ends[g];
      assign old_end[g]                   = ends[g];
    end else begin : gen_before
      logic goes_on;
      assign goes_on = !ends[g] && !start[g+1];
      assign left[LeftWidth*g+:LeftWidth] = blocks + (ends[g] ? LeftWidth'(1)
          : goes_on ? left[LeftWidth*(g+1)+:LeftWidth] : '0);
      assign on[g]      = goes_on && on[g+1];
      assign old_end[g] = ends[g] || (goes_on && old_end[g+1]);
    end
  end

  always_ff @(posedge clk)
    if (advance_i && valid_i) begin
      open_q       <= open[Segments*OpenWidth+:OpenWidth];
      text_turns_q <= (fresh[Segments] ? '0 : text_turns_q)
          + TextWidth'(text_few[Segments*FewWidth+:FewWidth]);
      aad_turns_q  <= (fresh[Segments] ? '0 : aad_turns_q)
          + AadWidth'(aad_few[Segments*FewWidth+:FewWidth]);
    end

  // ---- a step later
  logic valid_q;
  logic [Segments-1:0] text_q, decrypt_q, start_q, end_q, out_used_q, out_start_q, out_end_q, on_q;
  logic [3*Segments-1:0] status_q;
  logic [5*Segments-1:0] tag_bytes_q;
  logic [ContextWidth*Segments-1:0] context_q;
  logic [Bytes*Segments-1:0] keep_q;
  logic [LengthsWidth*Segments-1:0] lengths_q;
  logic [EmptyWidth*Segments-1:0] out_empty_q;
  logic [LeftWidth*Segments-1:0] left_q;
  logic old_q, old_end_q;

  always_ff @(posedge clk)
    if (rst) valid_q <= 1'b0;
    else if (advance_i) valid_q <= valid_i;

  always_ff @(posedge clk)
    if (advance_i) begin
      text_q      <= text & used;
      decrypt_q   <= decrypt;
      start_q     <= start;
      end_q       <= ends;
      status_q    <= status;
      tag_bytes_q <= tag_bytes;
      context_q   <= context_id;
      keep_q      <= keep;
      lengths_q   <= lengths;
      out_used_q  <= valid_i ? out_used : '0;
      out_start_q <= out_start;
      out_end_q   <= out_used & ends;
      out_empty_q <= out_empty;
      left_q      <= left;
      on_q        <= on;
      old_q       <= !start[0] && left[LeftWidth-1:0] != '0;
      old_end_q   <= !start[0] && old_end[0];
    end

  assign valid_o     = valid_q;
  assign text_o      = text_q;
  assign decrypt_o   = decrypt_q;
  assign start_o     = start_q;
  assign end_o       = end_q;
  assign status_o    = status_q;
  assign tag_bytes_o = tag_bytes_q;
  assign context_o   = context_q;
  assign keep_o      = keep_q;
  assign lengths_o   = lengths_q;
  assign out_used_o  = out_used_q;
  assign out_start_o = out_start_q;
  assign out_end_o   = out_end_q;
  assign out_empty_o = out_empty_q;
  assign left_o      = left_q;
  assign on_o        = on_q;
  assign old_o       = old_q;
  assign old_end_o   = old_end_q;
endmodule
