// SPDX-License-Identifier: Apache-2.0
// AES-GCM in few gates, on streams of bytes, one packet after another. Keys, counters, the AES
// state and the digest are in rings of 16 bytes that turn for ever; phase_q says which byte of each
// is at its head. A byte that comes in waits for its phase, so nothing else has to stand still.
// Latency: first text 305 cycles after a command, at most; with a key of 256 bits 385. Throughput:
// a packet of n blocks of text in 368 + 256 * n cycles, with a key of 256 bits in 416 + 336 * n; a
// block of AAD in 144. All that is for IVs of 12 bytes: with another IV in b blocks 192 + 144 * b
// more.
module gcm_nano #(
    parameter int AadBits = 16,  // up to 2^AadBits bytes of AAD, and of text
    parameter int TextBits = 16,
    parameter int StatusBits = 3  // 4 with one direction
) (
    input  logic       aclk,
    input  logic       aresetn,
    // a key, byte 0 first: 16 bytes, or 32 where nano_key takes them. With another number of bytes
    // there is no key.
    input  logic       s_key_tvalid,
    output logic       s_key_tready,
    input  logic [7:0] s_key_tdata,
    input  logic       s_key_tlast,
    // a command: 128 * decrypt + 32 * no such context + bytes of the tag; then the IV, with tlast.
    // Decrypting: then the expected tag, with tlast; it is taken when the text has ended.
    input  logic       s_cmd_tvalid,
    output logic       s_cmd_tready,
    input  logic [7:0] s_cmd_tdata,
    input  logic       s_cmd_tlast,
    // AAD and text; tuser: 1 for text, 2 for what must be refused (BAD_FRAME)
    input  logic       s_axis_tvalid,
    output logic       s_axis_tready,
    input  logic [7:0] s_axis_tdata,
    input  logic       s_axis_tkeep,
    input  logic [1:0] s_axis_tuser,
    input  logic       s_axis_tlast,
    output logic       m_axis_tvalid,
    input  logic       m_axis_tready,
    output logic [7:0] m_axis_tdata,
    output logic       m_axis_tkeep,
    output logic       m_axis_tlast,
    // the tag when encrypting, else one byte of zeros; tuser: the status
    output logic       m_tag_tvalid,
    input  logic       m_tag_tready,
    output logic [7:0] m_tag_tdata,
    output logic [StatusBits-1:0] m_tag_tuser,
    output logic       m_tag_tlast
);
  localparam logic [StatusBits-1:0] OK = 0, AUTH_FAIL = 1, NO_KEY = 2, BAD_IV = 3,
      BAD_TAG_LENGTH = 4, TOO_LONG = 5, BAD_FRAME = 6;
  localparam logic [3:0] BAD_DIRECTION = 4'd8;
  localparam logic [3:0] IDLE = 4'd0, KEY = 4'd1, CIPHER = 4'd2, SUBKEY = 4'd3, IV = 4'd4,
      AAD = 4'd5, TEXT = 4'd6, CLOSE = 4'd7, LENGTHS = 4'd8, TAG = 4'd9, VERDICT = 4'd10,
      ANSWER = 4'd11;

  logic clk, rst;
  assign clk = aclk;
  assign rst = !aresetn;

  logic [3:0] state_q, phase_q, tag_top_q;  // bytes of the tag, less one
  logic [StatusBits-1:0] status_q;
  logic keyed_q;
  logic key_turn_q, cmd_turn_q;  // what waits since the packet, or the key before, goes first
  logic spent_q;  // the AES is to begin a block: there is no stream that may be used
  logic part_q;   // bytes were added to the digest since it was multiplied
  logic ended_q;  // the packet's last beat was taken
  logic data_phase, turn_ends;

  assign turn_ends  = phase_q == 4'd15;
  assign data_phase = state_q == AAD || state_q == TEXT;

  // ---- AAD and text: one beat waits for its phase

  logic beat_valid_q, beat_keep_q, beat_text_q, beat_bad_q, beat_last_q;
  logic [7:0] beat_q;
  logic aad_byte, text_byte, empty, take, take_aad, take_text, take_empty, next_section;
  logic [3:0] aad_place, text_place;
  logic aad_full, text_full, out_free, stream_there, hash_busy, aes_done;

  assign s_axis_tready = !beat_valid_q || take;

  always_ff @(posedge clk) begin
    if (s_axis_tready && s_axis_tvalid) begin
      beat_q      <= s_axis_tdata;
      beat_keep_q <= s_axis_tkeep;
      beat_text_q <= s_axis_tuser[0];
      beat_bad_q  <= s_axis_tuser[1];
      beat_last_q <= s_axis_tlast;
    end
    if (rst) beat_valid_q <= 1'b0;
    else if (s_axis_tready) beat_valid_q <= s_axis_tvalid;
  end

  assign aad_byte     = beat_keep_q && !beat_text_q;
  assign text_byte    = beat_keep_q && beat_text_q;
  assign empty        = state_q == TEXT ? !text_byte : !beat_keep_q;  // AAD is late, then
  assign stream_there = aes_done && !spent_q;
  assign take_aad     = state_q == AAD && aad_byte && phase_q == aad_place && !hash_busy;
  assign take_text    = state_q == TEXT && text_byte && phase_q == text_place && !hash_busy
      && stream_there && out_free;
  assign take_empty   = data_phase && empty && (out_free || state_q == AAD || !beat_last_q);
  assign take         = beat_valid_q && !ended_q && (take_aad || take_text || take_empty);
  assign next_section = beat_valid_q && !ended_q && text_byte && turn_ends && !hash_busy;

  // ---- statuses: the first one counts

  logic [StatusBits-1:0] fault;
  logic good, refused;

  always_comb begin
    fault = OK;
    if (aad_byte ? aad_full : beat_keep_q && text_full) fault = TOO_LONG;
    if (beat_bad_q || (state_q == TEXT && aad_byte)) fault = BAD_FRAME;
    if (status_q != OK) fault = status_q;
  end
  assign good    = fault == OK;
  assign refused = 4'(status_q) == BAD_DIRECTION;

  // ---- what is in rings: the key, the counter block

  logic key_here, key_taken, command_taken, iv_taken, tag_taken, key_whole, key_wrong, key_long;
  logic [7:0] key_head, block, stream, digest, length_byte;
  logic aes_start, closes, fills, hash_start, tag_given, leaves_key;
  logic refuses, decrypts, expects, tag_differs;
  logic iv_opens, iv_ready, iv_wrong, iv_done, iv_begins, iv_writes, iv_counts, iv_clears;
  logic iv_lengths, iv_hashes, iv_loads, iv_passes, counting;
  logic [7:0] iv_block, iv_hashed;

  assign key_here     = phase_q == {text_place[1:0], text_place[3:2]};
  assign s_key_tready = key_here
      && (state_q == KEY || (state_q == IDLE && (key_turn_q || !cmd_turn_q)));
  assign key_taken    = s_key_tready && s_key_tvalid;

  nano_key u_key (
      .clk        (clk),
      .rst        (rst),
      .write_i    (key_taken),
      .place_i    (text_place),
      .byte_i     (s_key_tdata),
      .last_i     (s_key_tlast),
      .whole_o    (key_whole),
      .wrong_o    (key_wrong),
      .long_o     (key_long),
      .turn_ends_i(turn_ends),
      .load_i     (aes_start),
      .head_o     (key_head)
  );

  assign s_cmd_tready = (state_q == IDLE && iv_opens && !key_turn_q) || (state_q == IV && iv_ready)
      || (state_q == TAG && expects && stream_there && !hash_busy && phase_q == text_place);
  assign command_taken = s_cmd_tready && s_cmd_tvalid;
  assign iv_taken      = command_taken && state_q == IV;
  assign tag_taken     = command_taken && state_q == TAG;

  nano_iv u_iv (
      .clk        (clk),
      .rst        (rst),
      .phase_i    (phase_q),
      .active_i   (state_q == IV),
      .taken_i    (iv_taken),
      .byte_i     (s_cmd_tdata),
      .last_i     (s_cmd_tlast),
      .place_i    (text_place),
      .full_i     (text_full),
      .hash_busy_i(hash_busy),
      .aes_done_i (aes_done),
      .stream_i   (stream),
      .opens_o    (iv_opens),
      .ready_o    (iv_ready),
      .wrong_o    (iv_wrong),
      .done_o     (iv_done),
      .begins_o   (iv_begins),
      .write_o    (iv_writes),
      .block_o    (iv_block),
      .count_o    (iv_counts),
      .clear_o    (iv_clears),
      .hashed_o   (iv_hashed),
      .lengths_o  (iv_lengths),
      .hash_o     (iv_hashes),
      .load_o     (iv_loads),
      .passes_o   (iv_passes)
  );

  nano_counter u_counter (
      .clk     (clk),
      .rst     (rst),
      .phase_i (phase_q),
      .begin_i (state_q == IV),
      .write_i (iv_writes),
      .byte_i  (iv_block),
      .count_i (iv_counts || (aes_start && (data_phase || iv_begins) && !closes)),
      .blank_i (state_q == CIPHER),
      .first_i (state_q == CLOSE),
      .block_o (block),
      .counts_o(counting)
  );

  // ---- AES and GHASH

  assign closes     = data_phase && ended_q && turn_ends;
  assign fills      = turn_ends && beat_valid_q && !ended_q && (take_aad || take_text);
  assign aes_start  = iv_loads || (turn_ends && (iv_begins || closes
      || (spent_q && !counting && (data_phase || state_q == CIPHER))
      || (fills && state_q == TEXT)));
  assign hash_start = fills || iv_hashes || (part_q && (closes || (state_q == AAD && next_section)))
      || (turn_ends && state_q == LENGTHS);

  nano_cipher u_cipher (
      .clk     (clk),
      .rst     (rst),
      .phase_i (phase_q),
      .long_i  (key_long),
      .start_i (aes_start),
      .pass_i  (iv_passes),
      .block_i (iv_passes ? digest : block),
      .key_i   (key_head),
      .done_o  (aes_done),
      .stream_o(stream)
  );

  logic [7:0] mixed, hashed;

  assign mixed = beat_q ^ stream;

  always_comb begin
    hashed = iv_hashed;
    if (state_q == LENGTHS || iv_lengths) hashed = length_byte;
    else if (take && beat_keep_q) hashed = state_q == TEXT && !decrypts ? mixed : beat_q;
  end

  nano_ghash u_ghash (
      .clk          (clk),
      .rst          (rst),
      .phase_i      (phase_q),
      .clear_i      (iv_clears),
      .byte_i       (hashed),
      .start_i      (hash_start),
      .busy_o       (hash_busy),
      .digest_o     (digest),
      .subkey_i     (state_q == SUBKEY),
      .subkey_byte_i(stream)
  );

  nano_lengths #(
      .AadBits (AadBits),
      .TextBits(TextBits)
  ) u_lengths (
      .clk         (clk),
      .clear_i     (rst || state_q == ANSWER || state_q == SUBKEY || leaves_key),
      .clear_text_i(state_q == LENGTHS && turn_ends || iv_done),
      .aad_i       (take && take_aad),
      .text_i      (take && take_text || key_taken || iv_taken || tag_taken || tag_given),
      .aad_place_o (aad_place),
      .text_place_o(text_place),
      .aad_full_o  (aad_full),
      .text_full_o (text_full),
      .phase_i     (phase_q),
      .block_o     (length_byte)
  );

  // ---- what leaves: text and the tag share a register

  logic out_valid_q, out_keep_q, out_last_q, tag_valid_q;
  logic [7:0] out_q;
  logic tag_free, verdict_given, text_given, end_given;

  assign out_free      = !out_valid_q || m_axis_tready;
  assign tag_free      = !out_valid_q && (!tag_valid_q || m_tag_tready);
  assign text_given    = take && take_text;
  assign end_given     = take && take_empty && state_q == TEXT && beat_last_q;
  assign tag_given     = state_q == TAG && !expects && status_q == OK && stream_there
      && !hash_busy && phase_q == text_place && tag_free;
  assign verdict_given = state_q == VERDICT && tag_free;

  always_ff @(posedge clk) begin
    if (text_given || end_given || tag_given || verdict_given) begin
      out_q      <= text_given && good ? mixed : tag_given ? digest ^ stream : 8'h00;
      out_keep_q <= text_given;
      out_last_q <= text_given || end_given ? beat_last_q : verdict_given || phase_q == tag_top_q;
    end
    if (rst) begin
      out_valid_q <= 1'b0;
      tag_valid_q <= 1'b0;
    end else begin
      out_valid_q <= text_given || end_given || (out_valid_q && !m_axis_tready);
      tag_valid_q <= tag_given || verdict_given || (tag_valid_q && !m_tag_tready);
    end
  end

  assign m_axis_tvalid = out_valid_q;
  assign m_axis_tdata  = out_q;
  assign m_axis_tkeep  = out_keep_q;
  assign m_axis_tlast  = out_last_q;
  assign m_tag_tvalid  = tag_valid_q;
  assign m_tag_tdata   = out_q;
  assign m_tag_tuser   = status_q;
  assign m_tag_tlast   = out_last_q;

  // ---- one packet

  logic length_right, tag_wrong;

  assign length_right = s_cmd_tdata[4:0] == 5'd4 || s_cmd_tdata[4:0] == 5'd8
      || s_cmd_tdata[4:0] == 5'd16 || s_cmd_tdata[4:2] == 3'd3;
  // A tag of fewer bytes than its command told ends too early, one of more does not end in time.
  assign tag_wrong    = tag_differs || s_cmd_tlast != (phase_q == tag_top_q);
  assign leaves_key   = key_taken && s_key_tlast;

  nano_direction u_direction (
      .clk       (clk),
      .begin_i   (state_q == IDLE && command_taken),
      .decrypt_i (s_cmd_tdata[7]),
      .refused_i (refused),
      .compare_i (tag_taken),
      .equal_i   ((digest ^ stream) == s_cmd_tdata),
      .refuses_o (refuses),
      .decrypts_o(decrypts),
      .expects_o (expects),
      .differs_o (tag_differs)
  );

  always_ff @(posedge clk) begin
    case (state_q)
      IDLE: begin
        ended_q <= 1'b0;
        if (key_taken) begin
          keyed_q  <= 1'b0;
          status_q <= s_key_tlast ? NO_KEY : OK;
          if (!s_key_tlast) state_q <= KEY;
        end else if (command_taken) begin
          tag_top_q <= s_cmd_tdata[3:0] - 4'd1;
          status_q  <= refuses ? StatusBits'(BAD_DIRECTION) : !keyed_q || s_cmd_tdata[5] ? NO_KEY
              : s_cmd_tlast ? BAD_IV : length_right ? OK : BAD_TAG_LENGTH;
          state_q   <= s_cmd_tlast ? AAD : IV;
        end
      end
      KEY:
      if (key_taken) begin  // of too many bytes none counts
        if (key_wrong) status_q <= NO_KEY;
        if (s_key_tlast) state_q <= key_whole && status_q == OK ? CIPHER : IDLE;
      end
      CIPHER: if (turn_ends && stream_there) state_q <= SUBKEY;
      SUBKEY:
      if (turn_ends) begin
        keyed_q <= 1'b1;
        state_q <= IDLE;
      end
      IV: begin
        if (iv_taken && iv_wrong && status_q != NO_KEY && !refused) status_q <= BAD_IV;
        if (iv_done) state_q <= AAD;
      end
      AAD, TEXT: begin
        if (take) begin
          status_q <= fault;
          ended_q  <= beat_last_q;
        end
        if (closes) state_q <= CLOSE;
        else if (next_section) state_q <= TEXT;
      end
      CLOSE: if (turn_ends && !hash_busy) state_q <= LENGTHS;
      LENGTHS: if (turn_ends) state_q <= TAG;
      TAG: begin
        if (tag_given && phase_q == tag_top_q) state_q <= ANSWER;
        if (!expects && status_q != OK && !hash_busy) state_q <= VERDICT;
        if (tag_taken) begin
          if (status_q == OK && tag_wrong && (s_cmd_tlast || phase_q == tag_top_q))
            status_q <= AUTH_FAIL;
          if (s_cmd_tlast) state_q <= VERDICT;
        end
      end
      VERDICT: if (tag_free) state_q <= ANSWER;
      default: if (m_tag_tready) state_q <= IDLE;
    endcase
    if (rst) begin
      state_q <= IDLE;
      keyed_q <= 1'b0;
    end
  end

  always_ff @(posedge clk) begin
    phase_q <= rst ? 4'd0 : phase_q + 4'd1;
    if (rst) {cmd_turn_q, key_turn_q} <= 2'b00;
    else {cmd_turn_q, key_turn_q} <= {state_q != IDLE && s_cmd_tvalid,
        state_q == IDLE ? key_turn_q && !key_here : state_q == ANSWER && s_key_tvalid};
    if (aes_start) spent_q <= 1'b0;
    else if (state_q == KEY || state_q == IV || (state_q == IDLE && command_taken)) spent_q <= 1'b1;
    if (hash_start || state_q == IDLE) part_q <= 1'b0;
    else if (take && (take_aad || take_text)) part_q <= 1'b1;
  end
endmodule
