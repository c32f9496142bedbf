// SPDX-License-Identifier: Apache-2.0
// What a beat says by itself, whatever came before it: bytes and blocks of each segment, and of its
// packet what stands in this beat: full segments so far, where its sections are, what is left.
//
// First each segment alone, then the segments together.
// Latency: 2 steps. Throughput: one beat a step.
module segments_shape #(
    parameter int Segments = 2,
    localparam int Lanes = gcm_pkg::LANES,
    localparam int Blocks = Lanes / Segments,
    localparam int Bytes = 16 * Blocks,
    localparam int EmptyWidth = $clog2(Bytes + 1),
    localparam int PartWidth = $clog2(Bytes),
    localparam int LeftWidth = $clog2(Lanes + 2),
    localparam int FewWidth = $clog2(Segments + 1),
    localparam int ContextWidth = gcm_pkg::CONTEXT_WIDTH,
    localparam int FactWidth = 1 + 1 + 3 + 5 + 1 + ContextWidth + 3 + EmptyWidth
) (
    input  logic                             clk,
    input  logic                             rst,
    input  logic                             advance_i,
    input  logic                             valid_i,
    input  logic [   FactWidth*Segments-1:0] facts_i,   // as segments_issue has them
    output logic                             valid_o,
    output logic [             Segments-1:0] used_o,
    output logic [             Segments-1:0] start_o,
    output logic [             Segments-1:0] end_o,
    output logic [             Segments-1:0] text_o,
    output logic [             Segments-1:0] decrypt_o,
    output logic [             Segments-1:0] wrong_o,   // refused from outside, or too many missing
    output logic [           3*Segments-1:0] asked_o,   // status of the command, at a start
    output logic [ContextWidth*Segments-1:0] context_o,
    output logic [  EmptyWidth*Segments-1:0] bytes_o,
    // of its packet, in this beat; the last place is after the beat
    output logic [               Segments:0] fresh_o,   // it started before or in the segment
    output logic [               Segments:0] prior_o,   // used before: a segment of it
    output logic [               Segments:0] ended_o,   // and the last one was not full
    output logic [               Segments:0] seen_o,    // one of text
    output logic [               Segments:0] left_o,    // one of text, with bytes
    output logic [               Segments:0] aad_o,     // one of AAD
    output logic [ PartWidth*(Segments+1)-1:0] part_o,  // bytes of a last one of AAD, not full
    output logic [  FewWidth*(Segments+1)-1:0] texts_o, // full ones of text before the segment
    output logic [  FewWidth*(Segments+1)-1:0] aads_o,  // full ones of AAD
    output logic [           5*Segments-1:0] tag_bytes_o,  // where it is fresh
    // for GHASH
    output logic [   LeftWidth*Segments-1:0] blocks_o,  // blocks of its packet from here on
    output logic [             Segments-1:0] on_o,      // its packet goes on after the beat
    output logic                             old_end_o  // the first segment's packet ends
);
  // ---- each segment alone
  logic valid_q;
  logic [Segments-1:0] used_q, start_q, end_q, text_q, decrypt_q, wrong_q, full_q, some_q;
  logic [3*Segments-1:0] asked_q;
  logic [5*Segments-1:0] tag_bytes_q;
  logic [ContextWidth*Segments-1:0] context_q;
  logic [EmptyWidth*Segments-1:0] bytes_q;
  logic [LeftWidth*Segments-1:0] blocks_q;  // the length block with them

  for (genvar g = 0; g < Segments; g++) begin : gen_alone
    logic text, error, decrypt, start, ends, used, too_empty;
    logic [2:0] asked;
    logic [4:0] tag_bytes;
    logic [ContextWidth-1:0] context_id;
    logic [EmptyWidth-1:0] empty, bytes;

    assign {text, error, asked, tag_bytes, decrypt, context_id, start, ends, used, empty}
        = facts_i[g*FactWidth+:FactWidth];
    assign too_empty = empty > EmptyWidth'(Bytes);
    assign bytes     = !used || too_empty ? '0 : EmptyWidth'(Bytes) - empty;

    always_ff @(posedge clk)
      if (advance_i) begin
        used_q[g]             <= used;
        start_q[g]            <= start;
        end_q[g]              <= ends;
        text_q[g]             <= text;
        decrypt_q[g]          <= decrypt;
        wrong_q[g]            <= error || too_empty;
        full_q[g]             <= used && empty == '0;
        some_q[g]             <= used && empty < EmptyWidth'(Bytes);
        asked_q[3*g+:3]       <= asked;
        tag_bytes_q[5*g+:5]   <= tag_bytes;
        context_q[ContextWidth*g+:ContextWidth] <= context_id;
        bytes_q[EmptyWidth*g+:EmptyWidth]       <= bytes;
        blocks_q[LeftWidth*g+:LeftWidth]        <= LeftWidth'((bytes + EmptyWidth'(15)) >> 4)
            + LeftWidth'(ends);
      end
  end

  always_ff @(posedge clk)
    if (rst) valid_q <= 1'b0;
    else if (advance_i) valid_q <= valid_i;

  // ---- the segments together
  logic [Segments:0] fresh, prior, ended, seen, left, has_aad;
  logic [PartWidth*(Segments+1)-1:0] part;
  logic [5*(Segments+1)-1:0] tag_bytes;

  assign fresh[0]            = 1'b0;
  assign prior[0]            = 1'b0;
  assign ended[0]            = 1'b0;
  assign seen[0]             = 1'b0;
  assign left[0]             = 1'b0;
  assign has_aad[0]          = 1'b0;
  assign part[PartWidth-1:0] = '0;
  assign tag_bytes[4:0]      = '0;

  for (genvar g = 0; g < Segments; g++) begin : gen_together
    logic text, aad;
    logic [PartWidth-1:0] part_before;
    assign text        = used_q[g] && text_q[g];
    assign aad         = used_q[g] && !text_q[g];
    assign part_before = start_q[g] ? '0 : part[PartWidth*g+:PartWidth];

    assign fresh[g+1]   = fresh[g] || start_q[g];
    assign prior[g+1]   = prior[g] || used_q[g];
    assign ended[g+1]   = used_q[g] ? !full_q[g] : ended[g];
    assign seen[g+1]    = (seen[g] && !start_q[g]) || text;
    assign left[g+1]    = (left[g] && !start_q[g]) || (text && some_q[g]);
    assign has_aad[g+1] = (has_aad[g] && !start_q[g]) || aad;
    assign part[PartWidth*(g+1)+:PartWidth] = aad ? bytes_q[EmptyWidth*g+:PartWidth] : part_before;
    assign tag_bytes[5*(g+1)+:5] = start_q[g] ? tag_bytes_q[5*g+:5] : tag_bytes[5*g+:5];
  end

  // Full segments before each one, and before what follows the beat
  logic [FewWidth*Segments-1:0] text_values, aad_values, text_sums, aad_sums;
  logic [FewWidth*(Segments+1)-1:0] texts, aads;

  assign texts[FewWidth-1:0] = '0;
  assign aads[FewWidth-1:0]  = '0;
  for (genvar g = 0; g < Segments; g++) begin : gen_full
    assign text_values[FewWidth*g+:FewWidth]   = FewWidth'(full_q[g] && text_q[g]);
    assign aad_values[FewWidth*g+:FewWidth]    = FewWidth'(full_q[g] && !text_q[g]);
    assign texts[FewWidth*(g+1)+:FewWidth] = text_sums[FewWidth*g+:FewWidth];
    assign aads[FewWidth*(g+1)+:FewWidth]  = aad_sums[FewWidth*g+:FewWidth];
  end

  segments_sums #(
      .Segments(Segments),
      .Width   (FewWidth)
  ) u_texts (
      .first_i(start_q),
      .value_i(text_values),
      .sum_o  (text_sums)
  );

  segments_sums #(
      .Segments(Segments),
      .Width   (FewWidth)
  ) u_aads (
      .first_i(start_q),
      .value_i(aad_values),
      .sum_o  (aad_sums)
  );

  // What is left of a packet: sums from its last segment on
  logic [Segments-1:0] last, reverse_last, on, old_end;
  logic [LeftWidth*Segments-1:0] reverse_blocks, reverse_sums, blocks;

  for (genvar g = 0; g < Segments; g++) begin : gen_left
    localparam int Reverse = Segments - 1 - g;
    if (g == Segments - 1) begin : gen_last
      assign last[g]    = end_q[g];
      assign on[g]      = !end_q[g];
      assign old_end[g] = end_q[g];
    end else begin : gen_before
      assign last[g]    = end_q[g] || start_q[g+1];
      assign on[g]      = !last[g] && on[g+1];
      assign old_end[g] = end_q[g] || (!last[g] && old_end[g+1]);
    end
    assign reverse_last[Reverse] = last[g];
    assign reverse_blocks[LeftWidth*Reverse+:LeftWidth] = blocks_q[LeftWidth*g+:LeftWidth];
    assign blocks[LeftWidth*g+:LeftWidth] = reverse_sums[LeftWidth*Reverse+:LeftWidth];
  end

  segments_sums #(
      .Segments(Segments),
      .Width   (LeftWidth)
  ) u_left (
      .first_i(reverse_last),
      .value_i(reverse_blocks),
      .sum_o  (reverse_sums)
  );

  always_ff @(posedge clk)
    if (rst) valid_o <= 1'b0;
    else if (advance_i) valid_o <= valid_q;

  always_ff @(posedge clk)
    if (advance_i) begin
      used_o    <= used_q;
      start_o   <= start_q;
      end_o     <= end_q;
      text_o    <= text_q;
      decrypt_o <= decrypt_q;
      wrong_o   <= wrong_q;
      asked_o   <= asked_q;
      context_o <= context_q;
      bytes_o   <= bytes_q;
      fresh_o   <= fresh;
      prior_o   <= prior;
      ended_o   <= ended;
      seen_o    <= seen;
      left_o    <= left;
      aad_o     <= has_aad;
      part_o    <= part;
      texts_o   <= texts;
      aads_o    <= aads;
      tag_bytes_o <= tag_bytes[5*(Segments+1)-1:5];
      blocks_o  <= blocks;
      on_o      <= on;
      old_end_o <= old_end[0];
    end
endmodule
