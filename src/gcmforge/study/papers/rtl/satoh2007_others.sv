// SPDX-License-Identifier: Apache-2.0
// What Satoh 2007, Fig. 6, has around four AES with their multipliers and the key schedule: the
// array of XORs between key stream and text, counters, RegT with E(K, Y0), and the control. There
// are no queues and no contexts, and as in the paper a message's lengths are known before it.
//
// A message: its command, then beats of AAD and of text, up to four blocks each. The lengths are
// hashed as a beat of their own after them. Data waits for nothing but key stream and GHASH.
// Latency: text leaves in the cycle in which it is taken. Throughput: a beat a cycle.
module satoh2007_others (
    input  logic         clk,
    input  logic         rst,
    // a key was expanded: its H is to be made
    input  logic         key_valid_i,
    output logic         key_ready_o,
    output logic         subkey_valid_o,
    output logic [127:0] subkey_o,
    // a message
    input  logic         start_valid_i,
    output logic         start_ready_o,
    input  logic         start_decrypt_i,
    input  logic [ 95:0] start_iv_i,
    input  logic [ 31:0] start_beats_i,    // of text
    input  logic [127:0] start_lengths_i,
    // its beats, the first block on top
    input  logic         in_valid_i,
    output logic         in_ready_o,
    input  logic [511:0] in_data_i,
    input  logic [511:0] in_mask_i,        // which of its bits are there
    input  logic [  2:0] in_count_i,       // blocks
    input  logic         in_text_i,
    input  logic         in_last_i,
    output logic         out_valid_o,
    output logic [511:0] out_data_o,
    output logic         tag_valid_o,
    output logic [127:0] tag_o,
    // AES
    output logic         aes_valid_o,
    input  logic         aes_ready_i,
    output logic [511:0] aes_blocks_o,
    input  logic         stream_valid_i,
    output logic         stream_ready_o,
    input  logic [511:0] stream_i,
    // GHASH, blocks as polynomials
    output logic         hash_valid_o,
    input  logic         hash_ready_i,
    input  logic         hash_keyed_i,     // its powers of H are in place
    output logic [511:0] hash_data_o,
    output logic [  2:0] hash_count_o,
    output logic         hash_last_o,
    input  logic         digest_valid_i,
    input  logic [127:0] digest_i
);
  localparam logic [2:0] IDLE = 3'd0, ZERO = 3'd1, SUBKEY = 3'd2, Y0 = 3'd3, DATA = 3'd4,
      LENGTHS = 3'd5, DIGEST = 3'd6;

  logic [2:0] state_q;
  logic decrypt_q, first_q;  // the next stream is E(K, Y0)
  logic [31:0] counter_q, beats_q, left_q;  // beats of text; whose counters are not issued
  logic [95:0] iv_q;
  logic [127:0] lengths_q, t_q;
  logic starts, issues, takes, made, hashes;

  assign start_ready_o = state_q == IDLE && !key_valid_i && hash_keyed_i;
  assign key_ready_o   = state_q == IDLE;
  assign starts        = start_valid_i && start_ready_o;

  // ---- counter blocks: zero for H, Y0, then one for each block of text
  assign aes_valid_o = state_q == ZERO || state_q == Y0 || left_q != '0;
  assign issues      = aes_valid_o && aes_ready_i;
  for (genvar l = 0; l < 4; l++) begin : gen_counter
    assign aes_blocks_o[511-128*l-:128] = state_q == ZERO ? '0 : {iv_q, counter_q + 32'(l)};
  end

  always_ff @(posedge clk) begin
    if (starts) begin
      iv_q      <= start_iv_i;
      decrypt_q <= start_decrypt_i;
      lengths_q <= start_lengths_i;
      beats_q   <= start_beats_i;
      counter_q <= 32'd1;
    end else if (issues) counter_q <= counter_q + (state_q == Y0 ? 32'd1 : 32'd4);
    if (rst) left_q <= '0;
    else if (state_q == Y0 && issues) left_q <= beats_q;
    else if (issues && state_q == DATA) left_q <= left_q - 32'd1;
  end

  // ---- the array of XORs
  logic [511:0] mixed, hashed;
  assign takes       = in_valid_i && in_ready_o;
  assign in_ready_o  = state_q == DATA && hash_ready_i
      && (!in_text_i || (stream_valid_i && !first_q));
  assign mixed       = (in_data_i ^ stream_i) & in_mask_i;
  assign out_valid_o = takes && in_text_i;
  assign out_data_o  = mixed;
  assign made        = stream_valid_i && (state_q == SUBKEY || first_q);
  assign stream_ready_o = made || out_valid_o;

  always_comb begin
    hashed = in_text_i && !decrypt_q ? mixed : in_data_i & in_mask_i;
    if (hash_last_o) hashed = {lengths_q, 384'b0};
  end

  assign hash_valid_o = takes || hash_last_o;
  assign hash_count_o = hash_last_o ? 3'd1 : in_count_i;
  assign hash_last_o  = state_q == LENGTHS && !first_q;
  assign hashes       = hash_last_o && hash_ready_i;

  for (genvar l = 0; l < 4; l++) begin : gen_block
    for (genvar i = 0; i < 128; i++) begin : gen_reflect
      assign hash_data_o[128*l+i] = hashed[128*l+127-i];
    end
  end
  for (genvar i = 0; i < 128; i++) begin : gen_tag
    assign subkey_o[i] = stream_i[511-i];
    assign tag_o[i]    = digest_i[127-i] ^ t_q[i];
  end
  assign subkey_valid_o = state_q == SUBKEY && stream_valid_i;
  assign tag_valid_o    = state_q == DIGEST && digest_valid_i;

  // ---- one after another
  always_ff @(posedge clk) begin
    if (first_q && stream_valid_i) t_q <= stream_i[511-:128];
    if (rst) first_q <= 1'b0;
    else if (state_q == Y0 && issues) first_q <= 1'b1;
    else if (stream_valid_i) first_q <= 1'b0;
    case (state_q)
      IDLE: if (key_valid_i) state_q <= ZERO;
      else if (start_valid_i) state_q <= Y0;
      ZERO: if (aes_ready_i) state_q <= SUBKEY;
      SUBKEY: if (stream_valid_i) state_q <= IDLE;
      Y0: if (aes_ready_i) state_q <= DATA;
      DATA: if (takes && in_last_i) state_q <= LENGTHS;
      LENGTHS: if (hashes) state_q <= DIGEST;
      default: if (tag_valid_o) state_q <= IDLE;
    endcase
    if (rst) state_q <= IDLE;
  end
endmodule
