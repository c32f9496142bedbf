// SPDX-License-Identifier: Apache-2.0
// Where a slot meets its key stream: adds them for the text that leaves, gives GHASH the
// ciphertext, the AAD and the length block, and at a packet's end tells gcm_tag what the digest is
// compared with.
//
// With tail=dedicated the lengths go to gcm_tail and not into GHASH, except when the slot that ends
// the packet has no block for GHASH: then its only one is the length block.
// Latency: combinational. Throughput: one slot a cycle.
module gcm_join (
    input  logic                                 clk,
    // the oldest slot and its key stream
    input  logic                                 there_i,         // both are
    // and whoever is to take them does
    input  logic                                 passes_i,
    input  gcm_pkg::counted_t                    slot_i,
    input  logic [       gcm_pkg::AES_WIDTH-1:0] stream_i,
    // text out, a beat into GHASH, an entry of gcm_tag: the middle says which of them is offered
    output logic [           gcm_pkg::WIDTH-1:0] out_data_o,
    output logic [           gcm_pkg::BYTES-1:0] out_keep_o,
    output logic                                 out_last_o,
    output logic [      gcm_pkg::HASH_WIDTH-1:0] hash_data_o,
    output logic [gcm_pkg::HASH_COUNT_WIDTH-1:0] hash_count_o,
    output logic                                 hash_text_o,     // the beat is of text
    output logic                                 hash_last_o,
    output logic [   gcm_pkg::CONTEXT_WIDTH-1:0] hash_context_o,
    // an entry for each digest that GHASH will give
    output logic                                 tag_iv_o,        // the digest is J0 of an IV
    output logic                                 tag_decrypt_o,
    output logic [    gcm_pkg::STATUS_WIDTH-1:0] tag_status_o,
    output logic [                          4:0] tag_bytes_o,
    output logic [                        127:0] tag_mask_o,      // E(K, J0) + the expected tag
    output logic                                 tag_whole_o,     // GHASH has the length block, too
    output logic [                        127:0] tag_lengths_o,
    // hash subkey of the context being loaded
    output logic                                 subkey_valid_o,
    output logic [                        127:0] subkey_o
);
  localparam int Lanes = gcm_pkg::LANES;
  localparam int HashLanes = gcm_pkg::HASH_LANES;
  localparam int HashCountWidth = gcm_pkg::HASH_COUNT_WIDTH;
  localparam int SlotWidth = gcm_pkg::SLOT_WIDTH;
  localparam int AesWidth = gcm_pkg::AES_WIDTH;

  gcm_pkg::fact_t fact;
  logic is_key, is_iv, shown;
  logic [Lanes*128-1:0] data, stream, mixed, text, beat;

  assign fact   = slot_i.fact;
  assign is_key = fact.kind == gcm_pkg::SLOT_KEY;
  assign is_iv  = fact.kind == gcm_pkg::SLOT_IV;

  assign subkey_valid_o = passes_i && is_key;

  // ---- data
  assign data   = slot_i.data[SlotWidth-1-:Lanes*128];
  assign stream = stream_i[AesWidth-1-:Lanes*128];
  assign mixed  = data ^ stream;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int Low = (Lanes - 1 - l) * 128;
    logic [127:0] mask;
    for (genvar b = 0; b < 16; b++) begin : gen_byte
      assign mask[127-8*b-:8] = {8{slot_i.keep[16*l+b]}};
    end
    assign text[Low+:128] = mixed[Low+:128] & mask;
    assign beat[Low+:128] = fact.kind == gcm_pkg::SLOT_TEXT && !fact.decrypt ? text[Low+:128]
        : data[Low+:128];
  end

  // ---- blocks for GHASH: AAD that came with the beat, the beat, the length block
  logic [HashLanes*128-1:0] hashed;
  gcm_hashed u_hashed (
      .side_i  (slot_i.side),
      .aad_i   (slot_i.data[SlotWidth-HashLanes*128+:gcm_pkg::SIDE_LANES*128]),
      .beat_i  (beat),
      .hashed_o(hashed)
  );

  for (genvar l = 0; l < HashLanes; l++) begin : gen_hash
    localparam int Low = (HashLanes - 1 - l) * 128;
    logic is_length;
    if (HashLanes == 1) begin : gen_only
      assign is_length = slot_i.adds_lengths;
    end else begin : gen_one_of
      assign is_length = slot_i.adds_lengths && slot_i.hash_count == HashCountWidth'(l + 1);
    end
    assign hash_data_o[Low+:128] = is_length
        ? {slot_i.aad_bits, slot_i.text_bits} : hashed[Low+:128];
  end

  // ---- E(K, J0) and the expected tag
  gcm_mask u_mask (
      .clk     (clk),
      .passes_i(passes_i),
      .has_j0_i(fact.has_j0),
      .aad_i   (fact.kind == gcm_pkg::SLOT_AAD),
      .count_i (fact.count),
      .mixed_i (mixed),
      .stream_i(stream),
      .j0_i    (stream_i[127:0]),
      .tag_i   (slot_i.data[127:0]),
      .mask_o  (tag_mask_o)
  );

  // Registered outside even where it is not valid, so nothing but text may be seen here: what a
  // slot without text adds to the key stream would show E(K, J0) or the hash subkey.
  assign shown          = there_i && fact.gives_out && fact.status == gcm_pkg::STATUS_OK;
  assign out_data_o     = shown ? text : '0;
  assign out_keep_o     = fact.kind == gcm_pkg::SLOT_TEXT ? slot_i.keep : '0;
  assign out_last_o     = fact.out_last;
  assign hash_count_o   = slot_i.hash_count;
  assign hash_text_o    = fact.kind == gcm_pkg::SLOT_TEXT;
  assign hash_last_o    = fact.closes;
  assign hash_context_o = fact.context_id;
  assign tag_iv_o       = is_iv;
  assign tag_decrypt_o  = fact.decrypt;
  assign tag_status_o   = fact.status;
  assign tag_bytes_o    = fact.tag_bytes;
  assign tag_whole_o    = is_iv || slot_i.adds_lengths;
  assign tag_lengths_o  = {slot_i.aad_bits, slot_i.text_bits};
  assign subkey_o       = stream[(Lanes-1)*128+:128];

  logic unused_slot;  // said for others
  assign unused_slot = &{1'b0, slot_i, fact};
endmodule
