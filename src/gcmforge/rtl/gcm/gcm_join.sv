// SPDX-License-Identifier: Apache-2.0
// Joins slots with their key stream: text out, beats into GHASH, and at a packet's end what the
// digest has to be compared with.
//
// With OwnTail the lengths go to gcm_tail and not into GHASH, except when the slot that ends the packet
// has no block for GHASH: then its only one is the length block.
// Latency: combinational. Throughput: one slot a cycle.
module gcm_join #(
    parameter int Lanes = 1,
    parameter int AadLanes = 0,    // of gcm_issue
    parameter int Contexts = 1,
    parameter bit OwnTail = 1'b0,  // of gcm_issue
    parameter bit OwnJ0 = 1'b0,    // of gcm_issue
    parameter bit InStep = 1'b0,   // slot and key stream are there together, and pass with step_i
    localparam int AesLanes = Lanes + (OwnJ0 ? 1 : 0),
    localparam int HashLanes = Lanes + AadLanes,
    localparam int SlotLanes = HashLanes + (OwnTail ? 1 : 0),
    localparam int Bytes = 16 * Lanes,
    localparam int CountWidth = $clog2(Lanes + 1),
    localparam int HashWidth = $clog2(HashLanes + 1),
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                    clk,
    input  logic                    step_i,           // with InStep: whoever is to take the slot can
    // slots, as gcm_slots counted them
    input  logic                    slot_valid_i,
    output logic                    slot_ready_o,
    input  logic [             1:0] slot_kind_i,
    input  logic                    slot_aes_i,
    input  logic                    slot_final_i,
    input  logic                    slot_j0_i,
    input  logic [ContextWidth-1:0] slot_context_i,
    input  logic                    slot_decrypt_i,
    input  logic [             2:0] slot_status_i,
    input  logic [             4:0] slot_tag_bytes_i,
    input  logic [  CountWidth-1:0] slot_count_i,
    input  logic                    slot_out_i,
    input  logic                    slot_out_last_i,
    input  logic                    slot_side_i,
    input  logic [       Bytes-1:0] slot_keep_i,
    input  logic                    slot_hash_i,      // GHASH is to take it
    input  logic                    slot_tag_i,       // gcm_tag is to take it
    input  logic [   HashWidth-1:0] slot_hash_count_i,
    input  logic                    slot_adds_lengths_i,
    input  logic [            63:0] slot_aad_bits_i,
    input  logic [            63:0] slot_text_bits_i,
    input  logic [SlotLanes*128-1:0] slot_data_i,
    // key stream
    input  logic                    stream_valid_i,
    output logic                    stream_ready_o,
    input  logic [AesLanes*128-1:0] stream_i,
    // text out
    output logic                    out_valid_o,
    input  logic                    out_ready_i,
    output logic [   Lanes*128-1:0] out_data_o,
    output logic [       Bytes-1:0] out_keep_o,
    output logic                    out_last_o,
    // beats into GHASH
    output logic                    hash_valid_o,
    input  logic                    hash_ready_i,
    output logic [HashLanes*128-1:0] hash_data_o,
    output logic [   HashWidth-1:0] hash_count_o,
    output logic                    hash_text_o,      // the beat is of text
    output logic                    hash_last_o,
    output logic [ContextWidth-1:0] hash_context_o,
    // one entry for each digest that GHASH will give
    output logic                    tag_valid_o,
    input  logic                    tag_ready_i,
    output logic                    tag_iv_o,         // the digest is J0 of an IV
    output logic                    tag_decrypt_o,
    output logic [             2:0] tag_status_o,
    output logic [             4:0] tag_bytes_o,
    output logic [           127:0] tag_mask_o,       // E(K, J0), plus the expected tag
    output logic                    tag_whole_o,      // GHASH has the length block, too
    output logic [           127:0] tag_lengths_o,
    // hash subkey of the context being loaded
    output logic                    subkey_valid_o,
    output logic [           127:0] subkey_o
);
  logic fire, is_key, is_iv;
  logic [Lanes*128-1:0] data, stream, mixed, text, beat;

  assign is_key = slot_kind_i == gcm_pkg::SLOT_KEY;
  assign is_iv  = slot_kind_i == gcm_pkg::SLOT_IV;

  // ---- handshakes: a slot passes when everything that it feeds, and only that, can take it
  logic present, ready;
  if (InStep) begin : gen_step
    logic unused;
    assign unused         = &{1'b0, slot_aes_i, stream_valid_i, out_ready_i, hash_ready_i, tag_ready_i};
    assign present        = slot_valid_i && step_i;  // key stream of another may be there before
    assign ready          = step_i;
    assign slot_ready_o   = step_i;
    assign stream_ready_o = step_i;
    assign out_valid_o    = slot_out_i && step_i;
    assign hash_valid_o   = slot_hash_i && step_i;
    assign tag_valid_o    = slot_tag_i && step_i;
  end else begin : gen_streams
    logic out_clear, hash_clear, tag_clear, unused;
    assign unused         = &{1'b0, step_i};
    assign present        = slot_valid_i && (!slot_aes_i || stream_valid_i);
    assign out_clear      = out_ready_i || !slot_out_i;
    assign hash_clear     = hash_ready_i || !slot_hash_i;
    assign tag_clear      = tag_ready_i || !slot_tag_i;
    assign ready          = out_clear && hash_clear && tag_clear;
    assign slot_ready_o   = ready && (!slot_aes_i || stream_valid_i);
    assign stream_ready_o = slot_valid_i && slot_aes_i && ready;
    assign out_valid_o    = present && slot_out_i && hash_clear && tag_clear;
    assign hash_valid_o   = present && slot_hash_i && out_clear && tag_clear;
    assign tag_valid_o    = present && slot_tag_i && out_clear && hash_clear;
  end
  assign fire           = present && ready;
  assign subkey_valid_o = fire && is_key;

  // ---- data
  assign data   = slot_data_i[(SlotLanes-Lanes)*128+:Lanes*128];
  assign stream = stream_i[(AesLanes-Lanes)*128+:Lanes*128];
  assign mixed  = data ^ stream;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int Low = (Lanes - 1 - l) * 128;
    logic [127:0] mask;
    for (genvar b = 0; b < 16; b++) begin : gen_byte
      assign mask[127-8*b-:8] = {8{slot_keep_i[16*l+b]}};
    end
    assign text[Low+:128] = mixed[Low+:128] & mask;
    assign beat[Low+:128] = slot_kind_i == gcm_pkg::SLOT_TEXT && !slot_decrypt_i ? text[Low+:128]
        : data[Low+:128];
  end

  // ---- blocks for GHASH: AAD from beside the beat, the beat, the length block
  logic [HashLanes*128-1:0] beside;  // the beat in its place
  if (AadLanes > 0) begin : gen_beside
    assign beside = slot_side_i ? {slot_data_i[(SlotLanes-HashLanes)*128+:AadLanes*128], beat}
        : {beat, (AadLanes * 128)'(0)};
  end else begin : gen_alone
    assign beside = beat;
    logic unused_side;
    assign unused_side = &{1'b0, slot_side_i};
  end

  for (genvar l = 0; l < HashLanes; l++) begin : gen_hash
    localparam int Low = (HashLanes - 1 - l) * 128;
    assign hash_data_o[Low+:128] = slot_adds_lengths_i && slot_hash_count_i == HashWidth'(l + 1)
        ? {slot_aad_bits_i, slot_text_bits_i} : beside[Low+:128];
  end

  // ---- E(K, J0) and the expected tag
  if (OwnJ0) begin : gen_j0_lane
    assign tag_mask_o = stream_i[127:0] ^ slot_data_i[127:0];
    logic unused;
    assign unused = &{1'b0, clk, fire, slot_j0_i, slot_count_i};
  end else if (OwnTail) begin : gen_j0_early
    logic [127:0] j0, early_q;  // in this slot; from an earlier one of the packet

    always_comb begin
      j0 = '0;
      for (int l = 0; l < Lanes; l++)
        if (slot_kind_i == gcm_pkg::SLOT_AAD ? l == 0 : slot_count_i == CountWidth'(l))
          j0 = j0 | stream[(Lanes-1-l)*128+:128];
    end
    always_ff @(posedge clk) if (fire && slot_j0_i) early_q <= j0;
    assign tag_mask_o = (slot_j0_i ? j0 : early_q) ^ slot_data_i[127:0];
  end else begin : gen_closing_lane
    // The expected tag is what is encrypted there.
    always_comb begin
      tag_mask_o = '0;
      for (int l = 0; l < Lanes; l++)
        if (slot_count_i == CountWidth'(l)) tag_mask_o = tag_mask_o | mixed[(Lanes-1-l)*128+:128];
    end
    logic unused;
    assign unused = &{1'b0, clk, slot_j0_i};
  end

  // Registered outside even where it is not valid, so nothing but text may be seen here: what a
  // slot without text adds to the key stream would show E(K, J0) or the hash subkey.
  // synthesis translate_off
  if (InStep) begin : gen_rules
    always_ff @(posedge clk) nothing_but_text : assert (out_valid_o || out_data_o == '0);
  end
  // synthesis translate_on

  assign out_data_o     = present && slot_out_i && slot_status_i == gcm_pkg::STATUS_OK ? text : '0;
  assign out_keep_o     = slot_kind_i == gcm_pkg::SLOT_TEXT ? slot_keep_i : '0;
  assign out_last_o     = slot_out_last_i;
  assign hash_count_o   = slot_hash_count_i;
  assign hash_text_o    = slot_kind_i == gcm_pkg::SLOT_TEXT;
  assign hash_last_o    = slot_final_i;
  assign hash_context_o = slot_context_i;
  assign tag_iv_o       = is_iv;
  assign tag_decrypt_o  = slot_decrypt_i;
  assign tag_status_o   = slot_status_i;
  assign tag_bytes_o    = slot_tag_bytes_i;
  assign tag_whole_o    = is_iv || slot_adds_lengths_i;
  assign tag_lengths_o  = {slot_aad_bits_i, slot_text_bits_i};
  assign subkey_o       = stream[(Lanes-1)*128+:128];
endmodule
