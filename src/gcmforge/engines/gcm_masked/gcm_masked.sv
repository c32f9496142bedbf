// SPDX-License-Identifier: Apache-2.0
// AES-128-GCM in two shares, on streams of bytes, one packet after another: key, AES state, round
// keys, H, digest and what encrypts the tag are never in one piece. IV, counter, lengths, AAD and
// text are public. The tag is put together where it leaves, and not at all when it is expected.
// As in gcm_nano, bytes turn in rings of 16, phase_q says which is at the head, and a byte that
// comes in waits for its phase. Everything stands still in a cycle without new random bits.
// Latency: first text 321 cycles after a command, at most. Throughput: a packet of n blocks of
// text in 368 + 272 * n cycles, a block of AAD in 144; one that has a tag to compare 32 more.
module gcm_masked #(
    parameter int AadBits = 16,  // up to 2^AadBits bytes of AAD, and of text
    parameter int TextBits = 16
) (
    input  logic       aclk,
    input  logic       aresetn,
    // a key in two shares, tdata ^ tmask, byte 0 first: 16 bytes. With another number of them there
    // is no key.
    input  logic       s_key_tvalid,
    output logic       s_key_tready,
    input  logic [7:0] s_key_tdata,
    input  logic [7:0] s_key_tmask,
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
    output logic [2:0] m_tag_tuser,
    output logic       m_tag_tlast,
    // random bits, new in every transfer: 18 for the S-box, 8 for the digest. One a cycle is taken;
    // without, the core waits.
    input  logic        s_rnd_tvalid,
    output logic        s_rnd_tready,
    input  logic [25:0] s_rnd_tdata
);
  localparam logic [2:0] OK = 3'd0, AUTH_FAIL = 3'd1, NO_KEY = 3'd2, BAD_IV = 3'd3,
      BAD_TAG_LENGTH = 3'd4, TOO_LONG = 3'd5, BAD_FRAME = 3'd6;
  localparam logic [3:0] IDLE = 4'd0, KEY = 4'd1, CIPHER = 4'd2, SUBKEY = 4'd3, IV = 4'd4,
      AAD = 4'd5, TEXT = 4'd6, CLOSE = 4'd7, LENGTHS = 4'd8, TAG = 4'd9, VERDICT = 4'd10,
      ANSWER = 4'd11, CHECK = 4'd12, JUDGE = 4'd13;

  logic clk, rst, go;
  logic [17:0] box_random;
  logic [7:0] hash_random;
  assign clk = aclk;
  assign rst = !aresetn;
  assign go  = s_rnd_tvalid;
  assign s_rnd_tready = 1'b1;
  assign {hash_random, box_random} = s_rnd_tdata;

  logic [3:0] state_q, phase_q, tag_top_q;  // bytes of the tag, less one
  logic [2:0] status_q;
  logic keyed_q;
  logic key_turn_q, cmd_turn_q;  // what waits since the packet, or the key before, goes first
  logic spent_q;  // the AES is to begin a block: there is no stream that may be used
  logic part_q;   // bytes were added to the digest since it was multiplied
  logic ended_q;  // the packet's last beat was taken
  logic waited_q;  // a turn for the comparison of the tag is over
  logic data_phase, turn_ends;

  assign turn_ends  = phase_q == 4'd15;
  assign data_phase = state_q == AAD || state_q == TEXT;

  // ---- AAD and text: one beat waits for its phase

  logic beat_valid_q, beat_keep_q, beat_text_q, beat_bad_q, beat_last_q;
  logic [7:0] beat_q;
  logic aad_byte, text_byte, empty, take, take_aad, take_text, take_empty, next_section;
  logic [3:0] aad_place, text_place;
  logic aad_full, text_full, out_free, stream_there, hash_busy, aes_done;

  assign s_axis_tready = go && (!beat_valid_q || take);

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

  logic [2:0] fault;
  logic good;

  always_comb begin
    fault = OK;
    if (aad_byte ? aad_full : beat_keep_q && text_full) fault = TOO_LONG;
    if (beat_bad_q || (state_q == TEXT && aad_byte)) fault = BAD_FRAME;
    if (status_q != OK) fault = status_q;
  end
  assign good = fault == OK;

  // ---- what is in rings: the key, the counter block

  logic place_here, key_taken, command_taken, iv_taken, tag_taken;
  logic [7:0] key0, key1, block, length_byte;
  logic [7:0] stream0, stream1, digest0, digest1;
  logic aes_start, aes_loads, closes, fills, hash_start, tag_given, leaves_key;
  logic decrypts_q, tag_equal;

  assign place_here   = phase_q == {text_place[1:0], text_place[3:2]};
  assign s_key_tready = go && place_here
      && (state_q == KEY || (state_q == IDLE && (key_turn_q || !cmd_turn_q)));
  assign key_taken    = s_key_tready && s_key_tvalid;

  masked_key u_key (
      .clk    (clk),
      .go_i   (go),
      .take_i (key_taken),
      .byte0_i(s_key_tdata),
      .byte1_i(s_key_tmask),
      .load_i (aes_loads),
      .mask_i (box_random[7:0]),  // the S-box rests then
      .key0_o (key0),
      .key1_o (key1)
  );

  assign s_cmd_tready = go && ((state_q == IDLE && phase_q[0] && !key_turn_q)
      || (state_q == IV && place_here)
      || (state_q == TAG && decrypts_q && stream_there && !hash_busy && phase_q == text_place));
  assign command_taken = s_cmd_tready && s_cmd_tvalid;
  assign iv_taken      = command_taken && state_q == IV;
  assign tag_taken     = command_taken && state_q == TAG;

  masked_counter u_counter (
      .clk    (clk),
      .rst    (rst),
      .go_i   (go),
      .phase_i(phase_q),
      .begin_i(state_q == IV),
      .write_i(iv_taken),
      .byte_i (s_cmd_tdata),
      .count_i(aes_start && data_phase && !closes),
      .blank_i(state_q == CIPHER),
      .first_i(state_q == CLOSE),
      .block_o(block)
  );

  // ---- AES and GHASH

  assign closes     = data_phase && ended_q && turn_ends;
  assign fills      = turn_ends && beat_valid_q && !ended_q && (take_aad || take_text);
  assign aes_start  = turn_ends && ((spent_q && (data_phase || state_q == CIPHER)) || closes
      || (fills && state_q == TEXT));
  assign hash_start = fills || (part_q && (closes || (state_q == AAD && next_section)))
      || (turn_ends && state_q == LENGTHS);

  masked_aes u_aes (
      .clk      (clk),
      .rst      (rst),
      .go_i     (go),
      .phase_i  (phase_q),
      .start_i  (aes_start),
      .loads_o  (aes_loads),
      .block_i  (block),
      .key0_i   (key0),
      .key1_i   (key1),
      .random_i (box_random),
      .done_o   (aes_done),
      .stream0_o(stream0),
      .stream1_o(stream1)
  );

  logic [7:0] hashed0, hashed1;
  logic encrypts_byte;

  assign encrypts_byte = take && beat_keep_q && state_q == TEXT && !decrypts_q;

  always_comb begin
    hashed0 = 8'h00;
    hashed1 = 8'h00;
    if (state_q == LENGTHS) hashed0 = length_byte;
    else if (encrypts_byte) begin
      hashed0 = beat_q ^ stream0;
      hashed1 = stream1;
    end else if (take && beat_keep_q) hashed0 = beat_q;
  end

  masked_ghash u_ghash (
      .clk      (clk),
      .rst      (rst),
      .go_i     (go),
      .phase_i  (phase_q),
      .clear_i  (state_q == IV),
      .byte0_i  (hashed0),
      .byte1_i  (hashed1),
      .random_i (hash_random),
      .start_i  (hash_start),
      .busy_o   (hash_busy),
      .digest0_o(digest0),
      .digest1_o(digest1),
      .subkey_i (state_q == SUBKEY),
      .subkey0_i(stream0),
      .subkey1_i(stream1)
  );

  nano_lengths #(
      .AadBits (AadBits),
      .TextBits(TextBits)
  ) u_lengths (
      .clk         (clk),
      .clear_i     (rst || go && (state_q == ANSWER || state_q == SUBKEY || leaves_key)),
      .clear_text_i(go && (state_q == LENGTHS && turn_ends || iv_taken && s_cmd_tlast)),
      .aad_i       (go && take && take_aad),
      .text_i      (go && (take && take_text || key_taken || iv_taken || tag_taken || tag_given)),
      .aad_place_o (aad_place),
      .text_place_o(text_place),
      .aad_full_o  (aad_full),
      .text_full_o (text_full),
      .phase_i     (phase_q),
      .block_o     (length_byte)
  );

  // ---- what leaves: text and the tag share a register, which has them in two shares

  logic out_valid_q, out_keep_q, out_last_q, tag_valid_q;
  logic [7:0] out0_q, out1_q;
  logic tag_free, verdict_given, text_given, end_given, in_tag;

  assign in_tag        = phase_q <= tag_top_q;
  assign out_free      = !out_valid_q || m_axis_tready;
  assign tag_free      = !out_valid_q && (!tag_valid_q || m_tag_tready);
  assign text_given    = take && take_text;
  assign end_given     = take && take_empty && state_q == TEXT && beat_last_q;
  assign tag_given     = state_q == TAG && !decrypts_q && status_q == OK && stream_there
      && !hash_busy && phase_q == text_place && tag_free;
  assign verdict_given = state_q == VERDICT && tag_free;

  always_ff @(posedge clk) begin
    if (go && (text_given || end_given || tag_given || verdict_given)) begin
      out0_q <= 8'h00;
      out1_q <= 8'h00;
      if (text_given && good) begin
        out0_q <= beat_q ^ stream0;
        out1_q <= stream1;
      end else if (tag_given) begin
        out0_q <= digest0 ^ stream0;
        out1_q <= digest1 ^ stream1;
      end
      out_keep_q <= text_given;
      out_last_q <= text_given || end_given ? beat_last_q : verdict_given || phase_q == tag_top_q;
    end
    if (rst) begin
      out_valid_q <= 1'b0;
      tag_valid_q <= 1'b0;
    end else begin
      out_valid_q <= (go && (text_given || end_given)) || (out_valid_q && !m_axis_tready);
      tag_valid_q <= (go && (tag_given || verdict_given)) || (tag_valid_q && !m_tag_tready);
    end
  end

  assign m_axis_tvalid = out_valid_q;
  assign m_axis_tdata  = out0_q ^ out1_q;
  assign m_axis_tkeep  = out_keep_q;
  assign m_axis_tlast  = out_last_q;
  assign m_tag_tvalid  = tag_valid_q;
  assign m_tag_tdata   = out0_q ^ out1_q;
  assign m_tag_tuser   = status_q;
  assign m_tag_tlast   = out_last_q;

  // ---- one packet

  logic length_right, tag_short;

  assign length_right = s_cmd_tdata[4:0] == 5'd4 || s_cmd_tdata[4:0] == 5'd8
      || s_cmd_tdata[4:0] == 5'd16 || s_cmd_tdata[4:2] == 3'd3;
  assign tag_short    = phase_q < tag_top_q;  // bytes after those told, up to 16, do not matter
  assign leaves_key   = key_taken && s_key_tlast;

  masked_tag u_tag (
      .clk     (clk),
      .go_i    (go),
      .clear_i (state_q == LENGTHS),
      .take_i  (tag_taken && in_tag),
      .byte0_i (digest0 ^ stream0 ^ s_cmd_tdata),
      .byte1_i (digest1 ^ stream1),
      .random_i(box_random[7:0]),
      .settle_i(state_q == CHECK && waited_q && turn_ends && status_q == OK),
      .equal_o (tag_equal)
  );

  always_ff @(posedge clk) begin
    if (go) case (state_q)
      IDLE: begin
        ended_q <= 1'b0;
        if (key_taken) begin
          keyed_q  <= 1'b0;
          status_q <= s_key_tlast ? NO_KEY : OK;
          if (!s_key_tlast) state_q <= KEY;
        end else if (command_taken) begin
          tag_top_q <= s_cmd_tdata[3:0] - 4'd1;
          decrypts_q <= s_cmd_tdata[7];
          status_q  <= !keyed_q || s_cmd_tdata[5] ? NO_KEY
              : s_cmd_tlast ? BAD_IV : length_right ? OK : BAD_TAG_LENGTH;
          state_q   <= s_cmd_tlast ? AAD : IV;
        end
      end
      KEY:
      if (key_taken) begin  // of too many bytes none counts
        if (s_key_tlast != (text_place == 4'd15)) status_q <= NO_KEY;
        if (s_key_tlast)
          state_q <= text_place == 4'd15 && status_q == OK ? CIPHER : IDLE;
      end
      CIPHER: if (turn_ends && stream_there) state_q <= SUBKEY;
      SUBKEY:
      if (turn_ends) begin
        keyed_q <= 1'b1;
        state_q <= IDLE;
      end
      IV:
      if (iv_taken) begin
        if (s_cmd_tlast != (text_place == 4'd11) && status_q != NO_KEY) status_q <= BAD_IV;
        if (s_cmd_tlast) state_q <= AAD;
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
        if (!decrypts_q && status_q != OK && !hash_busy) state_q <= VERDICT;
        waited_q <= 1'b0;
        if (tag_taken && s_cmd_tlast) begin
          state_q <= CHECK;
          if (status_q == OK && tag_short) status_q <= AUTH_FAIL;
        end
      end
      CHECK: if (turn_ends) begin
        waited_q <= 1'b1;
        if (waited_q) state_q <= JUDGE;
      end
      JUDGE: begin
        state_q <= VERDICT;
        if (status_q == OK && !tag_equal) status_q <= AUTH_FAIL;
      end
      VERDICT: if (tag_free) state_q <= ANSWER;
      default: if (!tag_valid_q || m_tag_tready) state_q <= IDLE;
    endcase
    if (rst) begin
      state_q <= IDLE;
      keyed_q <= 1'b0;
    end
  end

  always_ff @(posedge clk) begin
    if (rst) phase_q <= 4'd0;
    else if (go) phase_q <= phase_q + 4'd1;
    if (rst) {cmd_turn_q, key_turn_q} <= 2'b00;
    else if (go) {cmd_turn_q, key_turn_q} <= {state_q != IDLE && s_cmd_tvalid,
        state_q == IDLE ? key_turn_q && !place_here : state_q == ANSWER && s_key_tvalid};
    if (go) begin
      if (aes_start) spent_q <= 1'b0;
      else if (state_q == KEY || state_q == IV || (state_q == IDLE && command_taken))
        spent_q <= 1'b1;
      if (hash_start || state_q == IDLE) part_q <= 1'b0;
      else if (take && (take_aad || take_text)) part_q <= 1'b1;
    end
  end
endmodule
