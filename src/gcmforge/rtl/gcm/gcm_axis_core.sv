// SPDX-License-Identifier: Apache-2.0
// AES-GCM core with AXI4-Stream ports: authenticated encryption and decryption of packets, as SP
// 800-38D describes them. gcm_pkg holds its sizes.
//
// Byte 0 of a key, IV, tag or beat is in its lowest bits; a shorter key is in the low bytes of
// s_key_tdata. A command with an IV of more than 16 bytes is several transfers: the first has all
// fields and 16 bytes of the IV, each other one 16 bytes more. s_axis_tuser is 1 for text. aresetn
// is synchronous. It makes all contexts unusable, and overwrites no key.
//
// s_key --->  front  --commands, slots, blocks-->  middle  --slots, key stream-->  back ---> m_axis
// s_cmd --->    |                                 with AES                          |   ---> m_tag
// s_axis -->    +--------------- hash subkeys ---- J0 of long IVs ------------------+
//
// The middle is gcm_middle_queue, gcm_middle_line or gcm_middle_ahead, as the configuration chose.
// Latency: AES latency + 2 cycles from s_axis to m_axis, with gcm_middle_ahead SLOT_DEPTH + 2 when
// the key stream is there; with a packet buffer text leaves after the verdict, as
// gcm_release_verified has it. Throughput: one beat a cycle inside a packet with pipelined engines;
// see gcm_issue for the slots of a packet.
module gcm_axis_core (
    input  logic                               aclk,
    input  logic                               aresetn,
    // keys
    input  logic                               s_key_tvalid,
    output logic                               s_key_tready,
    input  logic [                      255:0] s_key_tdata,
    input  logic [                        1:0] s_key_size,
    input  logic [ gcm_pkg::CONTEXT_WIDTH-1:0] s_key_context,
    // commands
    input  logic                               s_cmd_tvalid,
    output logic                               s_cmd_tready,
    input  logic [ gcm_pkg::CONTEXT_WIDTH-1:0] s_cmd_context,
    input  logic                               s_cmd_decrypt,
    input  logic [                      127:0] s_cmd_tag,
    input  logic [                        4:0] s_cmd_tag_bytes,
    input  logic [                       15:0] s_cmd_iv_bytes,
    input  logic [                      127:0] s_cmd_iv,
    input  logic                               s_cmd_void,  // refuse it: BAD_FRAME
    input  logic [                       31:0] s_cmd_text_beats,  // with slots=ahead
    // AAD and text in
    input  logic                               s_axis_tvalid,
    output logic                               s_axis_tready,
    input  logic [         gcm_pkg::WIDTH-1:0] s_axis_tdata,
    input  logic [         gcm_pkg::BYTES-1:0] s_axis_tkeep,
    input  logic                               s_axis_tuser,
    input  logic                               s_axis_tlast,
    input  logic [gcm_pkg::SIDE_LANES*128-1:0] s_axis_aad,  // with the first beat
    input  logic [ gcm_pkg::SIDE_LANES*16-1:0] s_axis_aad_keep,
    // text out
    output logic                               m_axis_tvalid,
    input  logic                               m_axis_tready,
    output logic [         gcm_pkg::WIDTH-1:0] m_axis_tdata,
    output logic [         gcm_pkg::BYTES-1:0] m_axis_tkeep,
    output logic                               m_axis_tlast,
    // tags and verdicts
    output logic                               m_tag_tvalid,
    input  logic                               m_tag_tready,
    output logic [                      127:0] m_tag_tag,
    output logic                               m_tag_ok,
    output logic [  gcm_pkg::STATUS_WIDTH-1:0] m_tag_status
);
  logic clk, rst;
  assign clk = aclk;
  assign rst = !aresetn;

  // ---- commands: the oldest one, and the one whose packet comes in
  gcm_pkg::command_t head, command;
  logic head_valid, head_blocked, head_ready, head_usable;
  logic command_valid, command_blocked, command_ready, command_usable;
  logic ahead_still, ahead_cut;
  logic [1:0] head_size;
  logic [5:0] ahead_left;

  // ---- slots and counter blocks, then slots and key stream. there: the oldest slot and its key
  // stream are; passes: they are taken in this cycle; soon: ready in the next cycle
  gcm_pkg::slot_t slot;
  gcm_pkg::counted_t counted;
  logic slot_valid, slot_ready, aes_valid, aes_ready, there, passes;
  logic [gcm_pkg::CONTEXT_WIDTH-1:0] aes_context;
  logic [1:0] aes_size;
  logic [gcm_pkg::AES_WIDTH-1:0] aes_blocks, stream;
  logic out_valid, out_ready, out_soon;
  logic hash_valid, hash_ready, hash_soon;
  logic tag_valid, tag_ready, tag_soon;

  // ---- keys
  logic round_valid, subkey_want, stream_subkey_valid, subkey_valid, subkey_first;
  logic powers_done, subkey_wrong, packet_done, j0_valid;
  logic [gcm_pkg::CONTEXT_WIDTH-1:0] load_context;
  logic [1:0] load_size;
  logic [3:0] round_index;
  logic [127:0] round_key, stream_subkey, subkey, j0;

  gcm_front u_front (
      .clk                  (clk),
      .rst                  (rst),
      .s_key_tvalid         (s_key_tvalid),
      .s_key_tready         (s_key_tready),
      .s_key_tdata          (s_key_tdata),
      .s_key_size           (s_key_size),
      .s_key_context        (s_key_context),
      .s_cmd_tvalid         (s_cmd_tvalid),
      .s_cmd_tready         (s_cmd_tready),
      .s_cmd_context        (s_cmd_context),
      .s_cmd_decrypt        (s_cmd_decrypt),
      .s_cmd_tag            (s_cmd_tag),
      .s_cmd_tag_bytes      (s_cmd_tag_bytes),
      .s_cmd_iv_bytes       (s_cmd_iv_bytes),
      .s_cmd_iv             (s_cmd_iv),
      .s_cmd_void           (s_cmd_void),
      .s_cmd_text_beats     (s_cmd_text_beats),
      .s_axis_tvalid        (s_axis_tvalid),
      .s_axis_tready        (s_axis_tready),
      .s_axis_tdata         (s_axis_tdata),
      .s_axis_tkeep         (s_axis_tkeep),
      .s_axis_tuser         (s_axis_tuser),
      .s_axis_tlast         (s_axis_tlast),
      .s_axis_aad           (s_axis_aad),
      .s_axis_aad_keep      (s_axis_aad_keep),
      .head_valid_o         (head_valid),
      .head_blocked_o       (head_blocked),
      .head_ready_i         (head_ready),
      .head_o               (head),
      .head_usable_o        (head_usable),
      .head_size_o          (head_size),
      .command_valid_i      (command_valid),
      .command_blocked_i    (command_blocked),
      .command_ready_o      (command_ready),
      .command_i            (command),
      .command_usable_i     (command_usable),
      .ahead_still_i        (ahead_still),
      .ahead_left_i         (ahead_left),
      .ahead_cut_o          (ahead_cut),
      .slot_valid_o         (slot_valid),
      .slot_ready_i         (slot_ready),
      .slot_o               (slot),
      .aes_valid_o          (aes_valid),
      .aes_ready_i          (aes_ready),
      .aes_context_o        (aes_context),
      .aes_size_o           (aes_size),
      .aes_blocks_o         (aes_blocks),
      .round_valid_o        (round_valid),
      .round_index_o        (round_index),
      .round_key_o          (round_key),
      .load_context_o       (load_context),
      .load_size_o          (load_size),
      .subkey_want_o        (subkey_want),
      .stream_subkey_valid_i(stream_subkey_valid),
      .stream_subkey_i      (stream_subkey),
      .subkey_valid_o       (subkey_valid),
      .subkey_first_o       (subkey_first),
      .subkey_o             (subkey),
      .powers_done_i        (powers_done),
      .subkey_wrong_i       (subkey_wrong),
      .packet_done_i        (packet_done),
      .j0_valid_i           (j0_valid),
      .j0_i                 (j0)
  );

  gcm_middle u_middle (
      .clk              (clk),
      .rst              (rst),
      .head_valid_i     (head_valid),
      .head_blocked_i   (head_blocked),
      .head_ready_o     (head_ready),
      .head_i           (head),
      .head_usable_i    (head_usable),
      .head_size_i      (head_size),
      .command_valid_o  (command_valid),
      .command_blocked_o(command_blocked),
      .command_ready_i  (command_ready),
      .command_o        (command),
      .command_usable_o (command_usable),
      .ahead_still_o    (ahead_still),
      .ahead_left_o     (ahead_left),
      .ahead_cut_i      (ahead_cut),
      .slot_valid_i     (slot_valid),
      .slot_ready_o     (slot_ready),
      .slot_i           (slot),
      .aes_valid_i      (aes_valid),
      .aes_ready_o      (aes_ready),
      .aes_context_i    (aes_context),
      .aes_size_i       (aes_size),
      .aes_blocks_i     (aes_blocks),
      .subkey_want_i    (subkey_want),
      .load_context_i   (load_context),
      .load_size_i      (load_size),
      .round_valid_i    (round_valid),
      .round_index_i    (round_index),
      .round_key_i      (round_key),
      .there_o          (there),
      .passes_o         (passes),
      .slot_o           (counted),
      .stream_o         (stream),
      .out_valid_o      (out_valid),
      .out_ready_i      (out_ready),
      .out_soon_i       (out_soon),
      .hash_valid_o     (hash_valid),
      .hash_ready_i     (hash_ready),
      .hash_soon_i      (hash_soon),
      .tag_valid_o      (tag_valid),
      .tag_ready_i      (tag_ready),
      .tag_soon_i       (tag_soon)
  );

  gcm_back u_back (
      .clk                  (clk),
      .rst                  (rst),
      .there_i              (there),
      .passes_i             (passes),
      .slot_i               (counted),
      .stream_i             (stream),
      .out_valid_i          (out_valid),
      .out_ready_o          (out_ready),
      .out_soon_o           (out_soon),
      .hash_valid_i         (hash_valid),
      .hash_ready_o         (hash_ready),
      .hash_soon_o          (hash_soon),
      .tag_valid_i          (tag_valid),
      .tag_ready_o          (tag_ready),
      .tag_soon_o           (tag_soon),
      .stream_subkey_valid_o(stream_subkey_valid),
      .stream_subkey_o      (stream_subkey),
      .subkey_valid_i       (subkey_valid),
      .subkey_first_i       (subkey_first),
      .subkey_context_i     (load_context),
      .subkey_i             (subkey),
      .powers_done_o        (powers_done),
      .subkey_wrong_o       (subkey_wrong),
      .j0_valid_o           (j0_valid),
      .j0_o                 (j0),
      .packet_done_o        (packet_done),
      .m_axis_tvalid        (m_axis_tvalid),
      .m_axis_tready        (m_axis_tready),
      .m_axis_tdata         (m_axis_tdata),
      .m_axis_tkeep         (m_axis_tkeep),
      .m_axis_tlast         (m_axis_tlast),
      .m_tag_tvalid         (m_tag_tvalid),
      .m_tag_tready         (m_tag_tready),
      .m_tag_tag            (m_tag_tag),
      .m_tag_ok             (m_tag_ok),
      .m_tag_status         (m_tag_status)
  );
endmodule
