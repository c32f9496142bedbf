// SPDX-License-Identifier: Apache-2.0
// AES-GCM as in gcm_micro, which tells when a fault has made it wrong. What decides is there twice;
// data, round keys, AES and GHASH have check bytes and parity bits. In the cycle of a wrong bit
// nothing leaves. From the next one on micro_where ends the packet with FAULT, and drops the key.
// Latency: from a command to its first text, at most 17 cycles, or 21 with a key of 256 bits; one
// more where that is less than a block.
// Throughput: a packet of n blocks of text in 31 + 11 * n cycles, or 31 + 15 * n; a block of AAD in
// 11. A packet to decrypt takes one cycle more, and one whose last block is not full one more.
module gcm_micro_detect #(
    parameter int AadBits = 16,  // up to 2^AadBits bytes of AAD, and of text
    parameter int TextBits = 16,
    parameter int StatusBits = 4
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
  localparam logic [StatusBits-1:0] FAULT = 9;
  localparam int DIGIT = 12;  // bits of GHASH a cycle
  localparam int OUTS = 59;

  logic clk, rst;
  assign clk = aclk;
  assign rst = !aresetn;

  // ---- what decides, twice

  logic fails, lost, where_key, where_command, where_data, where_text, where_answer;
  logic [OUTS-1:0] said, said_again;
  logic key_ready, command_ready, data_ready, leaves, shown, text_last, tag_valid, tag_shows,
      tag_last, takes_iv, takes, fills, tells, exchange, exchange_text, hashes_data, encrypts,
      aes_start, aes_busy, aes_last, key_load, key_long, turns, key_there, hash_busy,
      hash_last, clear, subkey, tag_given;
  logic partial;
  logic [1:0] odd;
  logic [2:0] place;
  logic [3:0] text_keep, told_keep, tag_keep, status;
  logic [7:0] constant;
  logic [3:0] comes, comes_again;
  logic [15:0] mask, mask_again, counted, counted_again;
  logic [31:0] length_word, length_again, tag;
  logic [TextBits-3:0] counter, counter_again;

  micro_control #(
      .AadBits   (AadBits),
      .TextBits  (TextBits),
      .StatusBits(StatusBits),
      .Steps     ((127 + DIGIT) / DIGIT), .Outs(OUTS)
  ) u_control (
      .clk          (clk),
      .rst          (rst || fails),
      .lost_i       (lost),
      .s_key_tvalid (s_key_tvalid),
      .s_key_tlast  (s_key_tlast),
      .s_cmd_tvalid (s_cmd_tvalid),
      .s_cmd_tdata  (s_cmd_tdata),
      .s_cmd_tlast  (s_cmd_tlast),
      .s_axis_tvalid(s_axis_tvalid),
      .s_axis_tkeep (s_axis_tkeep),
      .s_axis_tuser (s_axis_tuser),
      .s_axis_tlast (s_axis_tlast),
      .m_axis_tready(m_axis_tready),
      .m_tag_tready (m_tag_tready),
      .tag_i        (tag),
      .both_o       (said),
      .comes_o      (comes),
      .mask_o       (mask),
      .counted_o    (counted),
      .length_o     (length_word),
      .counter_o    (counter)
  );

  micro_control #(
      .AadBits   (AadBits),
      .TextBits  (TextBits),
      .StatusBits(StatusBits),
      .Steps     ((127 + DIGIT) / DIGIT), .Outs(OUTS)
  ) u_again (
      .clk          (clk),
      .rst          (rst || fails),
      .lost_i       (lost),
      .s_key_tvalid (s_key_tvalid),
      .s_key_tlast  (s_key_tlast),
      .s_cmd_tvalid (s_cmd_tvalid),
      .s_cmd_tdata  (s_cmd_tdata),
      .s_cmd_tlast  (s_cmd_tlast),
      .s_axis_tvalid(s_axis_tvalid),
      .s_axis_tkeep (s_axis_tkeep),
      .s_axis_tuser (s_axis_tuser),
      .s_axis_tlast (s_axis_tlast),
      .m_axis_tready(m_axis_tready),
      .m_tag_tready (m_tag_tready),
      .tag_i        (tag),
      .both_o       (said_again),
      .comes_o      (comes_again),
      .mask_o       (mask_again),
      .counted_o    (counted_again),
      .length_o     (length_again),
      .counter_o    (counter_again)
  );

  assign {
    key_ready, command_ready, data_ready, leaves, shown, text_keep, text_last, tag_valid,
    tag_shows, told_keep, tag_keep, tag_last, status, place, takes_iv, takes, fills, tells,
    exchange, exchange_text, hashes_data, encrypts, partial, aes_start, aes_busy, aes_last,
    key_load, key_long, turns, constant, odd, key_there, hash_busy, hash_last, clear, subkey,
    tag_given
  } = said;

  // What the second copy says decides what must come out, and holds the ports back.
  logic key_ready_again, command_ready_again, data_ready_again, leaves_again, shown_again,
      text_last_again, tag_valid_again, tag_shows_again, tag_last_again, takes_iv_again,
      takes_again, fills_again, tells_again, exchange_again, exchange_text_again,
      hashes_data_again, encrypts_again, partial_again, aes_start_again, aes_busy_again,
      aes_last_again, key_load_again, key_long_again, turns_again, key_there_again,
      hash_busy_again, hash_last_again, clear_again, subkey_again,
      tag_given_again;
  logic [1:0] odd_again;
  logic [2:0] place_again;
  logic [3:0] text_keep_again, told_keep_again, tag_keep_again, status_again;
  logic [7:0] constant_again;
  logic unused;

  assign {
    key_ready_again, command_ready_again, data_ready_again, leaves_again, shown_again,
    text_keep_again, text_last_again, tag_valid_again, tag_shows_again, told_keep_again,
    tag_keep_again, tag_last_again, status_again, place_again, takes_iv_again, takes_again,
    fills_again, tells_again, exchange_again, exchange_text_again, hashes_data_again,
    encrypts_again, partial_again, aes_start_again, aes_busy_again, aes_last_again,
    key_load_again, key_long_again, turns_again, constant_again, odd_again, key_there_again,
    hash_busy_again, hash_last_again, clear_again, subkey_again, tag_given_again
  } = said_again;
  assign unused = &{1'b0, text_keep_again, text_last_again, told_keep_again, tag_keep_again,
      tag_last_again, status_again, aes_last_again, turns_again, constant_again, mask_again,
      counted, encrypts, partial, odd, key_there, tag_given};

  // ---- words that come

  // A word is kept when it passes the port; its check byte, when the second copy takes it.
  logic key_taken, command_taken, data_taken, key_taken_again, iv_taken_again, data_taken_again;
  logic [31:0] key_word, command_word, came, came_again, beat_q, word;
  logic [7:0] came_sum, beat_sum_q, length_sum, word_sum;

  assign s_key_tready  = fails ? where_key : key_ready && key_ready_again;
  assign s_cmd_tready  = fails ? where_command : command_ready && command_ready_again;
  assign s_axis_tready = fails ? where_data : data_ready && data_ready_again;
  assign key_taken     = s_key_tready && s_key_tvalid;
  assign command_taken = s_cmd_tready && s_cmd_tvalid;
  assign data_taken    = s_axis_tready && s_axis_tvalid;

  assign key_taken_again  = key_ready_again && s_key_tvalid;
  assign iv_taken_again   = command_ready_again && s_cmd_tvalid && takes_iv_again;
  assign data_taken_again = data_ready_again && s_axis_tvalid;

  assign key_word      = {s_key_tdata[7:0], s_key_tdata[15:8],
                          s_key_tdata[23:16], s_key_tdata[31:24]};
  assign command_word  = {s_cmd_tdata[7:0], s_cmd_tdata[15:8],
                          s_cmd_tdata[23:16], s_cmd_tdata[31:24]};

  for (genvar b = 0; b < 4; b++) begin : gen_came
    assign came[31-8*b-:8]       = s_axis_tdata[8*b+:8] & {8{comes[b]}};
    assign came_again[31-8*b-:8] = s_axis_tdata[8*b+:8] & {8{comes_again[b]}};
  end

  micro_byte_sum #(.Bytes(4)) u_came (
      .bytes_i(came_again),
      .sum_o  (came_sum)
  );

  micro_byte_sum #(.Bytes(4)) u_length (
      .bytes_i(length_again),
      .sum_o  (length_sum)
  );

  always_ff @(posedge clk) begin
    if (data_taken) beat_q <= came;
    if (data_taken_again) beat_sum_q <= came_sum;
  end

  assign word     = takes ? beat_q : tells ? length_word : 32'b0;
  assign word_sum = (beat_sum_q & {8{takes_again}}) | (length_sum & {8{tells_again}});

  // ---- a block of data, and its sum with the key stream

  logic data_bad, aes_bad, keys_bad, hash_bad, tag_bad;
  logic [7:0] data_sum, stream_sum, wanted_sum, masked_sum, iv_sum, counter_sum, key_sum;
  logic [7:0] first_sum, left_sum, part_sum_q;
  logic [31:0] digest_sums;
  logic [95:0] iv;
  logic [127:0] data, stream, masked, changed, hashed, round_key, digest;

  for (genvar i = 0; i < 16; i++) begin : gen_masked
    assign masked[8*i+:8] = stream[8*i+:8] & {8{mask[i]}};
  end
  assign changed    = data ^ masked;
  assign hashed     = hashes_data ? data : changed;
  assign masked_sum = (partial_again ? part_sum_q : stream_sum) & {8{encrypts_again}};

  always_ff @(posedge clk) part_sum_q <= stream_sum;

  micro_checked_data u_data (
      .clk           (clk),
      .shift_i       (fills || (leaves && m_axis_tready)),
      .word_i        (word),
      .word_sum_i    (word_sum),
      .change_i      (exchange_text),
      .block_i       (changed),
      .clear_again_i (clear_again),
      .shift_again_i (fills_again || (leaves_again && m_axis_tready)),
      .change_again_i(exchange_text_again),
      .change_sum_i  (masked_sum),
      .block_o       (data),
      .first_sum_o   (first_sum),
      .sum_o         (data_sum),
      .bad_o         (data_bad)
  );

  // ---- the key, the counter block, AES and GHASH

  micro_checked_schedule u_schedule (
      .clk          (clk),
      .write_i      (key_taken),
      .place_i      (place),
      .word_i       (key_word),
      .write_again_i(key_taken_again),
      .place_again_i(place_again),
      .long_again_i (key_long_again),
      .load_again_i (key_load_again),
      .key_sum_i    (key_sum),
      .long_i       (key_long),
      .turns_i      (turns),
      .constant_i   (constant),
      .odd_i        (odd_again),
      .load_i       (key_load),
      .key_o        (round_key),
      .bad_o        (keys_bad)
  );

  micro_checked_iv u_iv (
      .clk          (clk),
      .blank_i      (key_taken),
      .write_i      (command_taken && takes_iv),
      .place_i      (place[1:0]),
      .word_i       (command_word),
      .blank_again_i(key_taken_again),
      .write_again_i(iv_taken_again),
      .place_again_i(place_again[1:0]),
      .iv_o         (iv),
      .sum_o        (iv_sum)
  );

  micro_byte_sum #(.Bytes(4)) u_counter (
      .bytes_i(32'(counter_again)),
      .sum_o  (counter_sum)
  );

  micro_checked_aes u_aes (
      .clk          (clk),
      .start_i      (aes_start),
      .busy_i       (aes_busy),
      .last_i       (aes_last),
      .block_i      ({iv, 32'(counter)}),
      .block_sum_i  (iv_sum ^ counter_sum),
      .start_again_i(aes_start_again),
      .busy_again_i (aes_busy_again),
      .key_i        (round_key),
      .key_sum_o    (key_sum),
      .stream_o     (stream),
      .counted_i    (counted_again),
      .sum_o        (stream_sum),
      .wanted_o     (wanted_sum),
      .bad_o        (aes_bad)
  );

  micro_checked_ghash #(.Digit(DIGIT)) u_ghash (
      .clk           (clk),
      .clear_i       (clear),
      .add_i         (exchange),
      .block_i       (hashed),
      .block_sum_i   (data_sum ^ (masked_sum & {8{!hashes_data_again}})),
      .busy_i        (hash_busy),
      .last_i        (hash_last),
      .clear_again_i (clear_again),
      .add_again_i   (exchange_again),
      .busy_again_i  (hash_busy_again),
      .last_again_i  (hash_last_again),
      .subkey_again_i(subkey_again),
      .digest_o      (digest),
      .digest_sums_o (digest_sums),
      .subkey_i      (subkey),
      .subkey_block_i(stream),
      .subkey_sum_i  (wanted_sum),
      .bad_o         (hash_bad)
  );

  // ---- what leaves: text from its block, the tag from the digest

  logic [31:0] tag_word, tag_mask;
  logic [7:0] tag_sum;
  logic differs, fault_inside, passes, fault_at_port;

  assign tag_word = digest[127-32*place[1:0]-:32];
  assign tag      = {tag_word[7:0], tag_word[15:8], tag_word[23:16], tag_word[31:24]};
  for (genvar b = 0; b < 4; b++) begin : gen_tag
    assign tag_mask[8*b+:8] = {8{tag_keep[b] && tag_shows && tag_shows_again && passes}};
  end

  micro_byte_sum #(.Bytes(4)) u_tag (
      .bytes_i(tag_word),
      .sum_o  (tag_sum)
  );

  assign tag_bad = tag_sum != digest_sums[31-8*place_again[1:0]-:8];
  assign differs = said != said_again;
  // A word of the tag is checked when it leaves, and when it is compared with the expected one.
  // Without a key, round keys and H may be anything, and so may what is made with them.
  assign fault_inside = differs || (tag_given_again && tag_bad) || (key_there_again
      && (data_bad || hash_bad || keys_bad || (aes_bad && &counted_again)));
  assign passes  = !fault_inside && !fails;

  assign m_axis_tvalid = fails ? where_text : leaves && leaves_again && !fault_inside;
  assign m_axis_tdata  = {data[103:96], data[111:104], data[119:112], data[127:120]}
      & {32{leaves && leaves_again && shown && shown_again && passes}};
  assign m_axis_tkeep  = text_keep & {4{!fails}};
  assign m_axis_tlast  = text_last || fails;
  assign m_tag_tvalid  = fails ? where_answer : tag_valid && tag_valid_again && !fault_inside;
  assign m_tag_tdata   = tag & tag_mask;
  assign m_tag_tkeep   = fails ? 4'd1 : told_keep;
  assign m_tag_tuser   = fails ? FAULT : status;
  assign m_tag_tlast   = tag_last || fails;

  // A wrong bit that is born at a port has left when it is found.
  micro_byte_sum #(.Bytes(4)) u_left (
      .bytes_i(m_axis_tdata),
      .sum_o  (left_sum)
  );

  assign fault_at_port = (m_axis_tvalid && left_sum != (first_sum & {8{shown_again && passes}}))
      || (!fails && (s_key_tready != key_ready_again || s_cmd_tready != command_ready_again
      || s_axis_tready != data_ready_again || (m_axis_tvalid && !leaves_again)
      || (m_tag_tvalid && !tag_valid_again)));

  // ---- a fault

  micro_where u_where (
      .clk            (clk),
      .rst            (rst),
      .fault_i        (fault_inside || fault_at_port),
      .found_i        (subkey),
      .key_valid_i    (s_key_tvalid),
      .key_taken_i    (s_key_tready),
      .key_last_i     (s_key_tlast),
      .command_valid_i(s_cmd_tvalid),
      .command_taken_i(s_cmd_tready),
      .command_last_i (s_cmd_tlast),
      .decrypts_i     (s_cmd_tdata[7]),
      .data_valid_i   (s_axis_tvalid),
      .data_taken_i   (s_axis_tready),
      .data_text_i    (s_axis_tuser && s_axis_tkeep[0]),
      .data_last_i    (s_axis_tlast),
      .text_last_i    (m_axis_tvalid && m_axis_tready && m_axis_tlast),
      .answer_last_i  (m_tag_tvalid && m_tag_tready && m_tag_tlast),
      .fails_o        (fails),
      .key_ready_o    (where_key),
      .command_ready_o(where_command),
      .data_ready_o   (where_data),
      .text_valid_o   (where_text),
      .answer_valid_o (where_answer),
      .lost_o         (lost)
  );
endmodule
