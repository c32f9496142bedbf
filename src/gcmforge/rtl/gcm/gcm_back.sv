// SPDX-License-Identifier: Apache-2.0
// The end of a packet's way: slots and their key stream become text, ciphertext and AAD go into
// GHASH, and the digest becomes the tag, or the verdict on the one that was expected.
//
//   slot, key stream --> gcm_join --text--> gcm_release --> axis_skid --> m_axis
//                          |   |                ^ verdict
//                          |   +--entries-------|--------------> gcm_tag --> m_tag
//                          +--> gcm_ghash --digests--> gcm_tail --^  |
//                                                    J0 of long IVs <+
//
// gcm_release, gcm_ghash and gcm_tail are what the configuration chose.
// Latency: 1 cycle from a slot to m_axis without a packet buffer. Throughput: one slot a cycle, or
// as many as GHASH takes.
module gcm_back (
    input  logic                              clk,
    input  logic                              rst,
    // the oldest slot and its key stream
    input  logic                              there_i,
    input  logic                              passes_i,
    input  gcm_pkg::counted_t                 slot_i,
    input  logic [    gcm_pkg::AES_WIDTH-1:0] stream_i,
    // offered to those who are to take it
    input  logic                              out_valid_i,
    output logic                              out_ready_o,
    output logic                              out_soon_o,
    input  logic                              hash_valid_i,
    output logic                              hash_ready_o,
    output logic                              hash_soon_o,
    input  logic                              tag_valid_i,
    output logic                              tag_ready_o,
    output logic                              tag_soon_o,
    // hash subkeys: E(K, 0^128) from the key stream; H and its powers, in GHASH's bit order
    output logic                              stream_subkey_valid_o,
    output logic [                     127:0] stream_subkey_o,
    input  logic                              subkey_valid_i,
    input  logic                              subkey_first_i,
    input  logic [gcm_pkg::CONTEXT_WIDTH-1:0] subkey_context_i,
    input  logic [                     127:0] subkey_i,
    output logic                              powers_done_o,
    output logic                              subkey_wrong_o,
    // for the front
    output logic                              j0_valid_o,      // of an IV that is not 96 bits
    output logic [                     127:0] j0_o,
    output logic                              packet_done_o,
    // text out
    output logic                              m_axis_tvalid,
    input  logic                              m_axis_tready,
    output logic [        gcm_pkg::WIDTH-1:0] m_axis_tdata,
    output logic [        gcm_pkg::BYTES-1:0] m_axis_tkeep,
    output logic                              m_axis_tlast,
    // tags and verdicts
    output logic                              m_tag_tvalid,
    input  logic                              m_tag_tready,
    output logic [                     127:0] m_tag_tag,
    output logic                              m_tag_ok,
    output logic [ gcm_pkg::STATUS_WIDTH-1:0] m_tag_status
);
  localparam int Width = gcm_pkg::WIDTH;
  localparam int Bytes = gcm_pkg::BYTES;

  // ---- slots and key stream to text, GHASH beats and tag entries
  logic out_last, hash_text, hash_last, entry_iv, entry_decrypt, entry_whole, entry_taken;
  logic [Width-1:0] out_data;
  logic [Bytes-1:0] out_keep;
  logic [gcm_pkg::HASH_WIDTH-1:0] hash_data, hash_poly;
  logic [gcm_pkg::HASH_COUNT_WIDTH-1:0] hash_count;
  logic [gcm_pkg::CONTEXT_WIDTH-1:0] hash_context;
  logic [gcm_pkg::STATUS_WIDTH-1:0] entry_status;
  logic [4:0] entry_bytes;
  logic [127:0] entry_mask, entry_lengths;

  assign entry_taken = tag_valid_i && tag_ready_o;

  gcm_join u_join (
      .clk           (clk),
      .there_i       (there_i),
      .passes_i      (passes_i),
      .slot_i        (slot_i),
      .stream_i      (stream_i),
      .out_data_o    (out_data),
      .out_keep_o    (out_keep),
      .out_last_o    (out_last),
      .hash_data_o   (hash_data),
      .hash_count_o  (hash_count),
      .hash_text_o   (hash_text),
      .hash_last_o   (hash_last),
      .hash_context_o(hash_context),
      .tag_iv_o      (entry_iv),
      .tag_decrypt_o (entry_decrypt),
      .tag_status_o  (entry_status),
      .tag_bytes_o   (entry_bytes),
      .tag_mask_o    (entry_mask),
      .tag_whole_o   (entry_whole),
      .tag_lengths_o (entry_lengths),
      .subkey_valid_o(stream_subkey_valid_o),
      .subkey_o      (stream_subkey_o)
  );

  // ---- text to m_axis, at once or after its packet's verdict
  logic release_valid, release_ready, release_soon, packet_ok;
  logic [Width+Bytes:0] release_beat;
  logic [Width-1:0] data_out;

  assign release_soon = m_axis_tready || !m_axis_tvalid || (release_ready && !release_valid);

  gcm_release u_release (
      .clk            (clk),
      .rst            (rst),
      .in_valid_i     (out_valid_i),
      .in_ready_o     (out_ready_o),
      .in_soon_o      (out_soon_o),
      .in_beat_i      ({out_last, out_keep, out_data}),
      .in_error_i     (entry_status != gcm_pkg::STATUS_OK),
      .end_i          (entry_taken && !entry_iv),
      .verdict_valid_i(packet_done_o),
      .verdict_ok_i   (packet_ok),
      .out_valid_o    (release_valid),
      .out_ready_i    (release_ready),
      .out_soon_i     (release_soon),
      .out_beat_o     (release_beat)
  );

  axis_skid #(
      .Width(Width + Bytes + 1)
  ) u_output (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (release_valid),
      .in_ready_o (release_ready),
      .in_data_i  (release_beat),
      .out_valid_o(m_axis_tvalid),
      .out_ready_i(m_axis_tready),
      .out_data_o ({m_axis_tlast, m_axis_tkeep, data_out})
  );

  // ---- GHASH, in polynomial order: block bit 127 - i is the coefficient of x^i
  logic sum_valid, digest_valid;
  logic [127:0] sum_poly, digest, digest_poly;

  for (genvar i = 0; i < 128; i++) begin : gen_reflect
    assign digest[i]      = digest_poly[127-i];
    for (genvar l = 0; l < gcm_pkg::HASH_LANES; l++) begin : gen_lane
      assign hash_poly[128*l+i] = hash_data[128*l+127-i];
    end
  end

  gcm_ghash u_ghash (
      .clk             (clk),
      .rst             (rst),
      .in_valid_i      (hash_valid_i),
      .in_ready_o      (hash_ready_o),
      .in_soon_o       (hash_soon_o),
      .in_data_i       (hash_poly),
      .in_count_i      (hash_count),
      .in_text_i       (hash_text),
      .in_last_i       (hash_last),
      .in_context_i    (hash_context),
      .digest_valid_o  (sum_valid),
      .digest_o        (sum_poly),
      .subkey_valid_i  (subkey_valid_i),
      .subkey_first_i  (subkey_first_i),
      .subkey_context_i(subkey_context_i),
      .subkey_i        (subkey_i),
      .subkey_done_o   (powers_done_o),
      .subkey_wrong_o  (subkey_wrong_o)
  );

  gcm_tail u_tail (
      .clk             (clk),
      .rst             (rst),
      .entry_valid_i   (entry_taken),
      .entry_whole_i   (entry_whole),
      .entry_context_i (hash_context),
      .entry_lengths_i (entry_lengths),
      .digest_valid_i  (sum_valid),
      .digest_i        (sum_poly),
      .digest_valid_o  (digest_valid),
      .digest_o        (digest_poly),
      .subkey_valid_i  (subkey_first_i),
      .subkey_context_i(subkey_context_i),
      .subkey_i        (subkey_i)
  );

  // ---- digests to tags and verdicts
  logic [127:0] tag;

  gcm_tag #(
      .Depth(gcm_pkg::TAG_DEPTH),
      .AnyIv(gcm_pkg::ANY_IV)
  ) u_tag (
      .clk            (clk),
      .rst            (rst),
      .entry_valid_i  (tag_valid_i),
      .entry_ready_o  (tag_ready_o),
      .entry_soon_o   (tag_soon_o),
      .entry_iv_i     (entry_iv),
      .entry_decrypt_i(entry_decrypt),
      .entry_status_i (entry_status),
      .entry_bytes_i  (entry_bytes),
      .entry_mask_i   (entry_mask),
      .digest_valid_i (digest_valid),
      .digest_i       (digest),
      .j0_valid_o     (j0_valid_o),
      .j0_o           (j0_o),
      .packet_done_o  (packet_done_o),
      .packet_ok_o    (packet_ok),
      .tag_valid_o    (m_tag_tvalid),
      .tag_ready_i    (m_tag_tready),
      .tag_o          (tag),
      .tag_ok_o       (m_tag_ok),
      .tag_status_o   (m_tag_status)
  );

  // ---- byte order: byte 0 in the low bits outside, on top inside
  for (genvar b = 0; b < 16; b++) begin : gen_tag_byte
    assign m_tag_tag[8*b+:8] = tag[8*(15-b)+:8];
  end
  for (genvar b = 0; b < Bytes; b++) begin : gen_data_byte
    assign m_axis_tdata[8*b+:8] = data_out[8*(Bytes-1-b)+:8];
  end

  // synthesis translate_off
  always_ff @(posedge clk) begin
    // What slots in step show is registered outside even where it is not valid.
    nothing_but_text :
    assert (rst || !gcm_pkg::IN_STEP || out_valid_i || out_data == '0);
    if (!rst && m_axis_tvalid) begin
      keep_without_gap : assert ((m_axis_tkeep & (m_axis_tkeep + Bytes'(1))) == '0);
      for (int b = 0; b < Bytes; b++)
        absent_bytes_zero : assert (m_axis_tkeep[b] || m_axis_tdata[8*b+:8] == '0);
    end
    if (!rst && m_tag_tvalid) begin
      ok_is_status_0 : assert (m_tag_ok == (m_tag_status == '0));
      no_tag_on_error : assert (m_tag_ok || m_tag_tag == '0);
    end
  end
  // synthesis translate_on
endmodule
