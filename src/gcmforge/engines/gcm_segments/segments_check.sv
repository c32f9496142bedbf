// SPDX-License-Identifier: Apache-2.0
// The last steps of a beat before it meets its key stream: rules of frames, limits, lengths, which
// bytes are there, and what GHASH needs to know of each segment.
//
// AAD comes before text; a segment without some of its bytes ends its section. A packet's first
// error is its status; what comes from that segment on leaves as zeros.
//
// After segments_shape, a step for what the packet that goes on has brought from earlier beats, and
// one for statuses: neither has more than an addition or a few choices to do.
// Latency: 4 steps. Throughput: one beat a step.
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
    // the same beat, later
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
  // Limits are powers of two, as engine.py has them: the top bit of a count tells that its limit is
  // reached. A count that goes round later is of a packet that has an error.
  localparam int TextTurns = int'(gcm_pkg::MAX_TEXT_BYTES) / Bytes;
  localparam int AadTurns = int'(gcm_pkg::MAX_AAD_BYTES) / Bytes;
  localparam int TextWidth = $clog2(TextTurns) + 1;  // full segments of a section, and all of them
  localparam int AadWidth = $clog2(AadTurns) + 1;
  localparam int FewWidth = $clog2(Segments + 1);
  localparam int PartWidth = $clog2(Bytes);

  logic shape_valid, shape_old_end;
  logic [Segments-1:0] used, start, ends, text, decrypt, wrong, on;
  logic [3*Segments-1:0] asked;
  logic [ContextWidth*Segments-1:0] context_id;
  logic [EmptyWidth*Segments-1:0] bytes;
  logic [Segments:0] fresh, prior, ended, seen, left_text, has_aad;
  logic [PartWidth*(Segments+1)-1:0] part;
  logic [FewWidth*(Segments+1)-1:0] texts, aads;
  logic [5*Segments-1:0] tag_bytes;
  logic [LeftWidth*Segments-1:0] blocks;

  segments_shape #(
      .Segments(Segments)
  ) u_shape (
      .clk        (clk),
      .rst        (rst),
      .advance_i  (advance_i),
      .valid_i    (valid_i),
      .facts_i    (facts_i),
      .valid_o    (shape_valid),
      .used_o     (used),
      .start_o    (start),
      .end_o      (ends),
      .text_o     (text),
      .decrypt_o  (decrypt),
      .wrong_o    (wrong),
      .asked_o    (asked),
      .context_o  (context_id),
      .bytes_o    (bytes),
      .fresh_o    (fresh),
      .prior_o    (prior),
      .ended_o    (ended),
      .seen_o     (seen),
      .left_o     (left_text),
      .aad_o      (has_aad),
      .part_o     (part),
      .texts_o    (texts),
      .aads_o     (aads),
      .tag_bytes_o(tag_bytes),
      .blocks_o   (blocks),
      .on_o       (on),
      .old_end_o  (shape_old_end)
  );

  logic unused;
  assign unused = &{1'b0, part[PartWidth-1:0]};  // before the beat: of the packet that is open

  // ---- of the packet that is open before the beat: its text has begun, its section has ended,
  // text has left; bytes of a last segment of AAD that was not full, of its tag; full segments
  logic in_text_q, ended_q, left_text_q;
  logic [PartWidth-1:0] part_q;
  logic [4:0] tag_open_q;
  logic [TextWidth-1:0] text_turns_q;
  logic [AadWidth-1:0] aad_turns_q;

  always_ff @(posedge clk)
    if (advance_i && shape_valid) begin
      in_text_q   <= seen[Segments] || (!fresh[Segments] && in_text_q);
      ended_q     <= prior[Segments] ? ended[Segments] : ended_q;
      left_text_q <= left_text[Segments] || (!fresh[Segments] && left_text_q);
      if (fresh[Segments] || has_aad[Segments]) part_q <= part[PartWidth*Segments+:PartWidth];
      if (fresh[Segments]) tag_open_q <= tag_bytes[5*(Segments-1)+:5];
      text_turns_q <= (fresh[Segments] ? '0 : text_turns_q)
          + TextWidth'(texts[FewWidth*Segments+:FewWidth]);
      aad_turns_q  <= (fresh[Segments] ? '0 : aad_turns_q)
          + AadWidth'(aads[FewWidth*Segments+:FewWidth]);
    end

  // ---- a beat with what is known of its first packet
  logic valid_q, old_q, old_end_q;
  logic [Segments-1:0] used_q, start_q, end_q, text_q, decrypt_q, on_q, fresh_q;
  logic [Segments-1:0] out_used_q, out_start_q;
  logic [3*Segments-1:0] found_q;  // what is wrong with each segment
  logic [5*Segments-1:0] tag_bytes_q;
  logic [ContextWidth*Segments-1:0] context_q;
  logic [EmptyWidth*Segments-1:0] bytes_q;
  logic [LengthsWidth*Segments-1:0] lengths_q;
  logic [LeftWidth*Segments-1:0] blocks_q;

  for (genvar g = 0; g < Segments; g++) begin : gen_segment
    logic [EmptyWidth-1:0] here;
    logic old, in_text, after_end, bad, over, left_before, out_used;
    logic [PartWidth-1:0] aad_part, text_part;
    logic [FewWidth-1:0] texts_before, aads_before, texts_now, aads_now;
    logic [TextWidth-1:0] text_before, text_now;
    logic [AadWidth-1:0] aad_before, aad_now;
    logic [2:0] found;

    assign here = bytes[EmptyWidth*g+:EmptyWidth];
    assign old  = !fresh[g+1];

    // rules
    assign in_text   = !start[g] && (seen[g] || (old && in_text_q));
    assign after_end = !start[g] && (prior[g] ? ended[g] : ended_q);
    assign bad = wrong[g] || (text[g] ? in_text && after_end : in_text || after_end);

    // full segments of its packet, before this one and with it. A limit is a beat at least, so
    // that a packet cannot pass it in the beat in which it starts.
    assign texts_before = texts[FewWidth*g+:FewWidth];
    assign aads_before  = aads[FewWidth*g+:FewWidth];
    assign texts_now    = texts[FewWidth*(g+1)+:FewWidth];
    assign aads_now     = aads[FewWidth*(g+1)+:FewWidth];
    assign text_before  = text_turns_q + TextWidth'(texts_before);
    assign aad_before   = aad_turns_q + AadWidth'(aads_before);
    assign text_now     = (old ? text_turns_q : '0) + TextWidth'(texts_now);
    assign aad_now      = (old ? aad_turns_q : '0) + AadWidth'(aads_now);
    assign over = old && here != '0
        && (text[g] ? text_before[TextWidth-1] : aad_before[AadWidth-1]);

    assign found = !used[g] ? gcm_pkg::STATUS_OK
        : start[g] && asked[3*g+:3] != gcm_pkg::STATUS_OK ? asked[3*g+:3]
        : bad ? gcm_pkg::STATUS_BAD_FRAME : over ? gcm_pkg::STATUS_TOO_LONG : gcm_pkg::STATUS_OK;

    // text that leaves; a text that an error has cut short is ended by a segment without a byte
    assign left_before = !start[g] && (left_text[g] || (old && left_text_q));
    assign out_used = used[g] && ((text[g] && here != '0) || (ends[g] && left_before));

    // lengths, at the end: full segments, and the bytes of one that is not
    assign aad_part = !text[g] ? here[PartWidth-1:0]
        : old && !has_aad[g+1] ? part_q : part[PartWidth*(g+1)+:PartWidth];
    assign text_part = text[g] ? here[PartWidth-1:0] : '0;

    always_ff @(posedge clk)
      if (advance_i) begin
        found_q[3*g+:3]     <= found;
        tag_bytes_q[5*g+:5] <= old ? tag_open_q : tag_bytes[5*g+:5];
        out_used_q[g]       <= shape_valid && out_used;
        out_start_q[g]      <= out_used && !left_before;
        lengths_q[LengthsWidth*g+:LengthsWidth] <= ends[g]
            ? {aad_now, aad_part, 3'b0, text_now, text_part, 3'b0} : '0;
      end
  end

  always_ff @(posedge clk)
    if (rst) valid_q <= 1'b0;
    else if (advance_i) valid_q <= shape_valid;

  always_ff @(posedge clk)
    if (advance_i) begin
      used_q    <= used;
      start_q   <= start;
      end_q     <= ends;
      text_q    <= text;
      decrypt_q <= decrypt;
      context_q <= context_id;
      bytes_q   <= bytes;
      fresh_q   <= fresh[Segments:1];
      blocks_q  <= blocks;
      on_q      <= on;
      old_q     <= !start[0] && blocks[LeftWidth-1:0] != '0;
      old_end_q <= !start[0] && shape_old_end;
    end

  // ---- statuses: the first one of a packet that is not OK, from an earlier beat or from this one
  logic [2:0] open_status_q;
  logic [3*Segments-1:0] first, status;

  segments_first #(
      .Segments(Segments)
  ) u_first (
      .first_i (start_q),
      .status_i(found_q),
      .status_o(first)
  );

  for (genvar g = 0; g < Segments; g++) begin : gen_status
    assign status[3*g+:3] = !fresh_q[g] && open_status_q != gcm_pkg::STATUS_OK
        ? open_status_q : first[3*g+:3];
  end

  always_ff @(posedge clk)
    if (advance_i && valid_q) open_status_q <= status[3*(Segments-1)+:3];

  always_ff @(posedge clk)
    if (rst) valid_o <= 1'b0;
    else if (advance_i) valid_o <= valid_q;

  for (genvar g = 0; g < Segments; g++) begin : gen_bytes
    logic [EmptyWidth-1:0] here;
    assign here = bytes_q[EmptyWidth*g+:EmptyWidth];
    for (genvar b = 0; b < Bytes; b++) begin : gen_byte
      always_ff @(posedge clk) if (advance_i) keep_o[Bytes*g+b] <= EmptyWidth'(b) < here;
    end
    always_ff @(posedge clk)
      if (advance_i)
        out_empty_o[EmptyWidth*g+:EmptyWidth] <= EmptyWidth'(Bytes) - (text_q[g] ? here : '0);
  end

  always_ff @(posedge clk)
    if (advance_i) begin
      text_o      <= text_q & used_q;
      decrypt_o   <= decrypt_q;
      start_o     <= start_q;
      end_o       <= end_q;
      status_o    <= status;
      tag_bytes_o <= tag_bytes_q;
      context_o   <= context_q;
      lengths_o   <= lengths_q;
      out_used_o  <= valid_q ? out_used_q : '0;
      out_start_o <= out_start_q;
      out_end_o   <= out_used_q & end_q;
      left_o      <= blocks_q;
      on_o        <= on_q;
      old_o       <= old_q;
      old_end_o   <= old_end_q;
    end

  if (Lanes * 16 > gcm_pkg::MAX_TEXT_BYTES || Lanes * 16 > gcm_pkg::MAX_AAD_BYTES) begin : gen_bad
    $error("segments_check: a limit of bytes must be a beat at least");
  end
endmodule
