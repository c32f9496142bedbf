// SPDX-License-Identifier: Apache-2.0
// Satoh 2007, Fig. 6, whole: four AES, four multipliers by equation (6), the key schedule, and
// satoh2007_others around them. No queues, no contexts.
module satoh2007_core (
    input  logic         clk,
    input  logic         rst,
    input  logic         key_start_i,
    input  logic [127:0] key_i,
    output logic         idle_o,          // keyed, no message under way
    input  logic         start_valid_i,
    output logic         start_ready_o,
    input  logic         start_decrypt_i,
    input  logic [ 95:0] start_iv_i,
    input  logic [ 31:0] start_beats_i,
    input  logic [127:0] start_lengths_i,
    input  logic         in_valid_i,
    output logic         in_ready_o,
    input  logic [511:0] in_data_i,
    input  logic [511:0] in_mask_i,
    input  logic [  2:0] in_count_i,
    input  logic         in_text_i,
    input  logic         in_last_i,
    output logic         out_valid_o,
    output logic [511:0] out_data_o,
    output logic         tag_valid_o,
    output logic [127:0] tag_o
);
  logic busy, busy_q, asked_q, key_ready, round_valid, subkey_valid, done;
  logic [3:0] round_index;
  logic [127:0] round_key, subkey, digest;
  logic aes_valid, aes_ready, stream_valid, stream_ready, hash_valid, hash_ready, hash_last;
  logic digest_valid;
  logic [2:0] hash_count;
  logic [511:0] blocks, stream, hashed;
  logic text_first_unused, wrong_unused;

  always_ff @(posedge clk) begin
    busy_q  <= !rst && busy;
    if (rst) asked_q <= 1'b0;
    else if (busy_q && !busy) asked_q <= 1'b1;
    else if (key_ready) asked_q <= 1'b0;
  end
  assign idle_o = !busy && !busy_q && !asked_q && start_ready_o;

  aes_key_expand u_keys (
      .clk(clk), .rst(rst), .start_i(key_start_i), .key_i({key_i, 128'b0}),
      .size_i(gcm_pkg::KEY_128), .hold_i(1'b0), .busy_o(busy), .key_valid_o(round_valid),
      .key_round_o(round_index), .key_data_o(round_key)
  );
  gcm_aes u_aes (
      .clk(clk), .rst(rst), .in_valid_i(aes_valid), .in_ready_o(aes_ready), .in_context_i(1'b0),
      .in_size_i(gcm_pkg::KEY_128), .in_blocks_i(blocks), .out_valid_o(stream_valid),
      .out_ready_i(stream_ready), .out_blocks_o(stream), .key_valid_i(round_valid),
      .key_context_i(1'b0), .key_size_i(gcm_pkg::KEY_128), .key_round_i(round_index),
      .key_data_i(round_key)
  );
  gcm_ghash u_ghash (
      .clk(clk), .rst(rst), .in_valid_i(hash_valid), .in_ready_o(hash_ready),
      .in_soon_o(text_first_unused), .in_data_i(hashed), .in_count_i(hash_count), .in_text_i(1'b0),
      .in_last_i(hash_last), .in_context_i(1'b0), .digest_valid_o(digest_valid),
      .digest_o(digest), .subkey_valid_i(subkey_valid), .subkey_first_i(1'b1),
      .subkey_context_i(1'b0), .subkey_i(subkey), .subkey_done_o(done),
      .subkey_wrong_o(wrong_unused)
  );
  satoh2007_others u_others (
      .clk(clk), .rst(rst), .key_valid_i(asked_q), .key_ready_o(key_ready),
      .subkey_valid_o(subkey_valid), .subkey_o(subkey), .start_valid_i(start_valid_i),
      .start_ready_o(start_ready_o), .start_decrypt_i(start_decrypt_i), .start_iv_i(start_iv_i),
      .start_beats_i(start_beats_i), .start_lengths_i(start_lengths_i), .in_valid_i(in_valid_i),
      .in_ready_o(in_ready_o), .in_data_i(in_data_i), .in_mask_i(in_mask_i),
      .in_count_i(in_count_i), .in_text_i(in_text_i), .in_last_i(in_last_i),
      .out_valid_o(out_valid_o), .out_data_o(out_data_o), .tag_valid_o(tag_valid_o),
      .tag_o(tag_o), .aes_valid_o(aes_valid), .aes_ready_i(aes_ready), .aes_blocks_o(blocks),
      .stream_valid_i(stream_valid), .stream_ready_o(stream_ready), .stream_i(stream),
      .hash_valid_o(hash_valid), .hash_ready_i(hash_ready), .hash_keyed_i(done),
      .hash_data_o(hashed), .hash_count_o(hash_count), .hash_last_o(hash_last),
      .digest_valid_i(digest_valid), .digest_i(digest)
  );
endmodule
