// SPDX-License-Identifier: Apache-2.0
// AES-GCM for packets of many streams that interleave beat by beat on one AXI4-Stream, named by
// tid. The state of each stream rests in memories and comes back when a beat of it comes: a change
// of streams costs nothing. A packet is a command, a beat of its own whose data is the IV and that
// has context, direction and tag length on ports aside, and then its AAD and its text, 16 bytes a
// beat; the expected tag comes with the last.
//
// All that waits for the AES moves in step with it. A step is taken when the text of the oldest
// beat finds room, and its packet's answer does.
//
// Latency: text MaxRounds * SubStages + 6 cycles after its beat; answers 4, 5 or 7 cycles after
// that, with one, two or three Stages.
// Throughput: a beat a cycle; a packet takes one for its command and one for each 16 bytes.
module gcm_streams #(
    parameter int Streams = 4,
    parameter int SubStages = 1,  // of an AES round
    parameter int Stages = 1,     // of a product in GHASH
    parameter int Answers = 6,    // packets with answers under way
    localparam int TidWidth = Streams > 1 ? $clog2(Streams) : 1,
    localparam int ContextWidth = gcm_pkg::CONTEXT_WIDTH,
    localparam int StatusWidth = gcm_pkg::STATUS_WIDTH
) (
    input  logic                    aclk,
    input  logic                    aresetn,
    input  logic                    s_key_tvalid,
    output logic                    s_key_tready,
    input  logic [           255:0] s_key_tdata,
    input  logic [             1:0] s_key_size,
    input  logic [ContextWidth-1:0] s_key_context,
    input  logic                    s_axis_tvalid,
    output logic                    s_axis_tready,
    input  logic [           127:0] s_axis_tdata,
    input  logic [            15:0] s_axis_tkeep,
    input  logic [             2:0] s_axis_tuser,
    input  logic                    s_axis_tlast,
    input  logic [    TidWidth-1:0] s_axis_tid,
    input  logic [ContextWidth-1:0] s_axis_context,
    input  logic                    s_axis_decrypt,
    input  logic [            15:0] s_axis_iv_bytes,
    input  logic [             4:0] s_axis_tag_bytes,
    input  logic [           127:0] s_axis_tag,
    output logic                    m_axis_tvalid,
    input  logic                    m_axis_tready,
    output logic [           127:0] m_axis_tdata,
    output logic [            15:0] m_axis_tkeep,
    output logic                    m_axis_tlast,
    output logic [    TidWidth-1:0] m_axis_tid,
    output logic                    m_tag_tvalid,
    input  logic                    m_tag_tready,
    output logic [    TidWidth-1:0] m_tag_tid,
    output logic [           127:0] m_tag_tag,
    output logic [ StatusWidth-1:0] m_tag_status
);
  localparam int MinRounds = gcm_pkg::KEY_SIZES[0] ? 10 : gcm_pkg::KEY_SIZES[1] ? 12 : 14;
  localparam int MaxRounds = gcm_pkg::KEY_SIZES[2] ? 14 : gcm_pkg::KEY_SIZES[1] ? 12 : 10;
  localparam int Steps = MaxRounds * SubStages + 2;  // of the AES
  localparam int AadWidth = $clog2(gcm_pkg::MAX_AAD_BYTES / 16 + 1);
  localparam int TextWidth = $clog2(gcm_pkg::MAX_TEXT_BYTES / 16 + 1);
  localparam int FactWidth = 6 + StatusWidth + 10 + ContextWidth + TidWidth + AadWidth + TextWidth
      + 12;  // of streams_issue
  localparam logic [1:0] COMMAND = 2'd2;
  localparam logic [1:0] TEXT = 2'd1;

  logic clk, rst;
  assign clk = aclk;
  assign rst = !aresetn;

  logic advance_d, out_soon, tag_soon;  // in the next cycle everything takes a step
  logic front_step, line_step, aes_step;

  assign advance_d = aresetn && out_soon && tag_soon;

  gcm_copy #(
      .Width(3)
  ) u_steps (
      .clk    (clk),
      .value_i({3{advance_d}}),
      .value_o({front_step, line_step, aes_step})
  );

  // ---- a beat, its bytes in the order of the standard: byte 0 on top
  logic streams_begun, contexts_begun, begun, room, offered;
  logic [127:0] data_in, tag_in;
  logic [255:0] key;
  logic [4:0] count_in;
  logic command_in, wrong_in, exists_in, has_context_in, loading_in;
  logic [ContextWidth-1:0] context_in, load_context;

  for (genvar b = 0; b < 32; b++) begin : gen_key
    assign key[255-8*b-:8] = s_key_tdata[8*b+:8];
  end
  for (genvar b = 0; b < 16; b++) begin : gen_order
    assign data_in[127-8*b-:8] = s_axis_tdata[8*b+:8];
    assign tag_in[127-8*b-:8]  = s_axis_tag[8*b+:8];
  end

  always_comb begin
    count_in = 5'd0;
    for (int b = 0; b < 16; b++) if (s_axis_tkeep[b]) count_in = 5'(b + 1);
  end
  assign command_in     = s_axis_tuser[1:0] == COMMAND;
  assign wrong_in       = s_axis_tuser[2] || (!command_in
      && (s_axis_tuser[1] || (s_axis_tkeep & (s_axis_tkeep + 16'd1)) != '0));
  assign has_context_in = {1'b0, s_axis_context} < (ContextWidth + 1)'(gcm_pkg::CONTEXTS);
  assign context_in     = has_context_in ? s_axis_context : '0;
  assign exists_in      = {1'b0, s_axis_tid} < (TidWidth + 1)'(Streams);
  assign loading_in     = command_in && exists_in && has_context_in && context_in == load_context;

  logic beat_valid, beat_ready, exists, command, is_text, wrong, last, has_context, loading;
  logic [TidWidth-1:0] tid;
  logic decrypt, iv_good;
  logic [4:0] count, tag_bytes;
  logic [127:0] data, tag;
  logic [ContextWidth-1:0] context_id;

  assign begun         = streams_begun && contexts_begun;
  assign offered       = s_axis_tvalid && begun;
  assign s_axis_tready = room && begun;

  axis_skid #(
      .Width(TidWidth + ContextWidth + 7 + 7 + 5 + 256)
  ) u_input (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (offered),
      .in_ready_o (room),
      .in_data_i  ({s_axis_tid, context_in, exists_in, command_in, s_axis_tuser[1:0] == TEXT,
                    wrong_in, s_axis_tlast, has_context_in, loading_in, s_axis_decrypt,
                    s_axis_iv_bytes == 16'd12, s_axis_tag_bytes, count_in, data_in, tag_in}),
      .out_valid_o(beat_valid),
      .out_ready_i(beat_ready),
      .out_data_o ({tid, context_id, exists, command, is_text,
                    wrong, last, has_context, loading, decrypt,
                    iv_good, tag_bytes, count, data, tag})
  );

  // ---- keys
  logic load_busy, mark_want, mark_taken, mark_done, gone, gone_loading;
  logic user_write, user_command, user_open, usable;
  logic [TidWidth-1:0] user_tid;
  logic [ContextWidth-1:0] user_context, held_context;
  logic [1:0] size, round_size;
  logic round_valid, subkey_valid, subkey_first;
  logic [3:0] round_index;
  logic [127:0] round_key, subkey;

  streams_keys #(
      .Streams  (Streams),
      .Powers   (Stages),
      .SubStages(SubStages)
  ) u_keys (
      .clk               (clk),
      .rst               (rst),
      .key_valid_i       (s_key_tvalid),
      .key_ready_o       (s_key_tready),
      .key_i             (key),
      .key_size_i        (s_key_size),
      .key_context_i     (s_key_context),
      .load_busy_o       (load_busy),
      .load_context_o    (load_context),
      .beat_in_i         (offered && room),
      .beat_in_loading_i (loading_in),
      .beat_out_i        (gone),
      .beat_out_loading_i(gone_loading),
      .begun_i           (streams_begun),
      .user_write_i      (user_write),
      .user_command_i    (user_command),
      .user_tid_i        (user_tid),
      .user_open_i       (user_open),
      .user_context_i    (user_context),
      .mark_want_o       (mark_want),
      .mark_taken_i      (mark_taken),
      .mark_done_i       (mark_done),
      .look_i            (front_step),
      .look_context_i    (held_context),
      .look_usable_o     (usable),
      .look_size_o       (size),
      .begun_o           (contexts_begun),
      .round_valid_o     (round_valid),
      .round_size_o      (round_size),
      .round_index_o     (round_index),
      .round_key_o       (round_key),
      .subkey_valid_o    (subkey_valid),
      .subkey_first_o    (subkey_first),
      .subkey_o          (subkey)
  );

  // ---- streams and their packets
  logic slot_valid;
  logic [FactWidth-1:0] slot_facts, facts;
  logic [127:0] slot_data, slot_tag, block, stream, waited_data, waited_tag;
  logic [ContextWidth-1:0] aes_context;
  logic [1:0] aes_size;

  streams_issue #(
      .Streams(Streams),
      .Stages (Stages)
  ) u_issue (
      .clk             (clk),
      .rst             (rst),
      .advance_i       (front_step),
      .in_valid_i      (beat_valid),
      .in_ready_o      (beat_ready),
      .in_tid_i        (tid),
      .in_exists_i     (exists),
      .in_command_i    (command),
      .in_text_i       (is_text),
      .in_wrong_i      (wrong),
      .in_last_i       (last),
      .in_count_i      (count),
      .in_data_i       (data),
      .in_tag_i        (tag),
      .in_decrypt_i    (decrypt),
      .in_tag_bytes_i  (tag_bytes),
      .in_iv_good_i    (iv_good),
      .in_context_i    (context_id),
      .in_has_context_i(has_context),
      .in_loading_i    (loading),
      .load_busy_i     (load_busy),
      .held_context_o  (held_context),
      .held_usable_i   (usable),
      .held_size_i     (size),
      .gone_o          (gone),
      .gone_loading_o  (gone_loading),
      .user_write_o    (user_write),
      .user_command_o  (user_command),
      .user_tid_o      (user_tid),
      .user_open_o     (user_open),
      .user_context_o  (user_context),
      .begun_o         (streams_begun),
      .valid_o         (slot_valid),
      .facts_o         (slot_facts),
      .data_o          (slot_data),
      .tag_o           (slot_tag),
      .aes_context_o   (aes_context),
      .aes_size_o      (aes_size),
      .aes_block_o     (block)
  );

  // ---- the AES
  logic [(MaxRounds+1)*128-1:0] keys;

  aes_schedule_stored #(
      .Contexts (gcm_pkg::CONTEXTS),
      .MaxRounds(MaxRounds),
      .SubStages(SubStages)
  ) u_schedule (
      .clk          (clk),
      .advance_i    (aes_step),
      .in_context_i (aes_context),
      .keys_o       (keys),
      .key_valid_i  (round_valid),
      .key_context_i(load_context),
      .key_size_i   (round_size),
      .key_round_i  (round_index),
      .key_data_i   (round_key)
  );

  segments_rounds #(
      .Lanes    (1),
      .MinRounds(MinRounds),
      .MaxRounds(MaxRounds),
      .SubStages(SubStages)
  ) u_rounds (
      .clk      (clk),
      .advance_i(aes_step),
      .valid_i  (slot_valid),
      .size_i   (aes_size),
      .blocks_i (block),
      .keys_i   (keys),
      .blocks_o (stream)
  );

  // ---- what waits for it
  logic [Steps-1:0] valid_q;
  logic [Steps:0] mark_q;

  assign mark_taken = mark_want && line_step;
  always_ff @(posedge clk)
    if (rst) begin
      valid_q <= '0;
      mark_q  <= '0;
    end else if (line_step) begin
      valid_q <= {valid_q[Steps-2:0], slot_valid};
      mark_q  <= {mark_q[Steps-1:0], mark_want};
    end

  streams_line #(
      .Width(FactWidth + 256),
      .Depth(Steps)
  ) u_line (
      .clk   (clk),
      .rst   (rst),
      .step_i(line_step),
      .word_i({slot_facts, slot_data, slot_tag}),
      .word_o({facts, waited_data, waited_tag})
  );

  // ---- text and key stream meet
  streams_back #(
      .Streams(Streams),
      .Stages (Stages),
      .Answers(Answers)
  ) u_back (
      .clk             (clk),
      .rst             (rst),
      .step_i          (line_step),
      .valid_i         (valid_q[Steps-1]),
      .mark_i          (mark_q[Steps]),
      .facts_i         (facts),
      .data_i          (waited_data),
      .expected_i      (waited_tag),
      .stream_i        (stream),
      .mark_done_o     (mark_done),
      .subkey_valid_i  (subkey_valid),
      .subkey_first_i  (subkey_first),
      .subkey_context_i(load_context),
      .subkey_i        (subkey),
      .out_soon_o      (out_soon),
      .tag_soon_o      (tag_soon),
      .m_axis_tvalid   (m_axis_tvalid),
      .m_axis_tready   (m_axis_tready),
      .m_axis_tdata    (m_axis_tdata),
      .m_axis_tkeep    (m_axis_tkeep),
      .m_axis_tlast    (m_axis_tlast),
      .m_axis_tid      (m_axis_tid),
      .m_tag_tvalid    (m_tag_tvalid),
      .m_tag_tready    (m_tag_tready),
      .m_tag_tid       (m_tag_tid),
      .m_tag_tag       (m_tag_tag),
      .m_tag_status    (m_tag_status)
  );

  if (Streams < 1) begin : gen_bad
    $error("gcm_streams: Streams must be at least 1");
  end
endmodule
