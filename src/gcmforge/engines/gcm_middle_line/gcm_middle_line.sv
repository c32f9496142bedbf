// SPDX-License-Identifier: Apache-2.0
// The way from a packet's beats to their key stream, in a line: beats move on as slots in step
// with the AES and meet their key stream at its end. There is less hardware and a shorter
// path than with queues; what cannot leave stops all of it.
//
//   slot -----------> gcm_slots_line --+--> gcm_join
//   counter blocks -> gcm_aes ---------+
//
// Latency: that of the AES, in steps. Throughput: one slot a step, one step a cycle.
module gcm_middle_line (
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
  logic soon, issue_step, slot_step, aes_step, slot_valid, stream_valid, aes_ready, unused;

  // ---- commands begin in their order, with their text
  assign head_ready_o      = command_ready_i;
  assign command_valid_o   = head_valid_i;
  assign command_blocked_o = head_blocked_i;
  assign command_o         = head_i;
  assign command_usable_o  = head_usable_i;
  assign ahead_still_o     = 1'b0;
  assign ahead_left_o      = '0;

  // ---- slots and their key stream
  gcm_step u_step (
      .clk          (clk),
      .rst          (rst),
      .next_i       (next),
      .out_soon_i   (out_soon_i),
      .hash_soon_i  (hash_soon_i),
      .tag_soon_i   (tag_soon_i),
      .stream_soon_i(1'b1),
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

  gcm_copy #(
      .Width(1)
  ) u_aes_step (
      .clk    (clk),
      .value_i(soon),
      .value_o(aes_step)
  );
  gcm_aes u_aes (
      .clk          (clk),
      .rst          (rst),
      .in_valid_i   (aes_valid_i),
      .in_ready_o   (aes_ready),
      .in_context_i (aes_context_i),
      .in_size_i    (aes_size_i),
      .in_blocks_i  (aes_blocks_i),
      .out_valid_o  (stream_valid),
      .out_ready_i  (aes_step),
      .out_blocks_o (stream_o),
      .key_valid_i  (round_valid_i),
      .key_context_i(load_context_i),
      .key_size_i   (load_size_i),
      .key_round_i  (round_index_i),
      .key_data_i   (round_key_i)
  );

  assign unused = &{1'b0, head_size_i, ahead_cut_i, subkey_want_i, stream_valid, aes_ready};

  // synthesis translate_off
  logic [gcm_pkg::AES_LATENCY-1:0] inside_q;  // where the AES has blocks
  always_ff @(posedge clk)
    if (rst) inside_q <= '0;
    else if (aes_step) inside_q <= {inside_q[gcm_pkg::AES_LATENCY-2:0], aes_valid_i};

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
      stream_is_there : assert (inside_q[gcm_pkg::AES_LATENCY-1] == slot_o.fact.aes);
  // synthesis translate_on
endmodule
