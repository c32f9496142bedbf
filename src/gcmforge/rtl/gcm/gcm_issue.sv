// SPDX-License-Identifier: Apache-2.0
// Turns commands and beats of data into slots, one a cycle, and sends their counter blocks to the
// AES. A slot is one step of the stream that gcm_join takes: a beat, and what its blocks are for.
//
// A packet's closing slot carries E(K, J0) for the tag, and the length block for GHASH. Both take
// the first free lane of the packet's last beat, or a slot of their own when that beat is full. The
// expected tag is in the same lane as data: adding the key stream gives E(K, J0) + tag, which GHASH
// must equal. With tail=dedicated the length block is added after GHASH, and J0 takes the first
// lane that is free in the AES; with j0=dedicated it has a lane of its own in the AES.
//
// Latency: combinational from the input beat to the slot. Throughput: one beat a cycle; a packet of
// b beats takes b slots, or b + 1 when its last beat has a block in every lane, or with
// counter_sharing when a counter of its last beat carries out of byte 15. With tail=dedicated a
// packet with AAD takes b slots, with j0=dedicated every packet; with slots=ahead one that ends
// with text b + 1. An IV that is not 96 bits takes a slot for each block, one for its length, and
// two cycles after its hash to the first counter; with counter_sharing no text shares its beat with
// J0 then, unless j0=dedicated, so that b + 1 slots are taken when the last beat has text.
module gcm_issue (
    input  logic                                clk,
    input  logic                                rst,
    // the command whose packet is to come in, or under way: then beats of its IV
    input  logic                                command_valid_i,
    input  logic                                command_blocked_i,
    output logic                                command_ready_o,
    input  gcm_pkg::command_t                   command_i,
    // what its context holds
    input  logic                                usable_i,
    input  logic [                         1:0] size_i,
    // data beats: keep bit i is byte i, byte 0 on top of the data
    input  logic                                in_valid_i,
    output logic                                in_ready_o,
    input  logic [          gcm_pkg::WIDTH-1:0] in_data_i,
    input  logic [          gcm_pkg::BYTES-1:0] in_keep_i,
    input  logic [    gcm_pkg::COUNT_WIDTH-1:0] in_count_i,      // its blocks, whole or not
    input  logic                                in_null_i,       // without a byte: keep is zero
    input  logic                                in_short_i,      // the last, with a free last lane
    input  logic                                in_text_i,
    input  logic                                in_last_i,
    input  logic [ gcm_pkg::SIDE_LANES*128-1:0] in_side_i,       // AAD with the beat
    input  logic [  gcm_pkg::SIDE_LANES*16-1:0] in_side_keep_i,  // zero where no AAD comes so
    // a context being loaded asks for its hash subkey
    input  logic                                subkey_want_i,
    output logic                                subkey_taken_o,
    input  logic [gcm_pkg::CONTEXT_WIDTH-1:0]   subkey_context_i,
    input  logic [                         1:0] subkey_size_i,
    // with slots=ahead: gcm_ahead has still blocks of text to make, and they stand still
    input  logic                                ahead_still_i,
    input  logic [                         5:0] ahead_left_i,    // low bits of how many
    output logic                                ahead_cut_o,     // and are not to be made
    // GHASH of an IV
    input  logic                                j0_valid_i,
    input  logic [                       127:0] j0_i,
    // counter blocks to the AES
    output logic                                aes_valid_o,
    input  logic                                aes_ready_i,
    output logic [gcm_pkg::CONTEXT_WIDTH-1:0]   aes_context_o,
    output logic [                         1:0] aes_size_o,
    output logic [      gcm_pkg::AES_WIDTH-1:0] aes_blocks_o,
    // slots
    output logic                                slot_valid_o,
    input  logic                                slot_ready_i,
    output gcm_pkg::slot_t                      slot_o
);
  localparam int Lanes = gcm_pkg::LANES;
  localparam int AadLanes = gcm_pkg::AAD_LANES;
  localparam int CountWidth = gcm_pkg::COUNT_WIDTH;
  localparam int ContextWidth = gcm_pkg::CONTEXT_WIDTH;
  localparam int TagLanes = gcm_pkg::OWN_TAIL ? 1 : 0;
  localparam int SlotLanes = gcm_pkg::SLOT_WIDTH / 128;
  localparam bit OwnTail = gcm_pkg::OWN_TAIL;
  localparam bit AesWaits = gcm_pkg::AES_WAITS;

  // where the packet is: each of these is a register, of gcm_issue_state or of gcm_issue_iv
  logic idle, in_iv, in_iv_length, in_iv_wait, in_iv_count, in_data, in_close;

  // ---- the packet under way
  logic [ContextWidth-1:0] context_q;
  logic decrypt_q;
  logic [1:0] size_q;
  logic [127:0] tag_q;  // expected; zero when encrypting
  logic [4:0] tag_bytes_q;
  logic [gcm_pkg::STATUS_WIDTH-1:0] status_q;  // the first error so far
  logic [127:0] j0_q;
  // so far: AAD must not come any more; the last beat ended its section; text with bytes has come;
  // a beat has come
  logic text_seen_q, partial_q, out_seen_q, beat_seen_q;
  logic j0_sent_q;  // it went with an earlier beat

  // ---- a new command
  logic closing;  // the packet under way ends in this cycle
  logic start, tag_length_good, iv_taken, iv_at_once, iv_done;
  logic [127:0] iv_block;

  assign start = command_valid_i && !command_blocked_i && (idle || closing);
  assign tag_length_good = command_i.tag_bytes == 5'd4 || command_i.tag_bytes == 5'd8
      || (command_i.tag_bytes >= 5'd12 && command_i.tag_bytes <= 5'd16);

  // ---- AAD that comes with the beat
  logic side, side_bad;
  logic [gcm_pkg::SIDE_WIDTH-1:0] side_bytes;
  logic [gcm_pkg::SIDE_LANES*128-1:0] side_data;

  gcm_side u_side (
      .data_i (in_side_i),
      .keep_i (in_side_keep_i),
      .late_i (beat_seen_q),
      .text_i (in_text_i),
      .null_i (in_null_i),
      .any_o  (side),
      .bad_o  (side_bad),
      .bytes_o(side_bytes),
      .data_o (side_data)
  );

  // ---- the data beat
  logic [CountWidth-1:0] count;
  logic [3:0] tail;
  logic full_beat, empty_beat, holes, close_here, j0_here, j0_first, bad_frame, text_beat;
  logic two_values;
  // with slots=ahead: this beat, one after it; a wrong number
  logic has_stream, more_streams, wrong_beats;
  logic [Lanes-1:0] counted;  // has a block of text, for its counter
  logic [Lanes*128-1:0] data;

  gcm_beat u_beat (
      .data_i   (in_data_i),
      .keep_i   (in_keep_i),
      .text_i   (text_beat),
      .count_i  (count),
      .counted_o(counted),
      .tail_o   (tail),
      .full_o   (full_beat),
      .holes_o  (holes),
      .data_o   (data)
  );

  assign count      = in_count_i;
  assign empty_beat = in_null_i && !side;
  // A beat that is not full, so an empty one as well, is the last of its section.
  assign bad_frame  = holes || side_bad || wrong_beats || (text_seen_q && !in_text_i)
      || (partial_q && in_text_i == text_seen_q);
  assign text_beat  = in_text_i && !in_null_i;

  // ---- whether J0 and the packet's end go with this beat
  gcm_closing u_closing (
      .text_i      (text_beat),
      .last_i      (in_last_i),
      .short_i     (in_short_i),
      .two_values_i(two_values),
      .more_i      (more_streams),
      .j0_sent_i   (j0_sent_q),
      .j0_here_o   (j0_here),
      .j0_first_o  (j0_first),
      .closes_o    (close_here)
  );

  // ---- the slot of this cycle
  logic data_slot, fire, close_slot;
  logic text_passes;  // a beat of text does
  logic drain_slot, drains;  // takes a key stream for which no text came; and can in this cycle
  logic [1:0] kind;
  logic final_slot, j0_slot, uses_aes, want;
  logic [gcm_pkg::STATUS_WIDTH-1:0] status;

  assign data_slot  = in_data && !subkey_want_i && in_valid_i && (!empty_beat || in_last_i);
  assign drain_slot = in_close && more_streams;
  assign close_slot = in_close && !drain_slot;
  assign status     = status_q != gcm_pkg::STATUS_OK ? status_q
                    : data_slot && bad_frame ? gcm_pkg::STATUS_BAD_FRAME : gcm_pkg::STATUS_OK;

  always_comb begin
    kind       = gcm_pkg::SLOT_TEXT;
    final_slot = 1'b0;
    j0_slot    = 1'b0;
    uses_aes   = 1'b0;
    want       = 1'b0;
    if (subkey_want_i) begin
      kind     = gcm_pkg::SLOT_KEY;
      uses_aes = 1'b1;
      want     = 1'b1;
    end else if (close_slot) begin
      final_slot = 1'b1;
      j0_slot    = 1'b1;
      uses_aes   = 1'b1;
      want       = 1'b1;
    end else if (drain_slot) begin
      uses_aes = 1'b1;
      want     = drains;
    end else if (data_slot) begin
      kind       = in_text_i ? gcm_pkg::SLOT_TEXT : gcm_pkg::SLOT_AAD;
      final_slot = close_here;
      j0_slot    = j0_here;
      uses_aes   = (text_beat && has_stream) || j0_here;
      want       = 1'b1;
    end else if (in_iv || in_iv_length) begin
      kind       = gcm_pkg::SLOT_IV;
      final_slot = in_iv_length;
      want       = command_valid_i || final_slot;
    end
  end

  // ---- beats of text that the command announced, and that are still to come
  gcm_said u_said (
      .clk           (clk),
      .rst           (rst),
      .start_i       (start),
      .text_beats_i  (command_i.text_beats),
      .data_i        (in_data),
      .close_i       (in_close),
      .text_i        (text_beat),
      .last_i        (in_last_i),
      .drained_i     (fire && drain_slot),
      .taken_i       (text_passes),
      .still_i       (ahead_still_i),
      .left_i        (ahead_left_i),
      .has_stream_o  (has_stream),
      .more_streams_o(more_streams),
      .wrong_o       (wrong_beats),
      .drains_o      (drains),
      .cut_o         (ahead_cut_o)
  );

  // One word for slots and AES: where the AES takes a beat a cycle, a slot without blocks for it
  // waits for it, too. That costs no cycle: it stands still only when nothing passes after it
  // either.
  logic aes_clear, go;
  logic iv_slot;  // a slot of the IV passes, where one is to be made: it has no block for the AES
  assign aes_clear      = aes_ready_i || (AesWaits && !uses_aes);
  assign go             = slot_ready_i && aes_clear;
  assign fire           = want && go;
  assign text_passes    = fire && data_slot && text_beat;
  assign iv_slot        = (command_valid_i || in_iv_length) && !subkey_want_i && slot_ready_i
      && (AesWaits || aes_ready_i);
  assign closing        = go && !subkey_want_i
      && (close_slot || (in_data && in_valid_i && close_here));
  assign slot_valid_o   = want && aes_clear;
  assign aes_valid_o    = want && uses_aes && slot_ready_i;
  assign subkey_taken_o = fire && subkey_want_i;

  // A beat without a single byte that does not end its packet needs no slot.
  assign in_ready_o = in_data && !subkey_want_i && (go || (empty_beat && !in_last_i));

  logic taken;  // the beat
  assign taken = in_valid_i && in_ready_o;

  gcm_issue_iv u_iv (
      .clk       (clk),
      .rst       (rst),
      .start_i   (start),
      .beat_i    (command_valid_i),
      .bytes_i   (command_i.iv_bytes),
      .iv_i      (command_i.iv),
      .slot_i    (iv_slot),
      .j0_valid_i(j0_valid_i),
      .taken_o   (iv_taken),
      .passes_o  (command_ready_o),
      .at_once_o (iv_at_once),
      .done_o    (iv_done),
      .hash_o    (in_iv),
      .length_o  (in_iv_length),
      .block_o   (iv_block),
      .wait_o    (in_iv_wait),
      .count_o   (in_iv_count)
  );

  gcm_issue_state u_state (
      .clk         (clk),
      .rst         (rst),
      .start_i     (start),
      .at_once_i   (iv_at_once),
      .iv_done_i   (iv_done),
      .last_beat_i (taken && in_last_i),
      .close_here_i(close_here),
      .closing_i   (closing),
      .idle_o      (idle),
      .data_o      (in_data),
      .close_o     (in_close)
  );

  always_ff @(posedge clk) begin
    if (start) begin
      context_q   <= command_i.context_id;
      decrypt_q   <= command_i.decrypt;
      size_q      <= size_i;
      tag_q       <= command_i.decrypt ? command_i.tag : '0;
      tag_bytes_q <= command_i.tag_bytes;
      status_q    <= command_i.is_void ? gcm_pkg::STATUS_BAD_FRAME
                   : !usable_i ? gcm_pkg::STATUS_NO_KEY
                   : !iv_taken ? gcm_pkg::STATUS_BAD_IV
                   : !tag_length_good ? gcm_pkg::STATUS_BAD_TAG_LENGTH : gcm_pkg::STATUS_OK;
    end else if (status_q == gcm_pkg::STATUS_OK && ((taken && bad_frame)
        || (command_valid_i && command_ready_o && command_i.is_void)))
      status_q <= gcm_pkg::STATUS_BAD_FRAME;

    if (start) j0_q <= {command_i.iv[127:32], 32'd1};  // of an IV of another length, it comes later
    else if (in_iv_wait) j0_q <= j0_i;  // right when j0_valid_i ends the wait

    if (start) begin
      {text_seen_q, partial_q, out_seen_q, beat_seen_q, j0_sent_q} <= '0;
    end else if (taken) begin
      text_seen_q <= text_seen_q || in_text_i || side;
      partial_q   <= !full_beat;
      out_seen_q  <= out_seen_q || text_beat;
      beat_seen_q <= 1'b1;
      j0_sent_q   <= j0_sent_q || j0_slot;
    end
  end

  // ---- counter blocks and data, lane by lane
  logic [Lanes-1:0] has_j0;
  logic [Lanes*32-1:0] counters;
  gcm_lane_counters u_counters (
      .clk       (clk),
      .start_i   (start),
      .j0_there_i(in_iv_wait),
      .j0_i      (j0_i[31:0]),
      .first_i   (in_iv_count),
      .next_i    (text_passes),
      .counters_o(counters)
  );

  gcm_two_values u_two_values (
      .clk         (clk),
      .start_i     (start),
      .hashed_i    (in_iv_count),
      .next_i      (text_passes),
      .counted_i   (counted),
      .two_values_o(two_values)
  );

  gcm_blocks u_blocks (
      .j0_i      (j0_q),
      .counters_i(counters),
      .counted_i (counted),
      .count_i   (count),
      .j0_here_i (j0_slot),
      .first_i   (j0_first),
      .close_i   (close_slot),
      .zero_i    (subkey_want_i),
      .has_j0_o  (has_j0),
      .blocks_o  (aes_blocks_o)
  );

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int Low = (Lanes - 1 - l) * 128;
    logic [127:0] block;

    if (l == 0) begin : gen_first
      always_comb begin
        block = data[Low+:128];
        if (in_iv || in_iv_length) block = iv_block;
      end
    end else begin : gen_other
      assign block = data[Low+:128];
    end
    assign slot_o.data[Low+128*(SlotLanes-Lanes)+:128] = has_j0[l] && !OwnTail ? tag_q : block;
  end
  if (OwnTail) begin : gen_tag_lane
    assign slot_o.data[127:0] = tag_q;
  end
  if (AadLanes > 0) begin : gen_aad_lanes
    assign slot_o.data[128*TagLanes+:AadLanes*128] = side_data;
  end else begin : gen_no_aad_lanes
    logic unused;
    assign unused = &{1'b0, side_data};
  end

  assign aes_context_o    = subkey_want_i ? subkey_context_i : context_q;
  assign aes_size_o       = subkey_want_i ? subkey_size_i : size_q;

  // Text that has begun to leave is always brought to an end, even by a beat without a byte. Of a
  // key slot kind, aes and context_id tell something; it closes nothing and gives nothing out.
  assign slot_o.fact.kind       = kind;
  assign slot_o.fact.aes        = uses_aes;
  assign slot_o.fact.closes     = final_slot;
  assign slot_o.fact.has_j0     = j0_slot;
  assign slot_o.fact.context_id = aes_context_o;
  assign slot_o.fact.decrypt    = decrypt_q;
  assign slot_o.fact.status     = status;
  assign slot_o.fact.tag_bytes  = tag_bytes_q;
  assign slot_o.fact.count      = kind == gcm_pkg::SLOT_IV ? CountWidth'(1)
      : close_slot || drain_slot ? '0 : count;
  assign slot_o.fact.gives_out  = data_slot && (text_beat || (in_last_i && out_seen_q));
  assign slot_o.fact.out_last   = data_slot && in_last_i;
  assign slot_o.tail            = kind == gcm_pkg::SLOT_IV ? 4'd15 : tail;
  assign slot_o.side            = data_slot ? side_bytes : '0;
endmodule
