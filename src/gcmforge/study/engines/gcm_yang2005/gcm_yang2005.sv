// SPDX-License-Identifier: Apache-2.0
// AES-128-GCM as Yang 2005, Fig. 5, puts it together: a pipelined AES of ten stages, one multiplier
// of GHASH, a FIFO in which text waits for its key stream, one packet after another. The counter
// block Y0 goes into the AES with the command, the next ones with the text, a block a beat.
//
// Encrypting, GHASH takes the text that leaves, and the lengths in a cycle of their own after it.
// Decrypting, it takes the text that comes in (Fig. 4 (b)), and the lengths hide.
//
// The paper's GCM has no ready for what leaves. Here everything stops while the receiver waits. H
// comes from the pipeline, where the paper has an iterative AES for it.
// Latency: 11 cycles from text in to text out. Throughput: a packet of n blocks of text in n + 12
// cycles, n + 11 decrypting; a beat of AAD in one more.
module gcm_yang2005 #(
    parameter longint unsigned MaxAad = 64'd65536,  // bytes
    parameter longint unsigned MaxText = 64'd65536
) (
    input  logic         aclk,
    input  logic         aresetn,
    input  logic         s_key_tvalid,
    output logic         s_key_tready,
    input  logic [255:0] s_key_tdata,
    input  logic [  1:0] s_key_size,
    input  logic         s_key_context,
    input  logic         s_cmd_tvalid,
    output logic         s_cmd_tready,
    input  logic         s_cmd_context,
    input  logic         s_cmd_decrypt,
    input  logic [127:0] s_cmd_tag,
    input  logic [  4:0] s_cmd_tag_bytes,
    input  logic [ 15:0] s_cmd_iv_bytes,
    input  logic [127:0] s_cmd_iv,
    input  logic         s_axis_tvalid,
    output logic         s_axis_tready,
    input  logic [127:0] s_axis_tdata,
    input  logic [ 15:0] s_axis_tkeep,
    input  logic         s_axis_tuser,
    input  logic         s_axis_tlast,
    output logic         m_axis_tvalid,
    input  logic         m_axis_tready,
    output logic [127:0] m_axis_tdata,
    output logic [ 15:0] m_axis_tkeep,
    output logic         m_axis_tlast,
    output logic         m_tag_tvalid,
    input  logic         m_tag_tready,
    output logic [127:0] m_tag_tag,
    output logic         m_tag_ok,
    output logic [  2:0] m_tag_status
);
  localparam int Rounds = 10;
  localparam logic [2:0] OK = 3'd0, AUTH_FAIL = 3'd1, NO_KEY = 3'd2, BAD_IV = 3'd3,
      BAD_TAG_LENGTH = 3'd4, TOO_LONG = 3'd5, BAD_FRAME = 3'd6;
  localparam logic [1:0] READY = 2'd0, WORDS = 2'd1, EXPAND = 2'd2, SUBKEY = 2'd3;

  logic clk, rst;
  assign clk = aclk;
  assign rst = !aresetn;

  logic [1:0] state_q;
  logic open_q, fed_q;   // a packet is under way, and is all in
  logic keyed_q, turn_q; // there is a key; a key is asked for before a command
  logic step;            // everything moves on
  logic decrypt_q;
  logic [2:0] status_q;

  // ---- a key, or a command
  logic key_taken, command_taken, word_taken, key_busy, key_starts, subkey_valid;
  logic [11:0] words_q;  // of the IV, still to come
  logic [127:0] key;

  assign s_key_tready  = state_q == READY && !open_q && turn_q;
  assign s_cmd_tready  = state_q == WORDS
      || (state_q == READY && !open_q && step && !(turn_q && s_key_tvalid));
  assign key_taken     = s_key_tready && s_key_tvalid;
  assign word_taken    = s_cmd_tvalid && state_q == WORDS;
  assign command_taken = s_cmd_tvalid && s_cmd_tready && state_q == READY;
  assign key_starts    = key_taken && !s_key_context && s_key_size == 2'd0;

  for (genvar i = 0; i < 16; i++) begin : gen_key
    assign key[127-8*i-:8] = s_key_tdata[8*i+:8];
  end

  // ---- counter blocks: Y0 with the command, the others with text, zero for H. All but Y0 are
  // there before they are needed, with round key 0 added, as the longest path begins here.
  logic beat, text_beat, zero_now, closes;
  logic there_q;  // the next block is
  logic [95:0] iv, iv_q;
  logic [31:0] counter_q;  // of the block after it
  logic [127:0] next_q, first_key, stream;
  logic [Rounds-1:0] y0_q, zero_q;  // what each stage has

  for (genvar i = 0; i < 12; i++) begin : gen_iv
    assign iv[95-8*i-:8] = s_cmd_iv[8*i+:8];
  end
  assign zero_now = state_q == EXPAND && !key_busy && step;

  always_ff @(posedge clk) begin
    if (command_taken) iv_q <= iv;
    if (command_taken) counter_q <= 32'd3;
    else if (text_beat) counter_q <= counter_q + 32'd1;
    if (command_taken) next_q <= {iv, 32'd2} ^ first_key;
    else if (text_beat) next_q <= {iv_q, counter_q} ^ first_key;
    else if (state_q == EXPAND) next_q <= first_key;
    if (rst || closes || subkey_valid) there_q <= 1'b0;
    else if (command_taken || key_starts) there_q <= 1'b1;
    if (rst) {y0_q, zero_q} <= '0;
    else if (step) begin
      y0_q   <= {y0_q[Rounds-2:0], command_taken};
      zero_q <= {zero_q[Rounds-2:0], zero_now};
    end
  end

  yang2005_aes u_aes (
      .clk        (clk),
      .rst        (rst),
      .step_i     (step),
      .block_i    (there_q ? next_q : {iv, 32'd1} ^ first_key),
      .block_o    (stream),
      .first_key_o(first_key),
      .key_start_i(key_starts),
      .key_i      (key),
      .key_busy_o (key_busy)
  );

  // ---- a beat in
  logic wrong, shows, aad_over, text_over, has_bytes;
  logic [2:0] fault;
  logic [4:0] bytes;
  logic [15:0] keep;
  logic [127:0] block;
  logic [63:0] aad_bytes, text_bytes;

  assign s_axis_tready = open_q && !fed_q && state_q == READY && step;
  assign beat          = s_axis_tvalid && s_axis_tready;
  assign has_bytes     = keep[0];
  assign text_beat     = beat && s_axis_tuser && has_bytes;

  yang2005_frame u_frame (
      .clk    (clk),
      .rst    (rst),
      .taken_i(beat),
      .data_i (s_axis_tdata),
      .keep_i (s_axis_tkeep),
      .text_i (s_axis_tuser),
      .last_i (s_axis_tlast),
      .block_o(block),
      .keep_o (keep),
      .bytes_o(bytes),
      .wrong_o(wrong),
      .shows_o(shows)
  );
  gcm_length #(
      .Max(MaxAad)
  ) u_aad_length (
      .clk   (clk),
      .rst   (rst),
      .add_i (command_taken || (beat && !s_axis_tuser)),
      .end_i (closes),
      .step_i(open_q ? bytes : 5'd0),
      .sum_o (aad_bytes),
      .over_o(aad_over)
  );
  gcm_length #(
      .Max(MaxText)
  ) u_text_length (
      .clk   (clk),
      .rst   (rst),
      .add_i (command_taken || (beat && s_axis_tuser)),
      .end_i (closes),
      .step_i(open_q ? bytes : 5'd0),
      .sum_o (text_bytes),
      .over_o(text_over)
  );

  always_comb begin
    fault = OK;
    if (has_bytes && (s_axis_tuser ? text_over : aad_over)) fault = TOO_LONG;
    if (wrong) fault = BAD_FRAME;
    if (status_q != OK) fault = status_q;
  end

  // ---- the FIFO: text for as many steps as its counter block is in the AES
  logic [Rounds*128-1:0] data_q;
  logic [Rounds*16-1:0] keep_q;
  logic [Rounds-1:0] text_q, end_q, shows_q, good_q;
  logic [127:0] waited, mask, text;
  logic [15:0] keep_now;
  logic text_now, end_now;

  always_ff @(posedge clk)
    if (step) begin
      data_q <= {data_q[(Rounds-1)*128-1:0], block};
      keep_q <= {keep_q[(Rounds-1)*16-1:0], keep};
      good_q <= {good_q[Rounds-2:0], fault == OK};
    end
  always_ff @(posedge clk)
    if (rst) {text_q, end_q, shows_q} <= '0;
    else if (step) begin
      text_q  <= {text_q[Rounds-2:0], text_beat};
      end_q   <= {end_q[Rounds-2:0], beat && s_axis_tlast};
      shows_q <= {shows_q[Rounds-2:0], beat && shows};
    end

  assign waited   = data_q[(Rounds-1)*128+:128];
  assign keep_now = keep_q[(Rounds-1)*16+:16];
  assign text_now = text_q[Rounds-1];
  assign end_now  = end_q[Rounds-1];
  assign text     = (waited ^ stream) & mask;
  for (genvar i = 0; i < 16; i++) begin : gen_mask
    assign mask[127-8*i-:8] = {8{keep_now[i] && text_now}};
  end

  always_ff @(posedge clk) begin
    if (step) begin
      for (int i = 0; i < 16; i++)
        m_axis_tdata[8*i+:8] <= text[127-8*i-:8] & {8{good_q[Rounds-1]}};
      m_axis_tkeep <= keep_now & {16{text_now}};
      m_axis_tlast <= end_now;
    end
    if (rst) m_axis_tvalid <= 1'b0;
    else if (step) m_axis_tvalid <= shows_q[Rounds-1];
    else if (m_axis_tready) m_axis_tvalid <= 1'b0;
  end

  // ---- GHASH
  logic ended_q, entered_q;  // a step ago: the last block left, encrypting; came in, decrypting
  logic hash_in, hash_out, hash_lengths, digest_valid;
  logic [127:0] hashed, hashed_poly, subkey_poly, digest_poly, digest, lengths;

  assign hash_in      = beat && has_bytes && (!s_axis_tuser || decrypt_q);
  assign hash_out     = text_now && !decrypt_q && step;
  assign hash_lengths = (ended_q || entered_q) && step;
  assign lengths      = {aad_bytes[60:0], 3'b0, text_bytes[60:0], 3'b0};
  assign hashed       = hash_in ? block : hash_lengths ? lengths : text;
  assign closes       = step && (ended_q || (end_now && decrypt_q));

  always_ff @(posedge clk)
    if (rst) {ended_q, entered_q} <= '0;
    else if (step) begin
      ended_q   <= end_now && !decrypt_q;
      entered_q <= beat && s_axis_tlast && decrypt_q;
    end

  for (genvar i = 0; i < 128; i++) begin : gen_reflect
    assign hashed_poly[i] = hashed[127-i];
    assign subkey_poly[i] = stream[127-i];
    assign digest[i]      = digest_poly[127-i];
  end

  assign subkey_valid = zero_q[Rounds-1] && step;

  logic in_ready_unused, subkey_done_unused;
  ghash_serial u_ghash (
      .clk             (clk),
      .rst             (rst),
      .in_valid_i      (hash_in || hash_out || hash_lengths),
      .in_ready_o      (in_ready_unused),
      .in_data_i       (hashed_poly),
      .in_count_i      (1'b1),
      .in_last_i       (hash_lengths),
      .in_context_i    (1'b0),
      .digest_valid_o  (digest_valid),
      .digest_o        (digest_poly),
      .subkey_valid_i  (subkey_valid),
      .subkey_context_i(1'b0),
      .subkey_i        (subkey_poly),
      .subkey_done_o   (subkey_done_unused)
  );

  // ---- the answer: encrypting when the digest is there, decrypting when the text has left
  logic [127:0] e_y0_q, digest_q, expected_q, full_tag, tag_mask;
  logic [4:0] tag_bytes_q, sent_bytes_q;
  logic [2:0] sent_status_q;
  logic sends_q;  // a digest that comes is a tag
  logic verdict, given, tag_equal;

  assign verdict  = end_now && decrypt_q && step;
  assign given    = digest_valid && sends_q;
  assign full_tag = (verdict ? digest_q : digest) ^ e_y0_q;
  assign tag_equal = ((full_tag ^ expected_q) & tag_mask) == '0;
  for (genvar i = 0; i < 16; i++) begin : gen_tag_mask
    assign tag_mask[127-8*i-:8] = {8{5'(i) < (verdict ? tag_bytes_q : sent_bytes_q)}};
  end

  // an answer that was not taken stops the next packet's end
  assign step = (!m_axis_tvalid || m_axis_tready)
      && !(m_tag_tvalid && (ended_q || (end_now && decrypt_q)));

  always_ff @(posedge clk) begin
    if (step && y0_q[Rounds-1]) e_y0_q <= stream;
    if (digest_valid) digest_q <= digest;
    if (hash_lengths) sends_q <= ended_q;
    if (hash_lengths) begin
      sent_bytes_q  <= tag_bytes_q;
      sent_status_q <= status_q;
    end
    if (verdict) m_tag_status <= status_q != OK || tag_equal ? status_q : AUTH_FAIL;
    else if (given) m_tag_status <= sent_status_q;
    if (verdict || given)
      for (int i = 0; i < 16; i++)
        m_tag_tag[8*i+:8] <= full_tag[127-8*i-:8] & tag_mask[127-8*i-:8]
            & {8{given && sent_status_q == OK}};
    if (rst) m_tag_tvalid <= 1'b0;
    else m_tag_tvalid <= verdict || given || (m_tag_tvalid && !m_tag_tready);
  end
  assign m_tag_ok = m_tag_status == OK;

  // ---- one thing after another
  logic length_right;
  assign length_right = s_cmd_tag_bytes == 5'd4 || s_cmd_tag_bytes == 5'd8
      || s_cmd_tag_bytes == 5'd16 || s_cmd_tag_bytes[4:2] == 3'd3;

  always_ff @(posedge clk) begin
    if (command_taken) begin
      decrypt_q   <= s_cmd_decrypt;
      tag_bytes_q <= s_cmd_tag_bytes;
      words_q     <= s_cmd_iv_bytes == '0 ? '0 : 12'((s_cmd_iv_bytes - 16'd1) >> 4);
      status_q    <= !keyed_q || s_cmd_context ? NO_KEY : s_cmd_iv_bytes != 16'd12 ? BAD_IV
          : length_right ? OK : BAD_TAG_LENGTH;
      for (int i = 0; i < 16; i++) expected_q[127-8*i-:8] <= s_cmd_tag[8*i+:8];
    end else begin
      if (word_taken) words_q <= words_q - 12'd1;
      if (beat) status_q <= fault;
    end

    if (rst) {open_q, fed_q} <= '0;
    else if (command_taken) {open_q, fed_q} <= 2'b10;
    else if (closes) {open_q, fed_q} <= '0;
    else if (beat && s_axis_tlast) fed_q <= 1'b1;

    case (state_q)
      READY:
      if (key_starts) state_q <= EXPAND;
      else if (command_taken && s_cmd_iv_bytes > 16'd16) state_q <= WORDS;
      WORDS: if (word_taken && words_q == 12'd1) state_q <= READY;
      EXPAND: if (zero_now) state_q <= SUBKEY;
      default: if (subkey_valid) state_q <= READY;
    endcase
    if (rst) state_q <= READY;

    if (rst || (key_taken && !s_key_context)) keyed_q <= 1'b0;
    else if (subkey_valid) keyed_q <= 1'b1;
    if (rst || key_taken) turn_q <= 1'b0;
    else if (command_taken || (!open_q && !s_cmd_tvalid)) turn_q <= 1'b1;
  end

  logic unused;
  assign unused = &{1'b0, in_ready_unused, subkey_done_unused, s_key_tdata[255:128],
                    s_cmd_iv[127:96], aad_bytes[63:61], text_bytes[63:61]};
endmodule
