// SPDX-License-Identifier: Apache-2.0
// The way from a packet's beats to their key stream, which is there before them: gcm_ahead gives
// the AES the counter blocks of a packet as soon as its command comes, and a beat of text finds its
// key stream at the end of the AES. Text waits for no encryption, only to be counted.
//
//   command --> gcm_ahead --> gcm_aes -------+--> gcm_join
//   slot ----> gcm_slots_line, two or three -+
//
// Latency: SLOT_DEPTH steps when the key stream is there. Throughput: one slot a step, one step a
// cycle.
module gcm_middle_ahead (
    input  logic                              clk,
    input  logic                              rst,
    // the oldest command, and what its context holds
    input  logic                              head_valid_i,
    input  logic                              head_blocked_i,   // not to be begun
    output logic                              head_ready_o,
    input  gcm_pkg::command_t                 head_i,
    input  logic                              head_usable_i,
    input  logic [                       1:0] head_size_i,
    // the command whose packet is to come in, for gcm_issue
    output logic                              command_valid_o,
    output logic                              command_blocked_o,
    input  logic                              command_ready_i,
    output gcm_pkg::command_t                 command_o,
    output logic                              command_usable_o,
    // with slots=ahead: key stream made for text that may not come
    output logic                              ahead_still_o,
    output logic [                       5:0] ahead_left_o,
    input  logic                              ahead_cut_i,
    // slots and their counter blocks, by gcm_issue
    input  logic                              slot_valid_i,
    output logic                              slot_ready_o,
    input  gcm_pkg::slot_t                    slot_i,
    input  logic                              aes_valid_i,
    output logic                              aes_ready_o,
    input  logic [gcm_pkg::CONTEXT_WIDTH-1:0] aes_context_i,
    input  logic [                       1:0] aes_size_i,
    input  logic [    gcm_pkg::AES_WIDTH-1:0] aes_blocks_i,
    // keys: a context that is loaded asks for its hash subkey; round keys
    input  logic                              subkey_want_i,
    input  logic [gcm_pkg::CONTEXT_WIDTH-1:0] load_context_i,
    input  logic [                       1:0] load_size_i,
    input  logic                              round_valid_i,
    input  logic [                       3:0] round_index_i,
    input  logic [                     127:0] round_key_i,
    // the oldest slot and its key stream
    output logic                              there_o,          // both are
    output logic                              passes_o,         // and whoever is to take them does
    output gcm_pkg::counted_t                 slot_o,
    output logic [    gcm_pkg::AES_WIDTH-1:0] stream_o,
    // who is to take it: offered to all of them at once; soon: ready in the next cycle
    output logic                              out_valid_o,
    input  logic                              out_ready_i,
    input  logic                              out_soon_i,
    output logic                              hash_valid_o,
    input  logic                              hash_ready_i,
    input  logic                              hash_soon_i,
    output logic                              tag_valid_o,
    input  logic                              tag_ready_i,
    input  logic                              tag_soon_i
);
  gcm_pkg::takers_t next;
  logic soon, issue_step, slot_step, slot_valid, stream_valid;
  logic aes_soon, aes_step, ahead_step;  // the AES moves; as it and as gcm_ahead have to know it
  logic stream_soon, aes_valid, aes_ready, unused;
  logic [gcm_pkg::CONTEXT_WIDTH-1:0] aes_context;
  logic [1:0] aes_size;
  logic [gcm_pkg::AES_WIDTH-1:0] aes_blocks;

  // ---- commands, and the counter blocks of their packets
  gcm_ahead #(
      .Lanes     (gcm_pkg::LANES),
      .Contexts  (gcm_pkg::CONTEXTS),
      .AesLatency(gcm_pkg::AES_LATENCY),
      .Slots     (gcm_pkg::SLOT_DEPTH)
  ) u_ahead (
      .clk             (clk),
      .rst             (rst),
      .in_valid_i      (head_valid_i),
      .in_blocked_i    (head_blocked_i),
      .in_ready_o      (head_ready_o),
      .in_context_i    (head_i.context_id),
      .in_decrypt_i    (head_i.decrypt),
      .in_tag_i        (head_i.tag),
      .in_tag_bytes_i  (head_i.tag_bytes),
      .in_iv_bytes_i   (head_i.iv_bytes),
      .in_iv_i         (head_i.iv),
      .in_text_beats_i (head_i.text_beats),
      .usable_i        (head_usable_i),
      .size_i          (head_size_i),
      .subkey_want_i   (subkey_want_i),
      .subkey_context_i(load_context_i),
      .subkey_size_i   (load_size_i),
      .step_i          (ahead_step),
      .aes_valid_o     (aes_valid),
      .aes_context_o   (aes_context),
      .aes_size_o      (aes_size),
      .aes_blocks_o    (aes_blocks),
      .stream_soon_o   (stream_soon),
      .still_o         (ahead_still_o),
      .left_o          (ahead_left_o),
      .cut_i           (ahead_cut_i),
      .out_valid_o     (command_valid_o),
      .out_ready_i     (command_ready_i),
      .out_context_o   (command_o.context_id),
      .out_decrypt_o   (command_o.decrypt),
      .out_tag_o       (command_o.tag),
      .out_tag_bytes_o (command_o.tag_bytes),
      .out_iv_bytes_o  (command_o.iv_bytes),
      .out_text_beats_o(command_o.text_beats),
      .out_usable_o    (command_usable_o)
  );
  assign command_o.iv      = head_i.iv;  // gcm_issue makes no counters
  assign command_o.is_void = 1'b0;
  assign command_blocked_o = 1'b0;

  // ---- slots and their key stream
  gcm_step u_step (
      .clk          (clk),
      .rst          (rst),
      .next_i       (next),
      .out_soon_i   (out_soon_i),
      .hash_soon_i  (hash_soon_i),
      .tag_soon_i   (tag_soon_i),
      .stream_soon_i(stream_soon),
      .soon_o       (soon),
      .issue_o      (issue_step),
      .slots_o      (slot_step),
      .slot_valid_i (slot_valid),
      .slot_i       (slot_o),
      .passes_o     (passes_o),
      .out_valid_o  (out_valid_o),
      .out_ready_i  (out_ready_i),
      .hash_valid_o (hash_valid_o),
      .hash_ready_i (hash_ready_i),
      .tag_valid_o  (tag_valid_o),
      .tag_ready_i  (tag_ready_i)
  );

  gcm_slots_line #(
      .Depth(gcm_pkg::SLOT_DEPTH)
  ) u_slots (
      .clk        (clk),
      .rst        (rst),
      .step_i     (slot_step),
      .step_soon_i(soon),
      .valid_i    (slot_valid_i),
      .slot_i     (slot_i),
      .valid_o    (slot_valid),
      .slot_o     (slot_o),
      .next_o     (next)
  );

  assign slot_ready_o = issue_step;
  assign aes_ready_o  = issue_step;
  assign there_o      = passes_o;

  // The AES also moves while there is nothing at its end.
  assign aes_soon = (soon && next.aes) || !stream_soon;
  gcm_copy #(
      .Width(1)
  ) u_aes_step (
      .clk    (clk),
      .value_i(aes_soon),
      .value_o(aes_step)
  );
  gcm_copy #(
      .Width(1)
  ) u_ahead_step (
      .clk    (clk),
      .value_i(aes_soon),
      .value_o(ahead_step)
  );
  gcm_aes u_aes (
      .clk          (clk),
      .rst          (rst),
      .in_valid_i   (aes_valid),
      .in_ready_o   (aes_ready),
      .in_context_i (aes_context),
      .in_size_i    (aes_size),
      .in_blocks_i  (aes_blocks),
      .out_valid_o  (stream_valid),
      .out_ready_i  (aes_step),
      .out_blocks_o (stream_o),
      .key_valid_i  (round_valid_i),
      .key_context_i(load_context_i),
      .key_size_i   (load_size_i),
      .key_round_i  (round_index_i),
      .key_data_i   (round_key_i)
  );

  assign unused = &{
    1'b0, head_i.is_void, aes_valid_i, aes_context_i, aes_size_i, aes_blocks_i, stream_valid,
    aes_ready
  };

  // synthesis translate_off
  logic [gcm_pkg::AES_LATENCY-1:0] inside_q;  // where the AES has blocks
  always_ff @(posedge clk)
    if (rst) inside_q <= '0;
    else if (aes_step) inside_q <= {inside_q[gcm_pkg::AES_LATENCY-2:0], aes_valid};

  stream_rules #(
      .Width(gcm_pkg::AES_WIDTH)
  ) u_key_stream_rules (
      .clk    (clk),
      .rst    (rst),
      .valid_i(inside_q[gcm_pkg::AES_LATENCY-1]),
      .ready_i(aes_step),
      .data_i (stream_o)
  );
  stream_rules #(
      .Width($bits(slot_o))
  ) u_slot_rules (
      .clk    (clk),
      .rst    (rst),
      .valid_i(slot_valid),
      .ready_i(passes_o),
      .data_i (slot_o)
  );
  always_ff @(posedge clk)
    if (!rst && passes_o)
      stream_is_there : assert (inside_q[gcm_pkg::AES_LATENCY-1] || !slot_o.fact.aes);
  // synthesis translate_on
endmodule
