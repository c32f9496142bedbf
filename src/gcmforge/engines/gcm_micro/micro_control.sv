// SPDX-License-Identifier: Apache-2.0
// All that decides in a core with faults=detect: what gcm_micro does step by step, without its
// data. A core has it twice, with the same inputs, and compares what both say.
// Latency: that of gcm_micro. Throughput: its own.
(* keep_hierarchy = "yes" *)
module micro_control #(
    parameter int AadBits = 16,  // up to 2^AadBits bytes of AAD, and of text
    parameter int TextBits = 16,
    parameter int StatusBits = 4,
    parameter int Steps = 11,    // cycles of a product
    parameter int Outs = 59      // bits of both_o
) (
    input  logic              clk,
    input  logic              rst,             // every register becomes 0
    input  logic              lost_i,          // a fault took the key
    // the ports of the core
    input  logic              s_key_tvalid,
    input  logic              s_key_tlast,
    input  logic              s_cmd_tvalid,
    input  logic [      31:0] s_cmd_tdata,
    input  logic              s_cmd_tlast,
    input  logic              s_axis_tvalid,
    input  logic [       3:0] s_axis_tkeep,
    input  logic              s_axis_tuser,
    input  logic              s_axis_tlast,
    input  logic              m_axis_tready,
    input  logic              m_tag_tready,
    input  logic [      31:0] tag_i,           // word of the digest, byte 0 lowest
    // compared with those of the other copy
    output logic [  Outs-1:0] both_o,
    // not compared: each copy has a part of its own in what is checked
    output logic [       3:0] comes_o,         // bytes of a word of data that comes
    output logic [      15:0] mask_o,          // bytes of a block that are encrypted
    output logic [      15:0] counted_o,       // bytes of the key stream to be checked
    output logic [      31:0] length_o,        // a word of the block of lengths
    output logic [TextBits-3:0] counter_o
);
  localparam logic [StatusBits-1:0] OK = 0, AUTH_FAIL = 1, NO_KEY = 2, BAD_IV = 3,
      BAD_TAG_LENGTH = 4, TOO_LONG = 5, BAD_FRAME = 6, BAD_DIRECTION = 8, FAULT = 9;
  // the states of gcm_micro
  localparam logic [3:0] IDLE = 4'd0, KEY = 4'd1, CIPHER = 4'd2, SUBKEY = 4'd3, IV = 4'd4,
      AAD = 4'd5, TEXT = 4'd6, LENGTHS = 4'd7, LAST = 4'd8, TAG = 4'd9, VERDICT = 4'd10,
      SETTLE = 4'd11;
  localparam int COUNT = $clog2(Steps + 1);

  logic [3:0] state_q;
  logic [3:0] place_q;    // words of a key, an IV, a block, a tag so far; the top bit stays
  logic [3:0] tag_top_q;  // bytes of the tag, less one
  logic [StatusBits-1:0] status_q;
  logic keyed_q;
  logic turn_q;   // an idle core takes a key, else a command
  logic spent_q;  // the AES is to begin another block: its stream may not be used
  logic waited_q; // a part of a block is about to meet its stream
  logic ended_q;  // the packet's last beat was taken
  logic leaves_q; // text leaves
  logic data_phase;

  assign data_phase = state_q == AAD || state_q == TEXT;

  // ---- AAD and text: one beat waits for its turn; none is taken before its packet's command

  logic beat_valid_q, beat_text_q, beat_bad_q, beat_last_q, all_q;
  logic [3:0] beat_keep_q;
  logic begun_q, section_q, short_q;  // of the packet's beats so far
  logic holes, take, data_ready, data_taken;

  assign data_ready = (state_q == IV || data_phase) && !all_q && (!beat_valid_q || take);
  assign data_taken = data_ready && s_axis_tvalid;
  assign holes      = |(s_axis_tkeep & (s_axis_tkeep + 4'd1));
  assign comes_o    = holes ? {3'b0, s_axis_tkeep[0]} : s_axis_tkeep;

  always_ff @(posedge clk) begin
    if (data_taken) begin
      beat_keep_q <= comes_o;
      beat_text_q <= s_axis_tuser;
      beat_bad_q  <= holes
          || (begun_q && (section_q ? !s_axis_tuser || short_q : !s_axis_tuser && short_q));
      beat_last_q <= s_axis_tlast;
      section_q   <= s_axis_tuser;
      short_q     <= s_axis_tkeep != 4'hf;
      begun_q     <= !s_axis_tlast;
      all_q       <= s_axis_tlast;
    end
    if (!beat_valid_q || take) beat_valid_q <= data_taken;
    if (state_q == IDLE) all_q <= 1'b0;
    if (rst) begin
      {beat_keep_q, beat_text_q, beat_bad_q, beat_last_q} <= '0;
      {section_q, short_q, begun_q, all_q, beat_valid_q}  <= '0;
    end
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
  assign refused = status_q == BAD_DIRECTION;

  // ---- a block fills, is exchanged for its sum with the key stream, and leaves

  logic waits, fills, take_aad, take_text, take_empty, pads, tells;
  logic full, partial, exchanges, exchange, exchange_text, closes, next_section, shows;
  logic aes_done, hash_free, decrypts;
  logic [3:0] keep;
  logic [15:0] kept_q;
  logic [3:0] show_q;

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

  // A part of a block, or a block with a hole in it, meets its key stream a cycle later than a
  // whole one: first only that part of the stream is summed, for the check byte of what comes out,
  // and then all of it is checked.
  assign next_section  = state_q == AAD && waits && text_byte && place_q[1:0] == 2'd0;
  assign exchanges     = full && hash_free && (state_q == AAD || state_q == LENGTHS
      || ((state_q == TEXT || state_q == LAST) && aes_done && !spent_q));
  assign partial       = state_q == TEXT
      && !(kept_q[0] && kept_q[4] && kept_q[8] && kept_q[12]);  // of a word its first bytes only
  assign exchange      = exchanges && (!partial || waited_q);
  assign exchange_text = exchange && state_q == TEXT;
  assign closes        = data_phase && ended_q && (exchange || place_q[2:0] == 3'd0);
  assign shows         = leaves_q && m_axis_tready;

  assign keep = take_text
      ? {beat_keep_q[0], beat_keep_q[1], beat_keep_q[2], beat_keep_q[3]} : 4'b0;

  logic shift;
  assign shift = take_aad || take_text || pads || tells || shows;

  always_ff @(posedge clk) begin
    if (shift) show_q <= {show_q[2:0], fault == OK};
    if (shift) kept_q <= {kept_q[11:0], keep};
    if (rst) {show_q, kept_q} <= '0;
  end

  assign mask_o    = (kept_q & {16{state_q == TEXT}}) | {16{state_q == LAST}};
  assign counted_o = kept_q | {16{!exchanges || exchange}};

  // ---- the key, the counter, the rounds of AES, the digits of GHASH

  logic key_ready, command_ready, key_taken, command_taken, begins, iv_taken, tag_taken;
  logic key_whole, key_long, key_load, key_there, turns, aes_start, aes_last, hash_last;
  logic refuses, expects, tag_differs, hash_busy;
  logic [7:0] constant;
  logic [3:0] round_q;
  logic [COUNT-1:0] step_q;  // of a product; 0: none
  logic [TextBits-3:0] counter_q, next;

  assign key_ready     = state_q == KEY || (state_q == IDLE && turn_q);
  assign key_taken     = key_ready && s_key_tvalid;
  assign command_ready = state_q == IV || (state_q == IDLE && !turn_q)
      || (state_q == TAG && expects);
  assign command_taken = command_ready && s_cmd_tvalid;
  assign begins        = command_taken && state_q == IDLE;
  assign iv_taken      = command_taken && state_q == IV;
  assign tag_taken     = command_taken && state_q == TAG;
  // From then on all that a key brings has been made of it.
  assign key_there     = keyed_q || (state_q == CIPHER && !spent_q) || state_q == SUBKEY;

  micro_turns u_turns (
      .clk       (clk),
      .rst       (rst),
      .write_i   (key_taken),
      .place_i   (place_q),
      .last_i    (s_key_tlast),
      .whole_o   (key_whole),
      .long_o    (key_long),
      .load_i    (key_load),
      .turns_o   (turns),
      .constant_o(constant)
  );

  assign counter_o = counter_q;

  always_comb begin
    next = counter_q + (TextBits - 2)'(1);
    if ((take && beat_last_q) || iv_taken || key_taken)
      next = (TextBits - 2)'({iv_taken, take && beat_last_q});
  end
  always_ff @(posedge clk)
    if (rst) counter_q <= '0;
    else if ((take && beat_last_q) || iv_taken || key_taken || aes_start) counter_q <= next;

  // As in gcm_micro: what begins after the packet's last beat is J0.
  assign aes_start = exchange_text || (spent_q && aes_done
      && state_q != KEY && state_q != SETTLE && state_q != IV && state_q != IDLE);
  assign aes_done  = round_q == 4'd0;
  assign aes_last  = round_q == (key_long ? 4'd14 : 4'd10);
  assign key_load  = aes_last || (aes_done && !aes_start);

  always_ff @(posedge clk)
    if (rst) round_q <= 4'd0;
    else if (aes_start) round_q <= 4'd1;
    else if (!aes_done) round_q <= aes_last ? 4'd0 : round_q + 4'd1;

  assign hash_busy  = step_q != '0;
  assign hash_last  = step_q == COUNT'(Steps);
  assign hash_free  = !hash_busy || hash_last;

  always_ff @(posedge clk)
    if (rst) step_q <= '0;
    else if (hash_free) step_q <= COUNT'(exchange && state_q != LAST);
    else step_q <= step_q + COUNT'(1);

  micro_lengths #(
      .AadBits (AadBits),
      .TextBits(TextBits)
  ) u_lengths (
      .clk        (clk),
      .clear_i    (state_q == IDLE || rst),
      .aad_i      (take_aad),
      .text_i     (take_text),
      .keep_i     (beat_keep_q[3:1]),
      .aad_full_o (aad_full),
      .text_full_o(text_full),
      .place_i    (place_q[1:0]),
      .word_o     (length_o)
  );

  // ---- the tag

  logic [31:0] tag_mask;
  logic [3:0] tag_keep, told_keep;
  logic tag_ends, tag_given, tag_valid, tag_last, tag_shows;

  assign tag_ends = place_q[1:0] == tag_top_q[3:2];
  assign tag_keep = 4'hf >> (tag_ends ? ~tag_top_q[1:0] : 2'd0);
  for (genvar b = 0; b < 4; b++) begin : gen_tag
    assign tag_mask[8*b+:8] = {8{tag_keep[b]}};
  end

  assign tag_given = state_q == TAG && good;
  assign tag_valid = state_q == VERDICT || (state_q == TAG && !expects);
  assign tag_shows = tag_given && !expects;
  assign told_keep = tag_given ? tag_keep : 4'd1;
  assign tag_last  = !tag_given || tag_ends;

  // ---- one packet

  logic length_right, tag_wrong, place_steps, place_clears;

  assign length_right = s_cmd_tdata[4:0] == 5'd4 || s_cmd_tdata[4:0] == 5'd8
      || s_cmd_tdata[4:0] == 5'd16 || s_cmd_tdata[4:2] == 3'd3;
  // A tag of fewer words than its command told ends too early, one of more does not end in time.
  assign tag_wrong    = tag_differs || s_cmd_tlast != (tag_ends && place_q[3:2] == 2'd0);

  // In reset it takes a command to encrypt, so that no register of it is unknown.
  nano_direction u_direction (
      .clk       (clk),
      .begin_i   (begins || rst),
      .decrypt_i (s_cmd_tdata[7] && !rst),
      .refused_i (refused),
      .compare_i (tag_taken),
      .equal_i   ((tag_i & tag_mask) == (s_cmd_tdata & tag_mask)),
      .refuses_o (refuses),
      .decrypts_o(decrypts),
      .expects_o (expects),
      .differs_o (tag_differs)
  );

  assign place_steps  = key_taken || iv_taken || tag_taken || take_aad || take_text || pads
      || tells || (tag_valid && m_tag_tready);
  assign place_clears = rst || exchange || (key_taken && s_key_tlast)
      || (command_taken && s_cmd_tlast) || (tag_valid && m_tag_tready && tag_last);

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
          status_q  <= refuses ? BAD_DIRECTION : lost_i ? FAULT
              : !keyed_q || s_cmd_tdata[5] ? NO_KEY : s_cmd_tlast ? BAD_IV
              : length_right ? OK : BAD_TAG_LENGTH;
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
        if (s_cmd_tlast != (place_q == 4'd2)
            && status_q != NO_KEY && status_q != FAULT && !refused)
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
        if (tag_valid && m_tag_tready && tag_last) state_q <= IDLE;
        if (tag_taken) begin
          if (good && tag_wrong && (s_cmd_tlast || tag_ends)) status_q <= AUTH_FAIL;
          if (s_cmd_tlast) state_q <= VERDICT;
        end
      end
      default: if (m_tag_tready) state_q <= IDLE;
    endcase
    if (rst) begin
      state_q <= IDLE;
      {keyed_q, ended_q, tag_top_q, status_q} <= '0;
    end
  end

  always_ff @(posedge clk) begin
    // A command comes after a key, and after a packet a key, if it waits.
    turn_q <= !rst && (state_q == IDLE ? !turn_q
        : s_key_tvalid && (state_q == TAG || state_q == VERDICT));
    waited_q <= !rst && exchanges && !exchange;
    if (rst || aes_start) spent_q <= 1'b0;
    else if (key_taken || begins || closes) spent_q <= 1'b1;
    if (rst) leaves_q <= 1'b0;
    else if (exchange_text || (take_empty && state_q == TEXT && beat_last_q))
      leaves_q <= 1'b1;
    else if (shows && !kept_q[11]) leaves_q <= 1'b0;
  end

  // ---- what the other copy has to say, too; gcm_micro_detect has the names

  assign both_o = {
    key_ready, command_ready, data_ready, leaves_q, show_q[3], kept_q[12], kept_q[13], kept_q[14],
    kept_q[15], (ended_q && !kept_q[11]), tag_valid, tag_shows, told_keep, tag_keep, tag_last,
    status_q, place_q[2:0], (state_q == IV), (take_aad || take_text),
    (take_aad || take_text || pads || tells), (state_q == LENGTHS && !leaves_q), exchange,
    exchange_text, (state_q == TEXT && decrypts), (state_q == TEXT || state_q == LAST), partial,
    aes_start, !aes_done, aes_last, key_load, key_long, turns, constant,
    (turns && ^(constant & 8'haa)), (turns && ^(constant & 8'h55)), key_there, hash_busy,
    hash_last, (state_q == IDLE || rst), (state_q == SUBKEY), tag_given
  };
endmodule
