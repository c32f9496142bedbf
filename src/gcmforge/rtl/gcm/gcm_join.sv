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
    parameter longint unsigned MaxTextBytes = 64'd68719476704,  // SP 800-38D, section 5.2.1.1
    parameter longint unsigned MaxAadBytes = 64'd4294967295,
    localparam int AesLanes = Lanes + (OwnJ0 ? 1 : 0),
    localparam int HashLanes = Lanes + AadLanes,
    localparam int SlotLanes = HashLanes + (OwnTail ? 1 : 0),
    localparam int SideWidth = $clog2(16 * (AadLanes > 0 ? AadLanes : 1) + 1),
    localparam int Bytes = 16 * Lanes,
    localparam int CountWidth = $clog2(Lanes + 1),
    localparam int HashWidth = $clog2(HashLanes + 1),
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                    clk,
    input  logic                    rst,
    // slots, as gcm_issue made them
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
    input  logic [             3:0] slot_tail_i,
    input  logic                    slot_out_i,
    input  logic                    slot_out_last_i,
    input  logic [   SideWidth-1:0] slot_side_i,
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
  localparam int TextWidth = $clog2(MaxTextBytes + 64'(Bytes) + 64'd1) + 1;
  localparam int AadWidth = $clog2(MaxAadBytes + 64'(Bytes) + 64'd1) + 1;

  logic fire, packet, is_key, is_iv;
  logic [HashWidth-1:0] blocks;  // of this slot into GHASH
  logic [HashWidth-1:0] count;   // the length block included
  logic side, adds_lengths;
  logic [4:0] tail_bytes;        // in the last block, 1 to 16
  logic [CountWidth+4-1:0] bytes;
  logic [TextWidth-1:0] text_q, text_d;
  logic [AadWidth-1:0] aad_q, aad_d;
  logic [63:0] text_bits, aad_bits;
  logic [2:0] status_q, status;  // the first error so far in this packet
  logic [Bytes-1:0] keep;
  logic [Lanes*128-1:0] data, stream, mixed, text, beat;

  assign is_key = slot_kind_i == gcm_pkg::SLOT_KEY;
  assign is_iv  = slot_kind_i == gcm_pkg::SLOT_IV;
  assign packet = !is_key && !is_iv;

  // ---- handshakes: a slot passes when everything that it feeds, and only that, can take it
  logic present, wants_out, wants_hash, wants_tag, out_clear, hash_clear, tag_clear, ready;
  assign present        = slot_valid_i && (!slot_aes_i || stream_valid_i);
  assign wants_out      = packet && slot_out_i;
  assign wants_hash     = !is_key && count != '0;
  assign wants_tag      = !is_key && slot_final_i;
  assign out_clear      = out_ready_i || !wants_out;
  assign hash_clear     = hash_ready_i || !wants_hash;
  assign tag_clear      = tag_ready_i || !wants_tag;
  assign ready          = out_clear && hash_clear && tag_clear;
  assign fire           = present && ready;
  assign slot_ready_o   = ready && (!slot_aes_i || stream_valid_i);
  assign stream_ready_o = slot_valid_i && slot_aes_i && ready;
  assign out_valid_o    = present && wants_out && hash_clear && tag_clear;
  assign hash_valid_o   = present && wants_hash && out_clear && tag_clear;
  assign tag_valid_o    = present && wants_tag && out_clear && hash_clear;
  assign subkey_valid_o = fire && is_key;

  // ---- lengths and limits
  assign tail_bytes = {1'b0, slot_tail_i} + 5'd1;
  assign bytes      = slot_count_i == '0 ? '0
      : {slot_count_i - CountWidth'(1), 4'b0} + (CountWidth + 4)'(tail_bytes);

  always_comb begin
    text_d = text_q;
    aad_d  = aad_q;
    if (slot_kind_i == gcm_pkg::SLOT_TEXT) text_d = text_q + TextWidth'(bytes);
    // AAD beside a beat without a byte may be marked as either section.
    if (packet && side) aad_d = aad_q + AadWidth'(slot_side_i);
    else if (slot_kind_i == gcm_pkg::SLOT_AAD) aad_d = aad_q + AadWidth'(bytes);
    status = status_q;
    if (status_q == gcm_pkg::STATUS_OK) begin
      status = slot_status_i;
      if (slot_status_i == gcm_pkg::STATUS_OK
          && (text_d > TextWidth'(MaxTextBytes) || aad_d > AadWidth'(MaxAadBytes)))
        status = gcm_pkg::STATUS_TOO_LONG;
    end
  end

  always_ff @(posedge clk) begin
    if (rst || (fire && packet && slot_final_i)) begin
      text_q   <= '0;
      aad_q    <= '0;
      status_q <= gcm_pkg::STATUS_OK;
    end else if (fire && packet) begin
      // Counting ends with the packet's first error, so that it cannot wrap.
      if (status == gcm_pkg::STATUS_OK) begin
        text_q <= text_d;
        aad_q  <= aad_d;
      end
      status_q <= status;
    end
  end

  assign text_bits = 64'(text_d) << 3;
  assign aad_bits  = 64'(aad_d) << 3;

  // ---- data
  assign data   = slot_data_i[(SlotLanes-Lanes)*128+:Lanes*128];
  assign stream = stream_i[(AesLanes-Lanes)*128+:Lanes*128];
  assign mixed  = data ^ stream;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int Low = (Lanes - 1 - l) * 128;
    logic full, tail;
    logic [127:0] mask;

    assign full   = {1'b0, slot_count_i} > (CountWidth + 1)'(l + 1);
    assign tail   = CountWidth'(l + 1) == slot_count_i;

    for (genvar b = 0; b < 16; b++) begin : gen_byte
      assign keep[16*l+b]     = full || (tail && 5'(b) < tail_bytes);
      assign mask[127-8*b-:8] = {8{keep[16*l+b]}};
    end
    assign text[Low+:128] = mixed[Low+:128] & mask;
    assign beat[Low+:128] = slot_kind_i == gcm_pkg::SLOT_TEXT && !slot_decrypt_i ? text[Low+:128]
        : data[Low+:128];
  end

  // ---- blocks for GHASH: AAD from beside the beat, the beat, the length block
  assign side         = AadLanes > 0 && slot_side_i != '0;
  assign blocks       = HashWidth'(slot_count_i) + (side ? HashWidth'(AadLanes) : '0);
  assign adds_lengths = packet && slot_final_i && (!OwnTail || blocks == '0);
  assign count        = blocks + HashWidth'(adds_lengths);

  logic [HashLanes*128-1:0] beside;  // the beat in its place
  if (AadLanes > 0) begin : gen_beside
    assign beside = side ? {slot_data_i[(SlotLanes-HashLanes)*128+:AadLanes*128], beat}
        : {beat, (AadLanes * 128)'(0)};
  end else begin : gen_alone
    assign beside = beat;
  end

  for (genvar l = 0; l < HashLanes; l++) begin : gen_hash
    localparam int Low = (HashLanes - 1 - l) * 128;
    assign hash_data_o[Low+:128] = adds_lengths && blocks == HashWidth'(l)
        ? {aad_bits, text_bits} : beside[Low+:128];
  end

  // ---- E(K, J0) and the expected tag
  if (OwnJ0) begin : gen_j0_lane
    assign tag_mask_o = stream_i[127:0] ^ slot_data_i[127:0];
    logic unused;
    assign unused = &{1'b0, slot_j0_i};
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
    assign unused = &{1'b0, slot_j0_i};
  end

  // Registered outside even where it is not valid, so nothing but text may be seen here: what a
  // slot without text adds to the key stream would show E(K, J0) or the hash subkey.
  assign out_data_o     = present && slot_out_i && status == gcm_pkg::STATUS_OK ? text : '0;
  assign out_keep_o     = slot_kind_i == gcm_pkg::SLOT_TEXT ? keep : '0;
  assign out_last_o     = slot_out_last_i;
  assign hash_count_o   = count;
  assign hash_text_o    = slot_kind_i == gcm_pkg::SLOT_TEXT;
  assign hash_last_o    = slot_final_i;
  assign hash_context_o = slot_context_i;
  assign tag_iv_o       = is_iv;
  assign tag_decrypt_o  = slot_decrypt_i;
  assign tag_status_o   = status;
  assign tag_bytes_o    = slot_tag_bytes_i;
  assign tag_whole_o    = is_iv || adds_lengths;
  assign tag_lengths_o  = {aad_bits, text_bits};
  assign subkey_o       = stream[(Lanes-1)*128+:128];
endmodule
