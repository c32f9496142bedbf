// SPDX-License-Identifier: Apache-2.0
// AES-128-GCM in two shares, a block a cycle: key, AES state, round keys, H, digest and what
// encrypts the tag are never in one piece. IV, counter, lengths, AAD and text are public. The tag
// is put together where it leaves, and not at all when it is expected.
// The AES begins blocks of the counter ahead of the text. Once the first stream is there, it stands
// still until text takes it. Everything stands still in a cycle without new random bits.
// Latency: first text 84 cycles after a command, at most. Throughput: a packet of n blocks of
// text in 86 + n cycles, a block of AAD in 1; one that has a tag to compare 26 more.
module gcm_masked_line #(
    parameter int AadBits = 16,  // up to 2^AadBits bytes of AAD, and of text
    parameter int TextBits = 16
) (
    input  logic         aclk,
    input  logic         aresetn,
    // a key in two shares, tdata ^ tmask, byte 0 lowest. With tuser there is no key any more.
    input  logic         s_key_tvalid,
    output logic         s_key_tready,
    input  logic [127:0] s_key_tdata,
    input  logic [127:0] s_key_tmask,
    input  logic         s_key_tuser,
    // a command: the IV in bytes 0 to 11; byte 12: 128 * decrypt + 64 * IV of another length
    // + 32 * no such context + bytes of the tag. Decrypting, a second transfer: the expected tag,
    // taken when it has been compared.
    input  logic         s_cmd_tvalid,
    output logic         s_cmd_tready,
    input  logic [127:0] s_cmd_tdata,
    // AAD and text; tuser: text
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
    // the tag when encrypting, else zero; tuser: the status
    output logic         m_tag_tvalid,
    input  logic         m_tag_tready,
    output logic [127:0] m_tag_tdata,
    output logic [  2:0] m_tag_tuser,
    // random bits, new in every transfer, one a cycle: 18 for each S-box, 12 for the keys and H,
    // 128 for the digest; without, the core waits
    input  logic         s_rnd_tvalid,
    output logic         s_rnd_tready,
    input  logic [3019:0] s_rnd_tdata
);
  localparam logic [2:0] OK = 3'd0, AUTH_FAIL = 3'd1, NO_KEY = 3'd2, BAD_IV = 3'd3,
      BAD_TAG_LENGTH = 3'd4, TOO_LONG = 3'd5, BAD_FRAME = 3'd6;
  localparam logic [3:0] IDLE = 4'd0, KEY = 4'd1, SUBKEY = 4'd2, AAD = 4'd3, TEXT = 4'd4,
      LENGTHS = 4'd5, TAG = 4'd6, CHECK = 4'd7, SETTLE = 4'd8, JUDGE = 4'd9, VERDICT = 4'd10,
      ANSWER = 4'd11;
  // Of the counter, enough for all text of a good packet. With a short limit those begun ahead may
  // go round: text that would get them is refused.
  localparam int CountBits = TextBits - 2;
  localparam logic [6:0] Rounds = 7'd80;  // cycles from a block into the AES until it leaves

  logic clk, rst, go;
  logic [2879:0] box_random;
  logic [11:0] key_random;
  logic [127:0] hash_random;
  assign clk = aclk;
  assign rst = !aresetn;
  assign go  = s_rnd_tvalid;
  assign s_rnd_tready = 1'b1;
  assign {hash_random, key_random, box_random} = s_rnd_tdata;

  logic [3:0] state_q, place_q;
  logic [2:0] status_q;
  logic [4:0] tag_bytes_q;
  logic keyed_q, decrypts_q, data_phase;
  logic text_q;  // state_q is TEXT: with it all S-boxes run, so it is near
  logic [95:0] iv_q;
  logic [CountBits-1:0] count_q;

  assign data_phase = state_q == AAD || state_q == TEXT;

  // ---- AAD and text: one beat waits

  logic beat_valid_q, beat_text_q, beat_bad_q, beat_last_q, begun_q, section_q, short_q;
  logic [127:0] beat_q, mask;
  logic [15:0] keep_q;
  logic holes, aad_beat, text_beat, empty, take, take_aad, take_text, take_empty;
  logic aad_full, text_full, out_free, hash_ready, stream_there;

  assign s_axis_tready = go && (!beat_valid_q || take);
  assign holes         = |(s_axis_tkeep & (s_axis_tkeep + 16'd1));

  always_ff @(posedge clk) begin
    if (s_axis_tready && s_axis_tvalid) begin
      beat_q      <= s_axis_tdata;
      keep_q      <= holes ? 16'h0001 : s_axis_tkeep;  // of a refused beat a byte is enough
      beat_text_q <= s_axis_tuser;
      beat_last_q <= s_axis_tlast;
      beat_bad_q  <= holes || (begun_q
          && (section_q ? !s_axis_tuser || short_q : !s_axis_tuser && short_q));
      section_q   <= s_axis_tuser;
      short_q     <= s_axis_tkeep != 16'hffff;
    end
    if (rst) begin
      beat_valid_q <= 1'b0;
      begun_q      <= 1'b0;
    end else if (s_axis_tready) begin
      beat_valid_q <= s_axis_tvalid;
      if (s_axis_tvalid) begun_q <= !s_axis_tlast;
    end
  end

  for (genvar n = 0; n < 16; n++) begin : gen_mask
    assign mask[8*n+:8] = {8{keep_q[n]}};
  end

  assign aad_beat   = keep_q[0] && !beat_text_q;
  assign text_beat  = keep_q[0] && beat_text_q;
  assign empty      = state_q == TEXT ? !text_beat : !keep_q[0];  // AAD is late, then
  assign take_aad   = state_q == AAD && aad_beat;
  assign take_text  = text_q && text_beat && stream_there && out_free;
  assign take_empty = data_phase && empty && (out_free || state_q == AAD || !beat_last_q);
  assign take       = go && beat_valid_q && (take_aad || take_text || take_empty);

  // ---- statuses: the first one counts

  logic [2:0] fault;
  logic good;

  always_comb begin
    fault = OK;
    if (aad_beat ? aad_full : keep_q[0] && text_full) fault = TOO_LONG;
    if (beat_bad_q || (state_q == TEXT && aad_beat)) fault = BAD_FRAME;
    if (status_q != OK) fault = status_q;
  end
  assign good = fault == OK;

  // ---- AES: blocks of the counter begin one after the other

  // age_q cycles ago, of those in which the AES ran, a first block began: what makes H of a key, or
  // what encrypts a packet's tag. After it has left, all that leaves is key stream.
  logic [6:0] age_q;
  logic busy_q;  // it has not left
  logic key_taken, command_taken, keys_turn_q, warm, expands, runs, leaves, first_here;
  logic subkey_here;
  logic [3:0] warm_q;
  logic [31:0] count;
  logic [127:0] block, window_q, key_mask, stream0, stream1, first0_q, first1_q;

  assign s_key_tready = go && state_q == IDLE && keys_turn_q && warm;
  assign key_taken    = s_key_tready && s_key_tvalid;
  assign stream_there = !busy_q;
  assign runs         = go && (busy_q || (beat_valid_q && take_text));
  assign leaves       = go && busy_q && age_q == Rounds;
  assign first_here   = leaves && state_q != SUBKEY;
  assign subkey_here  = leaves && state_q == SUBKEY;

  // Zero with a key's first blocks; else the counter.
  assign count = 32'(count_q);
  assign block = state_q == KEY || state_q == IDLE ? 128'b0
      : {count[7:0], count[15:8], count[23:16], count[31:24], iv_q};

  // The latest 128 random bits of the keys' own. No bit of a key gets one of them twice.
  assign warm     = warm_q == 4'd11;
  assign key_mask = window_q & {128{go}};

  masked_line_aes u_aes (
      .clk      (clk),
      .rst      (rst),
      .run_i    (runs),
      .key_i    (key_taken && !s_key_tuser),
      .key0_i   (s_key_tdata),
      .key1_i   (s_key_tmask),
      .expands_o(expands),
      .block_i  (block),
      .stream0_o(stream0),
      .stream1_o(stream1),
      .mask_i   (key_mask),
      .random_i (box_random)
  );

  always_ff @(posedge clk) begin
    if (go) window_q <= {window_q[115:0], key_random};
    if (first_here) begin
      first0_q <= stream0;
      first1_q <= stream1;
    end
    if (command_taken) begin
      iv_q    <= s_cmd_tdata[95:0];
      count_q <= CountBits'(1);
    end else if (runs) count_q <= count_q + CountBits'(1);
    if (go) begin
      if (command_taken || key_taken) age_q <= 7'd0;
      else age_q <= state_q == KEY ? 7'd1 : age_q + 7'd1;
    end
    if (rst) begin
      busy_q      <= 1'b0;
      text_q      <= 1'b0;
      warm_q      <= 4'd0;
      keys_turn_q <= 1'b0;
    end else if (go) begin
      busy_q <= command_taken || (key_taken && !s_key_tuser) || (busy_q && !leaves);
      text_q <= data_phase && !(take && beat_last_q)
          && (text_q || (beat_valid_q && text_beat));
      if (!warm) warm_q <= warm_q + 4'd1;
      // A command comes after a key, and after a packet a key, if it waits.
      keys_turn_q <= state_q == IDLE ? !keys_turn_q : state_q == ANSWER && s_key_tvalid;
    end
  end

  // ---- GHASH

  logic [127:0] text0, text1, hashed0, hashed1, digest0, digest1, length_block;
  logic hash_start, checks;

  assign text0      = (beat_q ^ stream0) & mask;
  assign text1      = stream1 & mask;
  assign hash_start = go && ((beat_valid_q && (take_aad || take_text)) || state_q == LENGTHS);
  assign checks     = state_q == CHECK || state_q == SETTLE;

  always_comb begin
    hashed0 = beat_q & mask;
    hashed1 = '0;
    if (state_q == LENGTHS) hashed0 = length_block;
    else if (state_q == TEXT && !decrypts_q) begin
      hashed0 = text0;
      hashed1 = text1;
    end
  end

  masked_line_ghash u_ghash (
      .clk      (clk),
      .rst      (rst),
      .go_i     (go),
      .clear_i  (command_taken),
      .load_i   (hash_start),
      .last_i   (state_q == LENGTHS),
      .block0_i (hashed0),
      .block1_i (hashed1),
      .ready_o  (hash_ready),
      .digest0_o(digest0),
      .digest1_o(digest1),
      .subkey_i (subkey_here),
      .subkey0_i(stream0),
      .subkey1_i(stream1),
      .mask_i   (key_mask),
      .random_i (hash_random)
  );

  masked_line_lengths #(
      .AadBits (AadBits),
      .TextBits(TextBits)
  ) u_lengths (
      .clk        (clk),
      .clear_i    (command_taken),
      .aad_i      (take && take_aad),
      .text_i     (take && take_text),
      .keep_i     (keep_q),
      .aad_full_o (aad_full),
      .text_full_o(text_full),
      .block_o    (length_block)
  );

  // ---- what leaves: text and the tag share a register, which has them in two shares

  logic out_valid_q, out_last_q, tag_valid_q;
  logic [15:0] out_keep_q, tag_keep;
  logic [127:0] out0_q, out1_q, tag_mask;
  logic tag_free, text_given, end_given, tag_given, verdict_given;

  for (genvar n = 0; n < 16; n++) begin : gen_tag
    assign tag_keep[n] = 5'(n) < tag_bytes_q;
    assign tag_mask[8*n+:8] = {8{tag_keep[n]}};
  end

  assign out_free      = !out_valid_q || m_axis_tready;
  assign tag_free      = go && !out_valid_q && !tag_valid_q;
  assign text_given    = take && take_text;
  assign end_given     = take && take_empty && state_q == TEXT && beat_last_q;
  assign tag_given     = tag_free && state_q == TAG && !decrypts_q && status_q == OK
      && stream_there && hash_ready;
  assign verdict_given = tag_free && state_q == VERDICT;

  always_ff @(posedge clk) begin
    if (text_given || end_given || tag_given || verdict_given) begin
      out0_q <= '0;
      out1_q <= '0;
      if (text_given && good) begin
        out0_q <= text0;
        out1_q <= text1;
      end else if (tag_given) begin
        out0_q <= digest0 ^ first0_q;
        out1_q <= digest1 ^ first1_q;
      end
      out_keep_q <= text_given ? keep_q : 16'h0000;
      out_last_q <= beat_last_q;
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
  assign m_axis_tdata  = out0_q ^ out1_q;
  assign m_axis_tkeep  = out_keep_q;
  assign m_axis_tlast  = out_last_q;
  assign m_tag_tvalid  = tag_valid_q;
  assign m_tag_tdata   = (out0_q ^ out1_q) & tag_mask;
  assign m_tag_tuser   = status_q;

  // ---- the tag is compared byte by byte, in shares

  logic tag_equal, last_place;
  logic [7:0] difference0, difference1;

  assign last_place    = place_q == 4'd15;
  assign s_cmd_tready  = go && (state_q == IDLE ? !keys_turn_q : state_q == CHECK && last_place);
  assign command_taken = s_cmd_tready && s_cmd_tvalid && state_q == IDLE;
  assign difference0   = digest0[8*place_q+:8] ^ first0_q[8*place_q+:8]
      ^ s_cmd_tdata[8*place_q+:8];
  assign difference1   = digest1[8*place_q+:8] ^ first1_q[8*place_q+:8];

  masked_tag u_tag (
      .clk     (clk),
      .go_i    (go),
      .clear_i (state_q == TAG),
      .take_i  (state_q == CHECK && 5'(place_q) < tag_bytes_q),
      .byte0_i (difference0),
      .byte1_i (difference1),
      .random_i(hash_random[7:0]),
      .settle_i(state_q == SETTLE && place_q == 4'd7 && status_q == OK),
      .equal_o (tag_equal)
  );

  // ---- one packet

  logic [4:0] asked_bytes;
  logic length_right;

  assign asked_bytes  = s_cmd_tdata[100:96];
  assign length_right = asked_bytes == 5'd4 || asked_bytes == 5'd8 || asked_bytes == 5'd16
      || asked_bytes[4:2] == 3'd3;

  always_ff @(posedge clk) begin
    if (go) case (state_q)
      IDLE:
      if (key_taken) begin
        keyed_q <= 1'b0;
        if (!s_key_tuser) state_q <= KEY;
      end else if (command_taken) begin
        tag_bytes_q <= asked_bytes;
        decrypts_q  <= s_cmd_tdata[103];
        status_q    <= !keyed_q || s_cmd_tdata[101] ? NO_KEY
            : s_cmd_tdata[102] ? BAD_IV : length_right ? OK : BAD_TAG_LENGTH;
        state_q     <= AAD;
      end
      KEY: if (!expands) state_q <= SUBKEY;
      SUBKEY:
      if (subkey_here) begin
        keyed_q <= 1'b1;
        state_q <= IDLE;
      end
      AAD, TEXT: begin
        if (take) status_q <= fault;
        if (take && beat_last_q) state_q <= LENGTHS;
        else if (beat_valid_q && text_beat) state_q <= TEXT;
      end
      LENGTHS: state_q <= TAG;
      TAG:
      if (hash_ready && stream_there) begin
        if (decrypts_q) begin
          if (s_cmd_tvalid) state_q <= CHECK;
        end else if (status_q != OK) state_q <= VERDICT;
        else if (tag_given) state_q <= ANSWER;
      end
      CHECK: if (last_place) state_q <= SETTLE;
      SETTLE: if (place_q == 4'd7) state_q <= JUDGE;
      JUDGE: begin
        state_q <= VERDICT;
        if (status_q == OK && !tag_equal) status_q <= AUTH_FAIL;
      end
      VERDICT: if (verdict_given) state_q <= ANSWER;
      default: if (!tag_valid_q || m_tag_tready) state_q <= IDLE;
    endcase
    if (go) place_q <= checks ? place_q + 4'd1 : 4'd0;
    if (rst) begin
      state_q <= IDLE;
      keyed_q <= 1'b0;
    end
  end
endmodule
