// SPDX-License-Identifier: Apache-2.0
// What each segment of a beat is: of which packet, under which key, IV and counters. A packet
// starts at the first segment after the end of another one and goes on until its own end; segments
// that hold nothing are passed over.
//
// A packet whose context is loading a key waits, and with it all that comes after it in the beat;
// what is before it goes on by itself. A mark is let into the pipeline when no packet of the
// context is open any more.
//
// Latency: 1 step. Throughput: one beat a step.
module segments_issue #(
    parameter int Segments = 2,
    localparam int Lanes = gcm_pkg::LANES,
    localparam int Blocks = Lanes / Segments,
    localparam int EmptyWidth = $clog2(16 * Blocks + 1),
    localparam int ContextWidth = gcm_pkg::CONTEXT_WIDTH,
    // of a segment: is_text, error, status, tag_bytes, decrypt, context, start, end, used, empty
    localparam int FactWidth = 1 + 1 + 3 + 5 + 1 + ContextWidth + 3 + EmptyWidth
) (
    input  logic                             clk,
    input  logic                             rst,
    input  logic                             advance_i,
    // a beat of the bus
    input  logic                             in_valid_i,
    output logic                             in_ready_o,
    input  logic [             Segments-1:0] in_begins_i,   // the used one before it ends a packet
    input  logic [             Segments-1:0] in_leads_i,    // there is none before it
    input  logic [             Segments-1:0] in_used_i,
    input  logic [             Segments-1:0] in_start_i,
    input  logic [             Segments-1:0] in_end_i,
    input  logic [             Segments-1:0] in_error_i,
    input  logic [             Segments-1:0] in_text_i,
    input  logic [  EmptyWidth*Segments-1:0] in_empty_i,
    input  logic [                Lanes*128-1:0] in_data_i,
    input  logic [         128*Segments-1:0] in_tag_i,
    // commands, with the segments in which packets start
    input  logic [ContextWidth*Segments-1:0] in_context_i,
    input  logic [             Segments-1:0] in_loading_i,  // it is load_context_i
    input  logic [             Segments-1:0] in_decrypt_i,
    input  logic [          96*Segments-1:0] in_iv_i,
    input  logic [             Segments-1:0] in_iv_good_i,
    input  logic [           5*Segments-1:0] in_tag_bytes_i,
    // what these contexts hold
    input  logic [             Segments-1:0] usable_i,
    input  logic [           2*Segments-1:0] size_i,
    // keys; beats that wait before this one when a key is taken are under the old one. What came
    // later was compared with load_context_i when it came.
    input  logic                             load_start_i,
    input  logic [                      1:0] beats_i,
    input  logic                             load_busy_i,
    input  logic [         ContextWidth-1:0] load_context_i,
    input  logic                             mark_want_i,
    output logic                             mark_taken_o,
    // segments, and what the AES encrypts for them: blocks of text first, J0 last
    output logic                             valid_o,
    output logic                             mark_o,
    output logic [   FactWidth*Segments-1:0] facts_o,
    output logic [                Lanes*128-1:0] data_o,
    output logic [         128*Segments-1:0] tag_o,
    output logic [             Segments-1:0] aes_valid_o,
    output logic [ContextWidth*Segments-1:0] aes_context_o,
    output logic [           2*Segments-1:0] aes_size_o,
    output logic [128*(Blocks+1)*Segments-1:0] aes_blocks_o
);
  // segments of text in a packet, and one too many; MAX_TEXT_BYTES is a power of two
  localparam int TurnWidth = $clog2(gcm_pkg::MAX_TEXT_BYTES / (16 * Blocks)) + 1;
  localparam int FewWidth = $clog2(Segments + 1);

  // ---- which packet a segment belongs to
  logic [Segments-1:0] left_q, here, starts, ends, stops, passes;
  logic [Segments:0] open;  // a packet is open before this segment
  logic open_q, any_stop, open_d, mark_here;
  // What decides whether a beat is let in has registers of its own, with little to drive.
  logic open_next, stop_open;
  logic [Segments-1:0] left_next, stop_left;
  logic [1:0] old_q;  // beats under the old key
  logic blocks_start;
  logic [ContextWidth-1:0] context_q;
  logic [95:0] iv_q;
  logic [1:0] size_q;
  logic decrypt_q;
  logic [ContextWidth*(Segments+1)-1:0] contexts;
  logic [96*(Segments+1)-1:0] ivs;
  logic [2*(Segments+1)-1:0] sizes;
  logic [Segments:0] decrypts, stopped;

  assign here                       = in_used_i & left_q;
  assign open[0]                    = open_q;
  assign contexts[ContextWidth-1:0] = context_q;
  assign ivs[95:0]                  = iv_q;
  assign sizes[1:0]                 = size_q;
  assign decrypts[0]                = decrypt_q;
  assign stopped[0]                 = 1'b0;

  for (genvar g = 0; g < Segments; g++) begin : gen_segment
    logic [ContextWidth-1:0] asked;
    assign asked     = in_context_i[g*ContextWidth+:ContextWidth];
    assign starts[g] = here[g] && (in_leads_i[g] ? !open_q : in_begins_i[g]);
    assign ends[g]   = here[g] && in_end_i[g];
    assign stops[g]  = in_used_i[g] && stop_left[g] && (in_leads_i[g] ? !stop_open : in_begins_i[g])
        && blocks_start && in_loading_i[g];
    assign stopped[g+1]  = stopped[g] || stops[g];
    assign passes[g] = here[g] && !stopped[g+1];
    assign open[g+1] = here[g] ? !in_end_i[g] : open[g];
    assign contexts[(g+1)*ContextWidth+:ContextWidth]
        = starts[g] ? asked : contexts[g*ContextWidth+:ContextWidth];
    assign ivs[(g+1)*96+:96]  = starts[g] ? in_iv_i[g*96+:96] : ivs[g*96+:96];
    assign sizes[(g+1)*2+:2]  = starts[g] ? size_i[g*2+:2] : sizes[g*2+:2];
    assign decrypts[g+1] = starts[g] ? in_decrypt_i[g] : decrypts[g];
  end

  assign blocks_start = load_busy_i && old_q == '0;
  always_ff @(posedge clk)
    if (rst) old_q <= '0;
    else if (load_start_i) old_q <= beats_i;
    else if (in_valid_i && in_ready_o && old_q != '0) old_q <= old_q - 2'd1;

  assign any_stop = stopped[Segments];
  assign open_d   = in_valid_i ? !any_stop && open[Segments] : open_q;
  assign in_ready_o = advance_i && !any_stop;

  always_comb begin
    open_next = open_q;
    left_next = left_q;
    if (rst) begin
      open_next = 1'b0;
      left_next = '1;
    end else if (advance_i && in_valid_i) begin
      open_next = open_d;
      left_next = any_stop ? left_q & stopped[Segments:1] : '1;
    end
  end

  gcm_copy #(
      .Width(1 + Segments)
  ) u_stop (
      .clk    (clk),
      .value_i({open_next, left_next}),
      .value_o({stop_open, stop_left})
  );

  always_ff @(posedge clk) begin
    open_q <= open_next;
    left_q <= left_next;
    if (advance_i && in_valid_i && !any_stop) begin
      context_q <= contexts[Segments*ContextWidth+:ContextWidth];
      iv_q      <= ivs[Segments*96+:96];
      size_q    <= sizes[Segments*2+:2];
      decrypt_q <= decrypts[Segments];
    end
  end

  // No packet of the context is open after this beat; none can start.
  assign mark_here = mark_want_i && old_q == '0 && (!open_d || (in_valid_i
      ? contexts[Segments*ContextWidth+:ContextWidth] != load_context_i
      : context_q != load_context_i));
  assign mark_taken_o = mark_here && advance_i;

  // ---- what is wrong with a command
  logic [3*Segments-1:0] status;
  for (genvar g = 0; g < Segments; g++) begin : gen_status
    logic [4:0] bytes;
    logic tag_good;
    assign bytes    = in_tag_bytes_i[5*g+:5];
    assign tag_good = bytes == 5'd4 || bytes == 5'd8 || (bytes >= 5'd12 && bytes <= 5'd16);
    assign status[3*g+:3] = !usable_i[g] ? gcm_pkg::STATUS_NO_KEY
        : !in_iv_good_i[g] ? gcm_pkg::STATUS_BAD_IV
        : !tag_good ? gcm_pkg::STATUS_BAD_TAG_LENGTH : gcm_pkg::STATUS_OK;
  end

  // ---- the beat, a step later
  logic valid_q, mark_q;
  logic [FactWidth*Segments-1:0] facts_q;
  logic [Lanes*128-1:0] data_q;
  logic [128*Segments-1:0] tag_q;
  logic [ContextWidth*Segments-1:0] aes_context_q;
  logic [2*Segments-1:0] aes_size_q;
  logic [96*Segments-1:0] aes_iv_q;

  always_ff @(posedge clk)
    if (rst) begin
      valid_q <= 1'b0;
      mark_q  <= 1'b0;
    end else if (advance_i) begin
      valid_q <= in_valid_i && |passes;
      mark_q  <= mark_here;
    end

  for (genvar g = 0; g < Segments; g++) begin : gen_facts
    always_ff @(posedge clk)
      if (advance_i)
        facts_q[g*FactWidth+:FactWidth] <= {
            in_text_i[g],
            in_error_i[g] || in_start_i[g] != starts[g],
            status[3*g+:3],
            in_tag_bytes_i[5*g+:5],
            decrypts[g+1],
            contexts[(g+1)*ContextWidth+:ContextWidth],
            starts[g] && passes[g],
            ends[g] && passes[g],
            passes[g],
            in_empty_i[g*EmptyWidth+:EmptyWidth]
        };
  end

  always_ff @(posedge clk)
    if (advance_i) begin
      data_q        <= in_data_i;
      tag_q         <= in_tag_i;
      aes_context_q <= contexts[ContextWidth*(Segments+1)-1:ContextWidth];
      aes_size_q    <= sizes[2*(Segments+1)-1:2];
      aes_iv_q      <= ivs[96*(Segments+1)-1:96];
    end

  assign valid_o       = valid_q;
  assign mark_o        = mark_q;
  assign facts_o       = facts_q;
  assign data_o        = data_q;
  assign tag_o         = tag_q;
  assign aes_context_o = aes_context_q;
  for (genvar g = 0; g < Segments; g++) begin : gen_aes_valid
    assign aes_valid_o[g] = valid_q && facts_q[g*FactWidth+EmptyWidth];  // the segment passes
  end
  assign aes_size_o    = aes_size_q;

  // ---- counters. Block l of a packet's segment of text number k has counter 2 + Blocks k + l, and
  // 2 + l is some segments more and a block of one. Segments that wait come after those that pass,
  // so they do not count here.
  logic [TurnWidth-1:0] turns_q;  // segments of text earlier, of the packet that goes on
  logic [FewWidth*Segments-1:0] text_here, few;  // and in this beat, with the segment itself
  logic [FewWidth*Segments-1:0] few_q;  // without it
  logic [Segments-1:0] fresh, fresh_q;  // the packet started in this beat
  logic [FewWidth-1:0] few_last_q;

  segments_sums #(
      .Segments(Segments),
      .Width   (FewWidth)
  ) u_few (
      .first_i(starts),
      .value_i(text_here),
      .sum_o  (few)
  );

  for (genvar g = 0; g < Segments; g++) begin : gen_counter
    logic [TurnWidth-1:0] turn;

    assign text_here[FewWidth*g+:FewWidth] = FewWidth'(here[g] && in_text_i[g]);
    if (g == 0) begin : gen_first
      assign fresh[0] = starts[0];
      always_ff @(posedge clk) if (advance_i) few_q[FewWidth-1:0] <= '0;
    end else begin : gen_next
      assign fresh[g] = fresh[g-1] || starts[g];
      always_ff @(posedge clk)
        if (advance_i)
          few_q[FewWidth*g+:FewWidth] <= starts[g] ? '0 : few[FewWidth*(g-1)+:FewWidth];
    end

    assign turn = fresh_q[g] ? '0 : turns_q;
    for (genvar l = 0; l < Blocks; l++) begin : gen_block
      localparam int More = (l + 2) / Blocks;
      logic [TurnWidth:0] number;
      assign number = (TurnWidth + 1)'(turn) + (TurnWidth + 1)'(few_q[FewWidth*g+:FewWidth])
          + (TurnWidth + 1)'(More);
      assign aes_blocks_o[128*((Blocks+1)*g+Blocks-l)+:128] = {
          aes_iv_q[96*g+:96], 32'(number) * 32'(Blocks) + 32'((l + 2) % Blocks)
      };
    end
    assign aes_blocks_o[128*(Blocks+1)*g+:128] = {aes_iv_q[96*g+:96], 32'd1};
  end

  always_ff @(posedge clk)
    if (advance_i) begin
      fresh_q    <= fresh;
      few_last_q <= few[FewWidth*(Segments-1)+:FewWidth];
      if (valid_q) turns_q <= (fresh_q[Segments-1] ? '0 : turns_q) + TurnWidth'(few_last_q);
    end
endmodule
