// SPDX-License-Identifier: Apache-2.0
// The way from a packet's beats to their key stream, with queues: while the AES encrypts a beat's
// counter blocks, the beat waits as a slot in gcm_slots_queue, and leaves when its key stream does.
//
//   slot -----------> gcm_slots_queue --+--> gcm_join
//   counter blocks -> gcm_aes ----------+
//
// A slot passes when everybody who is to take it, and nobody else, can.
// Latency: that of the AES, or 3 cycles for a slot without key stream. Throughput: one slot a
// cycle, or as many as the AES takes.
module gcm_middle_queue (
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
  logic slot_valid, stream_valid, stream_clear;
  logic out_clear, hash_clear, tag_clear, all_clear;

  // ---- commands begin in their order, with their text
  assign head_ready_o      = command_ready_i;
  assign command_valid_o   = head_valid_i;
  assign command_blocked_o = head_blocked_i;
  assign command_o         = head_i;
  assign command_usable_o  = head_usable_i;
  assign ahead_still_o     = 1'b0;
  assign ahead_left_o      = '0;

  // ---- slots and their key stream
  gcm_slots_queue #(
      .Depth(gcm_pkg::SLOT_DEPTH)
  ) u_slots (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (slot_valid_i),
      .in_ready_o (slot_ready_o),
      .slot_i     (slot_i),
      .out_valid_o(slot_valid),
      .out_ready_i(all_clear && stream_clear),
      .slot_o     (slot_o)
  );

  gcm_aes u_aes (
      .clk          (clk),
      .rst          (rst),
      .in_valid_i   (aes_valid_i),
      .in_ready_o   (aes_ready_o),
      .in_context_i (aes_context_i),
      .in_size_i    (aes_size_i),
      .in_blocks_i  (aes_blocks_i),
      .out_valid_o  (stream_valid),
      .out_ready_i  (slot_valid && slot_o.fact.aes && all_clear),
      .out_blocks_o (stream_o),
      .key_valid_i  (round_valid_i),
      .key_context_i(load_context_i),
      .key_size_i   (load_size_i),
      .key_round_i  (round_index_i),
      .key_data_i   (round_key_i)
  );

  assign stream_clear = stream_valid || !slot_o.fact.aes;
  assign out_clear    = out_ready_i || !slot_o.fact.gives_out;
  assign hash_clear   = hash_ready_i || !slot_o.hash;
  assign tag_clear    = tag_ready_i || !slot_o.tag;
  assign all_clear    = out_clear && hash_clear && tag_clear;
  assign there_o      = slot_valid && stream_clear;
  assign passes_o     = there_o && all_clear;
  assign out_valid_o  = there_o && slot_o.fact.gives_out && hash_clear && tag_clear;
  assign hash_valid_o = there_o && slot_o.hash && out_clear && tag_clear;
  assign tag_valid_o  = there_o && slot_o.tag && out_clear && hash_clear;

  logic unused;
  assign unused = &{
    1'b0, head_size_i, ahead_cut_i, subkey_want_i, out_soon_i, hash_soon_i, tag_soon_i
  };

  // synthesis translate_off
  stream_rules #(
      .Width($bits(slot_o))
  ) u_slot_rules (
      .clk    (clk),
      .rst    (rst),
      .valid_i(slot_valid),
      .ready_i(all_clear && stream_clear),
      .data_i (slot_o)
  );
  stream_rules #(
      .Width(gcm_pkg::AES_WIDTH)
  ) u_key_stream_rules (
      .clk    (clk),
      .rst    (rst),
      .valid_i(stream_valid),
      .ready_i(slot_valid && slot_o.fact.aes && all_clear),
      .data_i (stream_o)
  );
  // synthesis translate_on
endmodule
