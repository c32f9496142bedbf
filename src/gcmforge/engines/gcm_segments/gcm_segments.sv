// SPDX-License-Identifier: Apache-2.0
// AES-GCM on a segmented bus: a beat is several segments, a packet starts in any of them and ends
// at any byte, and the next one may start in the next segment of the same beat. Each packet has
// its own key, IV and direction, which come with its first segment; its expected tag comes with
// the last. J0 and the lengths take no segment: each segment has a lane for both.
//
// All that waits for the AES moves in step with it. A step is taken when the text of the oldest
// beat finds room, and its packets' answers do.
//
// Latency: text MaxRounds * SubStages + 5 cycles after its beat, answers 2 * Stages + 2 after that;
// with verified release a text's first beat with its answer, when nothing is before it.
// Throughput: a beat a cycle, whatever the packets are.
module gcm_segments #(
    parameter int Segments = 2,
    parameter int SubStages = 1,  // of an AES round
    parameter int Stages = 1,     // of a product in GHASH
    parameter int Answers = 6,    // beats with answers under way
    localparam int Lanes = gcm_pkg::LANES,
    localparam int Blocks = Lanes / Segments,
    localparam int EmptyWidth = $clog2(16 * Blocks + 1),
    localparam int ContextWidth = gcm_pkg::CONTEXT_WIDTH
) (
    input  logic                             aclk,
    input  logic                             aresetn,
    input  logic                             s_key_tvalid,
    output logic                             s_key_tready,
    input  logic [                    255:0] s_key_tdata,
    input  logic [                      1:0] s_key_size,
    input  logic [         ContextWidth-1:0] s_key_context,
    input  logic                             s_axis_tvalid,
    output logic                             s_axis_tready,
    input  logic [            Lanes*128-1:0] s_axis_tdata,
    input  logic [             Segments-1:0] s_axis_ena,
    input  logic [             Segments-1:0] s_axis_sop,
    input  logic [             Segments-1:0] s_axis_eop,
    input  logic [             Segments-1:0] s_axis_err,
    input  logic [  EmptyWidth*Segments-1:0] s_axis_mty,
    input  logic [             Segments-1:0] s_axis_text,
    input  logic [ContextWidth*Segments-1:0] s_axis_context,
    input  logic [             Segments-1:0] s_axis_decrypt,
    input  logic [          96*Segments-1:0] s_axis_iv,
    input  logic [          16*Segments-1:0] s_axis_iv_bytes,
    input  logic [           5*Segments-1:0] s_axis_tag_bytes,
    input  logic [         128*Segments-1:0] s_axis_tag,
    output logic                             m_axis_tvalid,
    input  logic                             m_axis_tready,
    output logic [            Lanes*128-1:0] m_axis_tdata,
    output logic [             Segments-1:0] m_axis_ena,
    output logic [             Segments-1:0] m_axis_sop,
    output logic [             Segments-1:0] m_axis_eop,
    output logic [  EmptyWidth*Segments-1:0] m_axis_mty,
    output logic                             m_tag_tvalid,
    input  logic                             m_tag_tready,
    output logic [             Segments-1:0] m_tag_ena,
    output logic [         128*Segments-1:0] m_tag_tag,
    output logic [           3*Segments-1:0] m_tag_status
);
  localparam int MaxRounds = gcm_pkg::KEY_SIZES[2] ? 14 : gcm_pkg::KEY_SIZES[1] ? 12 : 10;
  localparam int Steps = MaxRounds * SubStages + 2;  // of the AES
  localparam int CheckSteps = 4;  // of segments_check
  localparam int Powers = Lanes * Stages + 1;
  localparam int FactWidth = 14 + ContextWidth + EmptyWidth;  // of segments_issue
  localparam int BeatWidth = Lanes * 128
      + Segments * (7 + EmptyWidth + ContextWidth + 1 + 96 + 1 + 1 + 5 + 128);

  logic clk, rst;
  assign clk = aclk;
  assign rst = !aresetn;

  logic advance_d, out_soon, tag_soon;  // in the next cycle everything takes a step
  logic front_step, line_step, back_step;

  assign advance_d = aresetn && out_soon && tag_soon;

  gcm_copy #(
      .Width(3)
  ) u_steps (
      .clk    (clk),
      .value_i({3{advance_d}}),
      .value_o({front_step, line_step, back_step})
  );

  // ---- a beat, its bytes in the order of the standard: byte 0 of a segment on top
  logic beat_valid, beat_ready;
  logic [Segments-1:0] used, start, ends, error, is_text, decrypt, iv_good, good_iv;
  logic [Segments-1:0] loading, to_load;  // its context is the one that loads a key
  logic [Segments-1:0] begins, to_begin;  // a packet starts in it, if it is used: the last one
  logic [Segments-1:0] leads, to_lead;    // used before it has ended; none was used before it
  logic [EmptyWidth*Segments-1:0] empty;
  logic [ContextWidth*Segments-1:0] context_id;
  logic [96*Segments-1:0] iv, iv_in;
  logic [5*Segments-1:0] tag_bytes;
  logic [128*Segments-1:0] tag, tag_in;
  logic [Lanes*128-1:0] data, data_in;
  logic [255:0] key;
  logic [ContextWidth-1:0] load_context;

  for (genvar b = 0; b < 32; b++) begin : gen_key
    assign key[255-8*b-:8] = s_key_tdata[8*b+:8];
  end
  for (genvar g = 0; g < Segments; g++) begin : gen_order
    if (g == 0) begin : gen_first
      assign to_lead[0]  = 1'b1;
      assign to_begin[0] = 1'b0;
    end else begin : gen_next
      assign to_lead[g]  = to_lead[g-1] && !s_axis_ena[g-1];
      assign to_begin[g] = s_axis_ena[g-1] ? s_axis_eop[g-1] : to_begin[g-1];
    end
    assign good_iv[g] = s_axis_iv_bytes[16*g+:16] == 16'd12;
    assign to_load[g] = s_axis_context[ContextWidth*g+:ContextWidth] == load_context;
    for (genvar b = 0; b < 16 * Blocks; b++) begin : gen_data
      assign data_in[128*Blocks*(g+1)-1-8*b-:8] = s_axis_tdata[128*Blocks*g+8*b+:8];
    end
    for (genvar b = 0; b < 16; b++) begin : gen_tag
      assign tag_in[128*(g+1)-1-8*b-:8] = s_axis_tag[128*g+8*b+:8];
    end
    for (genvar b = 0; b < 12; b++) begin : gen_iv
      assign iv_in[96*(g+1)-1-8*b-:8] = s_axis_iv[96*g+8*b+:8];
    end
  end

  axis_skid #(
      .Width(BeatWidth)
  ) u_input (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (s_axis_tvalid),
      .in_ready_o (s_axis_tready),
      .in_data_i  ({to_begin, to_lead,
                    s_axis_ena, s_axis_sop, s_axis_eop, s_axis_err, s_axis_text, s_axis_mty,
                    s_axis_context, s_axis_decrypt, iv_in, good_iv, to_load, s_axis_tag_bytes,
                    tag_in, data_in}),
      .out_valid_o(beat_valid),
      .out_ready_i(beat_ready),
      .out_data_o ({begins, leads,
                    used, start, ends, error, is_text, empty, context_id, decrypt, iv, iv_good,
                    loading, tag_bytes, tag, data})
  );

  // Beats that were taken, and still wait here when a key is taken, are under the old key.
  logic [1:0] beats_q, beats_d;
  assign beats_d = beats_q + 2'(s_axis_tvalid && s_axis_tready) - 2'(beat_valid && beat_ready);
  always_ff @(posedge clk) beats_q <= rst ? '0 : beats_d;

  // ---- keys
  logic load_start, load_busy, mark_want, mark_taken, mark_done;
  logic [Segments-1:0] usable;
  logic [2*Segments-1:0] size;
  logic round_valid, subkey_valid, subkey_first, powers_done;
  logic [1:0] round_size;
  logic [3:0] round_index;
  logic [127:0] round_key, subkey;

  segments_keys #(
      .Segments (Segments),
      .Powers   (Powers),
      .SubStages(SubStages)
  ) u_keys (
      .clk           (clk),
      .rst           (rst),
      .key_valid_i   (s_key_tvalid),
      .key_ready_o   (s_key_tready),
      .key_i         (key),
      .key_size_i    (s_key_size),
      .key_context_i (s_key_context),
      .load_start_o  (load_start),
      .load_busy_o   (load_busy),
      .load_context_o(load_context),
      .mark_want_o   (mark_want),
      .mark_taken_i  (mark_taken),
      .mark_done_i   (mark_done),
      .context_i     (context_id),
      .usable_o      (usable),
      .size_o        (size),
      .round_valid_o (round_valid),
      .round_size_o  (round_size),
      .round_index_o (round_index),
      .round_key_o   (round_key),
      .subkey_valid_o(subkey_valid),
      .subkey_first_o(subkey_first),
      .subkey_o      (subkey),
      .powers_done_i (powers_done)
  );

  // ---- segments and their counters
  logic issue_valid, issue_mark;
  logic [FactWidth*Segments-1:0] issue_facts, facts;
  logic [Lanes*128-1:0] issue_data;
  logic [128*Segments-1:0] issue_tag;
  logic [Segments-1:0] aes_valid;
  logic [ContextWidth*Segments-1:0] aes_context;
  logic [2*Segments-1:0] aes_size;
  logic [(Lanes+Segments)*128-1:0] counters, stream;

  segments_issue #(
      .Segments(Segments)
  ) u_issue (
      .clk           (clk),
      .rst           (rst),
      .advance_i     (front_step),
      .in_valid_i    (beat_valid),
      .in_ready_o    (beat_ready),
      .in_begins_i   (begins),
      .in_leads_i    (leads),
      .in_used_i     (used),
      .in_start_i    (start),
      .in_end_i      (ends),
      .in_error_i    (error),
      .in_text_i     (is_text),
      .in_empty_i    (empty),
      .in_data_i     (data),
      .in_tag_i      (tag),
      .in_context_i  (context_id),
      .in_loading_i  (loading),
      .in_decrypt_i  (decrypt),
      .in_iv_i       (iv),
      .in_iv_good_i  (iv_good),
      .in_tag_bytes_i(tag_bytes),
      .usable_i      (usable),
      .size_i        (size),
      .load_start_i  (load_start),
      .load_busy_i   (load_busy),
      .beats_i       (beats_d),
      .load_context_i(load_context),
      .mark_want_i   (mark_want),
      .mark_taken_o  (mark_taken),
      .valid_o       (issue_valid),
      .mark_o        (issue_mark),
      .facts_o       (issue_facts),
      .data_o        (issue_data),
      .tag_o         (issue_tag),
      .aes_valid_o   (aes_valid),
      .aes_context_o (aes_context),
      .aes_size_o    (aes_size),
      .aes_blocks_o  (counters)
  );

  segments_aes #(
      .Segments (Segments),
      .SubStages(SubStages)
  ) u_aes (
      .clk          (clk),
      .advance_d_i  (advance_d),
      .valid_i      (aes_valid),
      .context_i    (aes_context),
      .size_i       (aes_size),
      .blocks_i     (counters),
      .blocks_o     (stream),
      .key_valid_i  (round_valid),
      .key_context_i(load_context),
      .key_size_i   (round_size),
      .key_round_i  (round_index),
      .key_data_i   (round_key)
  );

  // ---- the line of what waits for the AES: data Steps long, facts as much less as segments_check
  // takes
  logic [Steps-1-CheckSteps:0] valid_q;
  logic [Steps-1:0] mark_q;
  logic [(Blocks+1)*128*Segments-1:0] waited;

  always_ff @(posedge clk)
    if (rst) begin
      valid_q <= '0;
      mark_q  <= '0;
    end else if (line_step) begin
      valid_q <= {valid_q[Steps-2-CheckSteps:0], issue_valid};
      mark_q  <= {mark_q[Steps-2:0], issue_mark};
    end

  for (genvar g = 0; g < Segments; g++) begin : gen_line
    logic step;
    gcm_copy #(
        .Width(1)
    ) u_step (
        .clk    (clk),
        .value_i(advance_d),
        .value_o(step)
    );
    gcm_line #(
        .Width((Blocks + 1) * 128),
        .Depth(Steps)
    ) u_data (
        .clk   (clk),
        .en_i  (step),
        .word_i({issue_data[g*Blocks*128+:Blocks*128], issue_tag[g*128+:128]}),
        .word_o(waited[g*(Blocks+1)*128+:(Blocks+1)*128])
    );
    gcm_line #(
        .Width(FactWidth),
        .Depth(Steps - CheckSteps)
    ) u_facts (
        .clk   (clk),
        .en_i  (step),
        .word_i(issue_facts[g*FactWidth+:FactWidth]),
        .word_o(facts[g*FactWidth+:FactWidth])
    );
  end

  // ---- text and key stream meet
  segments_back #(
      .Segments(Segments),
      .Stages  (Stages),
      .Answers (Answers)
  ) u_back (
      .clk             (clk),
      .rst             (rst),
      .step_i          (back_step),
      .valid_i         (valid_q[Steps-1-CheckSteps]),
      .facts_i         (facts),
      .waited_i        (waited),
      .stream_i        (stream),
      .mark_i          (mark_q[Steps-1]),
      .mark_done_o     (mark_done),
      .subkey_valid_i  (subkey_valid),
      .subkey_first_i  (subkey_first),
      .subkey_context_i(load_context),
      .subkey_i        (subkey),
      .powers_done_o   (powers_done),
      .out_soon_o      (out_soon),
      .tag_soon_o      (tag_soon),
      .m_axis_tvalid   (m_axis_tvalid),
      .m_axis_tready   (m_axis_tready),
      .m_axis_tdata    (m_axis_tdata),
      .m_axis_ena      (m_axis_ena),
      .m_axis_sop      (m_axis_sop),
      .m_axis_eop      (m_axis_eop),
      .m_axis_mty      (m_axis_mty),
      .m_tag_tvalid    (m_tag_tvalid),
      .m_tag_tready    (m_tag_tready),
      .m_tag_ena       (m_tag_ena),
      .m_tag_tag       (m_tag_tag),
      .m_tag_status    (m_tag_status)
  );

  if (Segments < 2 || Lanes % Segments != 0) begin : gen_bad
    $error("gcm_segments: LANES must be a multiple of Segments, 2 or more");
  end
endmodule
