// SPDX-License-Identifier: Apache-2.0
// AES-GCM on streams of 32 bits, one packet after another. A block of data fills in four words,
// meets its key stream in one cycle, and leaves in four words, while the next block's key stream is
// made and its own product with H goes on.
// Latency: from a command to its first text, at most: with 20 S-boxes 17 cycles, or 21 with a key
// of 256 bits; with 4 S-boxes 61 cycles, or 81 with a key of 256 bits.
// Throughput: a packet of n blocks of text, with 20 S-boxes in 31 + 11 * n cycles, or 31 + 15 * n;
// a block of AAD in 11. With 4 S-boxes: in 95 + 55 * n cycles, or 95 + 75 * n; a block of AAD in
// 43. A packet to decrypt takes one cycle more.
module gcm_micro #(
    parameter int AadBits = 16,  // up to 2^AadBits bytes of AAD, and of text
    parameter int TextBits = 16,
    parameter int StatusBits = 3  // 4 with one direction
) (
    input  logic        aclk,
    input  logic        aresetn,
    // a key, word 0 first, byte 0 of a word lowest: 4 or 8 words, with others there is no key
    input  logic        s_key_tvalid,
    output logic        s_key_tready,
    input  logic [31:0] s_key_tdata,
    input  logic        s_key_tlast,
    // a command: 128 * decrypt + 32 * no such context + bytes of the tag; then the IV, with tlast.
    // Decrypting: then the expected tag, with tlast; it is taken when the text has ended.
    input  logic        s_cmd_tvalid,
    output logic        s_cmd_tready,
    input  logic [31:0] s_cmd_tdata,
    input  logic        s_cmd_tlast,
    // AAD and text; tuser: 1 for text
    input  logic        s_axis_tvalid,
    output logic        s_axis_tready,
    input  logic [31:0] s_axis_tdata,
    input  logic [ 3:0] s_axis_tkeep,
    input  logic        s_axis_tuser,
    input  logic        s_axis_tlast,
    output logic        m_axis_tvalid,
    input  logic        m_axis_tready,
    output logic [31:0] m_axis_tdata,
    output logic [ 3:0] m_axis_tkeep,
    output logic        m_axis_tlast,
    // the tag when encrypting, else one word of zeros; tuser: the status
    output logic        m_tag_tvalid,
    input  logic        m_tag_tready,
    output logic [31:0] m_tag_tdata,
    output logic [ 3:0] m_tag_tkeep,
    output logic [StatusBits-1:0] m_tag_tuser,
    output logic        m_tag_tlast
);
  localparam logic [StatusBits-1:0] OK = 0, AUTH_FAIL = 1, NO_KEY = 2, BAD_IV = 3,
      BAD_TAG_LENGTH = 4, TOO_LONG = 5, BAD_FRAME = 6;
  localparam logic [3:0] BAD_DIRECTION = 4'd8;
  localparam logic [3:0] IDLE = 4'd0, KEY = 4'd1, CIPHER = 4'd2, SUBKEY = 4'd3, IV = 4'd4,
      AAD = 4'd5, TEXT = 4'd6, LENGTHS = 4'd7, LAST = 4'd8, TAG = 4'd9, VERDICT = 4'd10,
      SETTLE = 4'd11;

  logic clk, rst;
  assign clk = aclk;
  assign rst = !aresetn;

  logic [3:0] state_q;
  logic [3:0] place_q;    // words of a key, an IV, a block, a tag so far; the top bit stays
  logic [3:0] tag_top_q;  // bytes of the tag, less one
  logic [StatusBits-1:0] status_q;
  logic keyed_q;
  logic turn_q;   // an idle core takes a key, else a command
  logic spent_q;  // the AES is to begin another block: its stream may not be used
  logic ended_q;  // the packet's last beat was taken
  logic leaves_q; // text leaves
  logic data_phase;

  assign data_phase = state_q == AAD || state_q == TEXT;

  // ---- AAD and text: one beat waits for its turn

  logic beat_valid_q, beat_text_q, beat_bad_q, beat_last_q;
  logic [3:0] beat_keep_q;
  logic [31:0] beat_q;
  logic begun_q, section_q, short_q;  // of the packet's beats so far
  logic holes, take;

  assign s_axis_tready = !beat_valid_q || take;
  assign holes         = |(s_axis_tkeep & (s_axis_tkeep + 4'd1));

  always_ff @(posedge clk) begin
    if (s_axis_tready && s_axis_tvalid) begin
      beat_q      <= s_axis_tdata;
      beat_keep_q <= holes ? {3'b0, s_axis_tkeep[0]} : s_axis_tkeep;
      beat_text_q <= s_axis_tuser;
      beat_bad_q  <= holes
          || (begun_q && (section_q ? !s_axis_tuser || short_q : !s_axis_tuser && short_q));
      beat_last_q <= s_axis_tlast;
      section_q   <= s_axis_tuser;
      short_q     <= s_axis_tkeep != 4'hf;
    end
    if (rst) beat_valid_q <= 1'b0;
    else if (s_axis_tready) beat_valid_q <= s_axis_tvalid;
    if (rst) begun_q <= 1'b0;
    else if (s_axis_tready && s_axis_tvalid) begun_q <= !s_axis_tlast;
  end

  // ---- statuses: the first one counts

  logic [StatusBits-1:0] fault;
  logic good, refused, aad_byte, text_byte, aad_full, text_full;

  assign aad_byte  = beat_keep_q[0] && !beat_text_q;
  assign text_byte = beat_keep_q[0] && beat_text_q;

  always_comb begin
    fault = OK;
    if (aad_byte ? aad_full : text_byte && text_full) fault = TOO_LONG;
    if (beat_bad_q) fault = BAD_FRAME;
    if (status_q != OK) fault = status_q;
  end
  assign good    = status_q == OK;
  assign refused = 4'(status_q) == BAD_DIRECTION;

  // ---- a block fills, is exchanged for its sum with the key stream, and leaves

  logic waits, fills, take_aad, take_text, take_empty, pads, tells;
  logic full, exchange, exchange_text, closes, next_section, shows;
  logic aes_done, hash_free, decrypts, shown;
  logic [31:0] word, length_word;
  logic [3:0] keep;
  logic [15:0] kept;
  logic [127:0] data, stream, masked, changed, hashed;

  assign full       = place_q[2];
  assign fills      = !full && !leaves_q;
  assign waits      = fills && beat_valid_q && !ended_q;
  assign take_aad   = state_q == AAD && waits && aad_byte;
  assign take_text  = state_q == TEXT && waits && text_byte;
  assign take_empty = waits && (state_q == AAD ? !beat_keep_q[0]
      : state_q == TEXT && !text_byte && place_q[1:0] == 2'd0);
  assign take       = take_aad || take_text || take_empty;
  assign pads       = data_phase && !full && place_q[1:0] != 2'd0
      && (ended_q || (waits && text_byte == (state_q == AAD)));
  assign tells      = (state_q == LENGTHS || state_q == LAST) && fills;

  assign next_section  = state_q == AAD && waits && text_byte && place_q[1:0] == 2'd0;
  assign exchange      = full && hash_free && (state_q == AAD || state_q == LENGTHS
      || ((state_q == TEXT || state_q == LAST) && aes_done && !spent_q));
  assign exchange_text = exchange && state_q == TEXT;
  assign closes        = data_phase && ended_q && (exchange || place_q[2:0] == 3'd0);
  assign shows         = leaves_q && m_axis_tready;

  assign word = take_aad || take_text ? {beat_q[7:0], beat_q[15:8], beat_q[23:16], beat_q[31:24]}
      & {{8{beat_keep_q[0]}}, {8{beat_keep_q[1]}}, {8{beat_keep_q[2]}}, {8{beat_keep_q[3]}}}
      : state_q == LENGTHS && !leaves_q ? length_word : 32'b0;
  assign keep = take_text
      ? {beat_keep_q[0], beat_keep_q[1], beat_keep_q[2], beat_keep_q[3]} : 4'b0;

  micro_data u_data (
      .clk     (clk),
      .rst     (rst),
      .shift_i (take_aad || take_text || pads || tells || shows),
      .word_i  (word),
      .keep_i  (keep),
      .show_i  (fault == OK),  // of a word of text; those that pad it have no byte to show
      .change_i(exchange_text),
      .block_i (changed),
      .block_o (data),
      .keep_o  (kept),
      .show_o  (shown)
  );

  for (genvar i = 0; i < 16; i++) begin : gen_masked
    assign masked[8*i+:8] = stream[8*i+:8]
        & {8{(state_q == TEXT && kept[i]) || state_q == LAST}};
  end
  assign changed = data ^ masked;
  assign hashed  = state_q == TEXT && decrypts ? data : changed;

  // ---- the key, the counter block, AES and GHASH

  logic key_taken, command_taken, begins, iv_taken, tag_taken, key_whole, key_long, key_load;
  logic aes_start, refuses, expects, tag_differs;
  logic [31:0] key_word, command_word;
  logic [127:0] round_key, block, digest;

  assign s_key_tready  = state_q == KEY || (state_q == IDLE && turn_q);
  assign key_taken     = s_key_tready && s_key_tvalid;
  assign s_cmd_tready  = state_q == IV || (state_q == IDLE && !turn_q)
      || (state_q == TAG && expects);
  assign command_taken = s_cmd_tready && s_cmd_tvalid;
  assign begins        = command_taken && state_q == IDLE;
  assign iv_taken      = command_taken && state_q == IV;
  assign tag_taken     = command_taken && state_q == TAG;
  assign key_word      = {s_key_tdata[7:0], s_key_tdata[15:8],
                          s_key_tdata[23:16], s_key_tdata[31:24]};
  assign command_word  = {s_cmd_tdata[7:0], s_cmd_tdata[15:8],
                          s_cmd_tdata[23:16], s_cmd_tdata[31:24]};

  micro_schedule u_schedule (
      .clk    (clk),
      .rst    (rst),
      .write_i(key_taken),
      .place_i(place_q),
      .word_i (key_word),
      .last_i (s_key_tlast),
      .whole_o(key_whole),
      .long_o (key_long),
      .load_i (key_load),
      .key_o  (round_key)
  );

  micro_counter u_counter (
      .clk    (clk),
      .blank_i(key_taken),
      .write_i(iv_taken),
      .place_i(place_q[1:0]),
      .word_i (command_word),
      .first_i(take && beat_last_q),
      .count_i(aes_start),
      .block_o(block)
  );

  // A block begins when the one before is used, or when that is of no use; not while a key or an IV
  // comes. From the packet's last beat on the counter is 1. So what begins with the last block of
  // text is J0; where no block follows the last beat, closes asks for it. None begins in between.
  assign aes_start = exchange_text || (spent_q && aes_done
      && state_q != KEY && state_q != SETTLE && state_q != IV && state_q != IDLE);

  micro_cipher u_aes (
      .clk     (clk),
      .rst     (rst),
      .start_i (aes_start),
      .block_i (block),
      .done_o  (aes_done),
      .stream_o(stream),
      .long_i  (key_long),
      .load_o  (key_load),
      .key_i   (round_key)
  );

  micro_hash u_ghash (
      .clk           (clk),
      .rst           (rst),
      .clear_i       (state_q == IDLE),
      .add_i         (exchange),
      .block_i       (hashed),
      .multiply_i    (state_q != LAST),
      .free_o        (hash_free),
      .digest_o      (digest),
      .subkey_i      (state_q == SUBKEY),
      .subkey_block_i(stream)
  );

  micro_lengths #(
      .AadBits (AadBits),
      .TextBits(TextBits)
  ) u_lengths (
      .clk        (clk),
      .clear_i    (state_q == IDLE),
      .aad_i      (take_aad),
      .text_i     (take_text),
      .keep_i     (beat_keep_q[3:1]),
      .aad_full_o (aad_full),
      .text_full_o(text_full),
      .place_i    (place_q[1:0]),
      .word_o     (length_word)
  );

  // ---- what leaves: text from its block, the tag from the digest

  logic [31:0] tag_word, tag_mask;
  logic [3:0] tag_keep;
  logic tag_ends, tag_given;

  assign m_axis_tvalid = leaves_q;
  assign m_axis_tdata  = {data[103:96], data[111:104], data[119:112], data[127:120]}
      & {32{leaves_q && shown}};
  assign m_axis_tkeep  = {kept[12], kept[13], kept[14], kept[15]};
  assign m_axis_tlast  = ended_q && !kept[11];

  assign tag_ends = place_q[1:0] == tag_top_q[3:2];
  assign tag_word = digest[127-32*place_q[1:0]-:32];
  assign tag_keep = 4'hf >> (tag_ends ? ~tag_top_q[1:0] : 2'd0);
  for (genvar b = 0; b < 4; b++) begin : gen_tag
    assign tag_mask[8*b+:8] = {8{tag_keep[b]}};
  end

  logic [31:0] tag;  // byte 0 lowest
  assign tag = {tag_word[7:0], tag_word[15:8], tag_word[23:16], tag_word[31:24]} & tag_mask;

  assign tag_given    = state_q == TAG && good;
  assign m_tag_tvalid = state_q == VERDICT || (state_q == TAG && !expects);
  assign m_tag_tdata  = tag & {32{tag_given && !expects}};
  assign m_tag_tkeep  = tag_given ? tag_keep : 4'd1;
  assign m_tag_tuser  = status_q;
  assign m_tag_tlast  = !tag_given || tag_ends;

  // ---- one packet

  logic length_right, tag_wrong, place_steps, place_clears;

  assign length_right = s_cmd_tdata[4:0] == 5'd4 || s_cmd_tdata[4:0] == 5'd8
      || s_cmd_tdata[4:0] == 5'd16 || s_cmd_tdata[4:2] == 3'd3;
  // A tag of fewer words than its command told ends too early, one of more does not end in time.
  assign tag_wrong    = tag_differs || s_cmd_tlast != (tag_ends && place_q[3:2] == 2'd0);

  nano_direction u_direction (
      .clk       (clk),
      .begin_i   (begins),
      .decrypt_i (s_cmd_tdata[7]),
      .refused_i (refused),
      .compare_i (tag_taken),
      .equal_i   (tag == (s_cmd_tdata & tag_mask)),
      .refuses_o (refuses),
      .decrypts_o(decrypts),
      .expects_o (expects),
      .differs_o (tag_differs)
  );

  assign place_steps  = key_taken || iv_taken || tag_taken || take_aad || take_text || pads
      || tells || (m_tag_tvalid && m_tag_tready);
  assign place_clears = rst || exchange || (key_taken && s_key_tlast)
      || (command_taken && s_cmd_tlast) || (m_tag_tvalid && m_tag_tready && m_tag_tlast);

  always_ff @(posedge clk) begin
    if (place_clears) place_q <= '0;
    else if (place_steps) place_q <= (place_q + 4'd1) | {place_q[3], 3'b0};
  end

  always_ff @(posedge clk) begin
    case (state_q)
      IDLE: begin
        ended_q <= 1'b0;
        if (key_taken) begin
          keyed_q <= 1'b0;
          if (!s_key_tlast) state_q <= KEY;
        end else if (begins) begin
          tag_top_q <= s_cmd_tdata[3:0] - 4'd1;
          status_q  <= refuses ? StatusBits'(BAD_DIRECTION) : !keyed_q || s_cmd_tdata[5] ? NO_KEY
              : s_cmd_tlast ? BAD_IV : length_right ? OK : BAD_TAG_LENGTH;
          state_q   <= s_cmd_tlast ? AAD : IV;
        end
      end
      KEY: if (key_taken && s_key_tlast) state_q <= key_whole ? SETTLE : IDLE;
      SETTLE: state_q <= CIPHER;  // the first round key follows the key
      CIPHER: if (aes_done && !spent_q) state_q <= SUBKEY;
      SUBKEY: begin
        keyed_q <= 1'b1;
        state_q <= IDLE;
      end
      IV:
      if (iv_taken) begin
        if (s_cmd_tlast != (place_q == 4'd2) && status_q != NO_KEY && !refused)
          status_q <= BAD_IV;
        if (s_cmd_tlast) state_q <= AAD;
      end
      AAD, TEXT: begin
        if (take) begin
          status_q <= fault;
          ended_q  <= beat_last_q;
        end
        if (closes) state_q <= LENGTHS;
        else if (next_section) state_q <= TEXT;
      end
      LENGTHS: if (exchange) state_q <= LAST;
      LAST: if (exchange) state_q <= TAG;
      TAG: begin
        if (m_tag_tvalid && m_tag_tready && m_tag_tlast) state_q <= IDLE;
        if (tag_taken) begin
          if (good && tag_wrong && (s_cmd_tlast || tag_ends)) status_q <= AUTH_FAIL;
          if (s_cmd_tlast) state_q <= VERDICT;
        end
      end
      default: if (m_tag_tready) state_q <= IDLE;
    endcase
    if (rst) begin
      state_q <= IDLE;
      keyed_q <= 1'b0;
    end
  end

  always_ff @(posedge clk) begin
    // A command comes after a key, and after a packet a key, if it waits.
    turn_q <= !rst && (state_q == IDLE ? !turn_q
        : s_key_tvalid && (state_q == TAG || state_q == VERDICT));
    if (aes_start) spent_q <= 1'b0;
    else if (key_taken || begins || closes) spent_q <= 1'b1;
    if (rst) leaves_q <= 1'b0;
    else if (exchange_text || (take_empty && state_q == TEXT && beat_last_q))
      leaves_q <= 1'b1;
    else if (shows && !kept[11]) leaves_q <= 1'b0;
  end
endmodule
