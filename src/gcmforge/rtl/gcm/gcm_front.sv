// SPDX-License-Identifier: Apache-2.0
// The beginning of a packet's way: keys are loaded, commands queue, and gcm_issue makes slots and
// counter blocks of a command and its beats of data.
//
//   s_key ---> gcm_keys --round keys--> the AES, gcm_subkey --> H
//   s_cmd ---> gcm_command --head_o--> the middle --command_i--+
//   s_axis --> axis_skid --------------------------------------+--> gcm_issue --> slots, blocks
//
// gcm_subkey is what the configuration chose. head_o is the oldest command, and command_i the one
// whose packet comes in next: the middle hands head_o back as command_i, with slots=ahead later,
// through a queue.
// Latency: 1 cycle from a port to gcm_issue. Throughput: one beat a cycle; see gcm_issue for the
// slots of a packet.
module gcm_front (
    input  logic                               clk,
    input  logic                               rst,
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
    input  logic                               s_cmd_void,
    input  logic [                       31:0] s_cmd_text_beats,
    // AAD and text in
    input  logic                               s_axis_tvalid,
    output logic                               s_axis_tready,
    input  logic [         gcm_pkg::WIDTH-1:0] s_axis_tdata,
    input  logic [         gcm_pkg::BYTES-1:0] s_axis_tkeep,
    input  logic                               s_axis_tuser,
    input  logic                               s_axis_tlast,
    input  logic [gcm_pkg::SIDE_LANES*128-1:0] s_axis_aad,
    input  logic [ gcm_pkg::SIDE_LANES*16-1:0] s_axis_aad_keep,
    // the oldest command, and what its context holds: a usable key, and its size
    output logic                               head_valid_o,
    output logic                               head_blocked_o,  // its key is loading
    input  logic                               head_ready_i,
    output gcm_pkg::command_t                  head_o,
    output logic                               head_usable_o,
    output logic [                        1:0] head_size_o,
    // the command whose packet is to come in
    input  logic                               command_valid_i,
    input  logic                               command_blocked_i,
    output logic                               command_ready_o,
    input  gcm_pkg::command_t                  command_i,
    input  logic                               command_usable_i,
    input  logic                               ahead_still_i,
    input  logic [                        5:0] ahead_left_i,
    output logic                               ahead_cut_o,
    // slots and their counter blocks
    output logic                               slot_valid_o,
    input  logic                               slot_ready_i,
    output gcm_pkg::slot_t                     slot_o,
    output logic                               aes_valid_o,
    input  logic                               aes_ready_i,
    output logic [ gcm_pkg::CONTEXT_WIDTH-1:0] aes_context_o,
    output logic [                        1:0] aes_size_o,
    output logic [     gcm_pkg::AES_WIDTH-1:0] aes_blocks_o,
    // round keys to the AES, with the context that is loaded
    output logic                               round_valid_o,
    output logic [                        3:0] round_index_o,
    output logic [                      127:0] round_key_o,
    output logic [ gcm_pkg::CONTEXT_WIDTH-1:0] load_context_o,
    output logic [                        1:0] load_size_o,
    // its hash subkey: asked for as key stream; H and its powers to GHASH, in its bit order
    output logic                               subkey_want_o,
    input  logic                               stream_subkey_valid_i,
    input  logic [                      127:0] stream_subkey_i,
    output logic                               subkey_valid_o,
    output logic                               subkey_first_o,
    output logic [                      127:0] subkey_o,
    input  logic                               powers_done_i,
    input  logic                               subkey_wrong_i,
    // from the end of packets, and of IVs
    input  logic                               packet_done_i,
    input  logic                               j0_valid_i,
    input  logic [                      127:0] j0_i
);
  localparam int Bytes = gcm_pkg::BYTES;
  localparam int SideBytes = 16 * gcm_pkg::SIDE_LANES;

  // ---- byte order: byte 0 in the low bits outside, on top inside
  logic [255:0] key;
  logic [127:0] s_tag, s_iv;
  logic [8*Bytes-1:0] data_in;
  logic [8*SideBytes-1:0] side_in;

  for (genvar b = 0; b < 32; b++) begin : gen_key_byte
    assign key[8*(31-b)+:8] = s_key_tdata[8*b+:8];
  end
  for (genvar b = 0; b < 16; b++) begin : gen_block_byte
    assign s_tag[8*(15-b)+:8] = s_cmd_tag[8*b+:8];
    assign s_iv[8*(15-b)+:8]  = s_cmd_iv[8*b+:8];
  end
  for (genvar b = 0; b < Bytes; b++) begin : gen_data_byte
    assign data_in[8*(Bytes-1-b)+:8] = s_axis_tdata[8*b+:8];
  end
  for (genvar b = 0; b < SideBytes; b++) begin : gen_side_byte
    assign side_in[8*(SideBytes-1-b)+:8] = s_axis_aad[8*b+:8];
  end

  // ---- keys and hash subkeys
  logic load_start, load_busy, command_accept;
  logic schedule_valid, schedule_hold;
  logic [3:0] schedule_index;
  logic [127:0] schedule_key;
  logic subkey_asked, subkey_given, subkey_done, subkey_taken;

  // Packets under way are in slots, in gcm_tag, in the queue of slots=ahead; two commands are in
  // gcm_command and one in gcm_issue. A packet is taken off a cycle late; one more is to spare.
  gcm_keys #(
      .Contexts(gcm_pkg::CONTEXTS),
      .Sizes   (gcm_pkg::KEY_SIZES),
      .InFlight(gcm_pkg::SLOT_DEPTH + gcm_pkg::TAG_DEPTH + gcm_pkg::AHEAD_PLACES + 5)
  ) u_keys (
      .clk              (clk),
      .rst              (rst),
      .key_valid_i      (s_key_tvalid),
      .key_ready_o      (s_key_tready),
      .key_i            (key),
      .key_size_i       (s_key_size),
      .key_context_i    (s_key_context),
      .command_accept_i (command_accept),
      .command_context_i(s_cmd_context),
      .packet_done_i    (packet_done_i),
      .load_start_o     (load_start),
      .load_busy_o      (load_busy),
      .load_context_o   (load_context_o),
      .load_size_o      (load_size_o),
      .round_valid_o    (round_valid_o),
      .round_index_o    (round_index_o),
      .round_key_o      (round_key_o),
      .schedule_valid_o (schedule_valid),
      .schedule_index_o (schedule_index),
      .schedule_key_o   (schedule_key),
      .hold_i           (schedule_hold),
      .subkey_want_o    (subkey_asked),
      .subkey_taken_i   (subkey_given),
      .subkey_valid_i   (subkey_valid_o),
      .powers_done_i    (subkey_done),
      .subkey_wrong_i   (subkey_wrong_i),
      .lookup_context_i (head_o.context_id),
      .lookup_usable_o  (head_usable_o),
      .lookup_size_o    (head_size_o)
  );

  gcm_subkey u_subkey (
      .clk           (clk),
      .rst           (rst),
      .round_valid_i (schedule_valid),
      .round_index_i (schedule_index),
      .round_key_i   (schedule_key),
      .size_i        (load_size_o),
      .hold_o        (schedule_hold),
      .want_i        (subkey_asked),
      .taken_o       (subkey_given),
      .done_o        (subkey_done),
      .slot_want_o   (subkey_want_o),
      .slot_taken_i  (subkey_taken),
      .stream_valid_i(stream_subkey_valid_i),
      .stream_i      (stream_subkey_i),
      .subkey_valid_o(subkey_valid_o),
      .subkey_first_o(subkey_first_o),
      .subkey_o      (subkey_o),
      .powers_done_i (powers_done_i)
  );

  // ---- commands
  gcm_command #(
      .Contexts(gcm_pkg::CONTEXTS)
  ) u_command (
      .clk             (clk),
      .rst             (rst),
      .in_valid_i      (s_cmd_tvalid),
      .in_ready_o      (s_cmd_tready),
      .in_context_i    (s_cmd_context),
      .in_decrypt_i    (s_cmd_decrypt),
      .in_tag_i        (s_tag),
      .in_tag_bytes_i  (s_cmd_tag_bytes),
      .in_iv_bytes_i   (s_cmd_iv_bytes),
      .in_iv_i         (s_iv),
      .in_void_i       (s_cmd_void),
      .in_text_beats_i (s_cmd_text_beats),
      .accept_o        (command_accept),
      .load_start_i    (load_start),
      .load_busy_i     (load_busy),
      .load_context_i  (load_context_o),
      .out_valid_o     (head_valid_o),
      .out_blocked_o   (head_blocked_o),
      .out_ready_i     (head_ready_i),
      .out_context_o   (head_o.context_id),
      .out_decrypt_o   (head_o.decrypt),
      .out_tag_o       (head_o.tag),
      .out_tag_bytes_o (head_o.tag_bytes),
      .out_iv_bytes_o  (head_o.iv_bytes),
      .out_iv_o        (head_o.iv),
      .out_void_o      (head_o.is_void),
      .out_text_beats_o(head_o.text_beats)
  );

  // ---- beats of data
  localparam int BeatWidth = gcm_pkg::WIDTH + Bytes + 4 + gcm_pkg::COUNT_WIDTH;
  logic beat_valid, beat_ready, beat_text, beat_last;
  // Found before the beat is registered: its keep is zero (null); it is the last one and leaves
  // its last lane free (short); how many blocks it has (count).
  logic null_in, short_in, beat_null, beat_short;
  logic [gcm_pkg::COUNT_WIDTH-1:0] count_in, beat_count;
  logic [gcm_pkg::WIDTH-1:0] beat_data;
  logic [Bytes-1:0] beat_keep;
  logic [8*SideBytes-1:0] side_data;
  logic [SideBytes-1:0] side_keep;
  logic [BeatWidth-1:0] beat_in, beat_out;

  assign null_in  = s_axis_tkeep == '0;
  assign short_in = s_axis_tlast && !s_axis_tkeep[Bytes-16];
  assign beat_in  = {
    count_in, short_in, null_in, s_axis_tlast, s_axis_tuser, s_axis_tkeep, data_in
  };

  gcm_beat_count u_count (
      .keep_i (s_axis_tkeep),
      .count_o(count_in)
  );

  gcm_input u_input (
      .clk            (clk),
      .rst            (rst),
      .in_valid_i     (s_axis_tvalid),
      .in_ready_o     (s_axis_tready),
      .in_beat_i      (beat_in),
      .in_side_i      (side_in),
      .in_side_keep_i (s_axis_aad_keep),
      .out_valid_o    (beat_valid),
      .out_ready_i    (beat_ready),
      .out_beat_o     (beat_out),
      .out_side_o     (side_data),
      .out_side_keep_o(side_keep)
  );
  assign {beat_count, beat_short, beat_null, beat_last, beat_text, beat_keep, beat_data} = beat_out;

  // ---- slots
  gcm_issue u_issue (
      .clk              (clk),
      .rst              (rst),
      .command_valid_i  (command_valid_i),
      .command_blocked_i(command_blocked_i),
      .command_ready_o  (command_ready_o),
      .command_i        (command_i),
      .usable_i         (command_usable_i),
      .size_i           (head_size_o),
      .in_valid_i       (beat_valid),
      .in_ready_o       (beat_ready),
      .in_data_i        (beat_data),
      .in_keep_i        (beat_keep),
      .in_count_i       (beat_count),
      .in_null_i        (beat_null),
      .in_short_i       (beat_short),
      .in_text_i        (beat_text),
      .in_last_i        (beat_last),
      .in_side_i        (side_data),
      .in_side_keep_i   (side_keep),
      .subkey_want_i    (subkey_want_o),
      .subkey_taken_o   (subkey_taken),
      .subkey_context_i (load_context_o),
      .subkey_size_i    (load_size_o),
      .ahead_still_i    (ahead_still_i),
      .ahead_left_i     (ahead_left_i),
      .ahead_cut_o      (ahead_cut_o),
      .j0_valid_i       (j0_valid_i),
      .j0_i             (j0_i),
      .aes_valid_o      (aes_valid_o),
      .aes_ready_i      (aes_ready_i),
      .aes_context_o    (aes_context_o),
      .aes_size_o       (aes_size_o),
      .aes_blocks_o     (aes_blocks_o),
      .slot_valid_o     (slot_valid_o),
      .slot_ready_i     (slot_ready_i),
      .slot_o           (slot_o)
  );
endmodule
