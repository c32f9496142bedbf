// SPDX-License-Identifier: Apache-2.0
// Turns commands and data beats into slots: one slot a cycle into the slot queue, its counter blocks
// into the AES beside it.
//
// A packet's closing slot carries E(K, J0) for the tag and the length block for GHASH. They ride in
// the first free lane of the packet's last beat; only when that beat is full do they take a slot of
// their own. The expected tag travels in the same lane as data, so that adding the key stream gives
// E(K, J0) + tag, and what GHASH must equal for the packet to be authentic.
//
// With OwnTail the length block is added behind GHASH, and the expected tag has a lane of its own in
// the slots. J0 then rides in the first beat in which the AES has nothing else to do, one of AAD, or
// else as before. With OwnJ0, too, it has a lane of its own in the AES, behind those of the text.
//
// AAD that fits in AadLanes blocks may come beside the first beat of text, or beside a packet's only
// beat. It stands in the last of its lanes: zero blocks in front of a message do not change its hash.
//
// With CounterSharing the blocks of a beat share bytes 0 to 11, and bytes 12 to 14 have at most two
// values, that of the first lane and that of the last. Counters take the second one behind a carry out
// of byte 15; J0 takes it in the closing lane, so J0 does not ride in a beat of text that has a carry
// before the closing lane, unless it has one of its own.
//
// Latency: combinational from the input beat to the slot. Throughput: one beat a cycle; a packet of
// b beats takes b slots, or b + 1 when its last beat has a block, whole or not, in every lane, or,
// with CounterSharing, when it is of text and its last counter has a smaller byte 15 than its first.
// With OwnTail a packet with a beat of AAD always takes b slots, with OwnJ0, too, every packet. With
// Ahead one that ends with text always takes b + 1.
// An IV that is not 96 bits takes one slot for each of its blocks, one for its length, the wait for
// its hash, and two cycles to the first counter.
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
    input  logic                                in_null_i,       // without a byte: keep is zero
    input  logic                                in_short_i,      // the last, with a free last lane
    input  logic                                in_text_i,
    input  logic                                in_last_i,
    input  logic [ gcm_pkg::SIDE_LANES*128-1:0] in_side_i,       // AAD beside the beat
    input  logic [  gcm_pkg::SIDE_LANES*16-1:0] in_side_keep_i,  // zero without AAD_LANES
    // a context being loaded asks for its hash subkey
    input  logic                                subkey_want_i,
    output logic                                subkey_taken_o,
    input  logic [gcm_pkg::CONTEXT_WIDTH-1:0]   subkey_context_i,
    input  logic [                         1:0] subkey_size_i,
    // with AHEAD: what gcm_ahead has still to make
    input  logic                                ahead_still_i,   // blocks of text, and they stand still
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
  localparam int SideLanes = gcm_pkg::SIDE_LANES;
  localparam int SideWidth = gcm_pkg::SIDE_WIDTH;
  localparam int Bytes = gcm_pkg::BYTES;
  localparam int CountWidth = gcm_pkg::COUNT_WIDTH;
  localparam int ContextWidth = gcm_pkg::CONTEXT_WIDTH;
  localparam int LaneLeaves = 2 ** $clog2(Lanes);
  localparam int J0Lanes = gcm_pkg::OWN_J0 ? 1 : 0;
  localparam int TagLanes = gcm_pkg::OWN_TAIL ? 1 : 0;
  localparam int SlotLanes = gcm_pkg::SLOT_WIDTH / 128;
  localparam bit AnyIv = gcm_pkg::ANY_IV;
  localparam bit CounterSharing = gcm_pkg::COUNTER_SHARING;
  localparam bit OwnTail = gcm_pkg::OWN_TAIL;
  localparam bit OwnJ0 = gcm_pkg::OWN_J0;
  localparam bit AesWaits = gcm_pkg::AES_WAITS;
  localparam bit Ahead = gcm_pkg::AHEAD;

  // States, one bit each: whether a beat passes depends on one of them, and has to know it early.
  localparam int IDLE = 0;
  localparam int IV = 1;         // blocks of an IV into GHASH
  localparam int IV_LENGTH = 2;  // and its length block
  localparam int IV_WAIT = 3;    // for J0
  localparam int IV_STEP = 4;    // J0's upper 24 bits and one are made
  localparam int IV_COUNT = 5;   // from J0 to the first counter
  localparam int IV_DROP = 6;    // the beats of an IV that this core does not take
  localparam int DATA = 7;
  localparam int CLOSE = 8;      // the closing slot, when the last beat left no lane for it
  localparam int States = 9;

  logic [States-1:0] state_q, state_d;

  // ---- the packet under way
  logic [ContextWidth-1:0] context_q;
  logic decrypt_q;
  logic [1:0] size_q;
  logic [127:0] tag_q;  // expected, cut to its length; zero when encrypting
  logic [4:0] tag_bytes_q;
  logic [2:0] status_q;  // the first error so far
  logic [127:0] j0_q;
  logic [31:0] counter_q;  // of lane 0 in the next beat of text; its upper part changes with a carry
  logic [15:0] iv_left_q, iv_bytes_q;
  logic iv_last_q;  // at most 16 bytes are left
  logic text_seen_q, partial_q, out_seen_q, beat_seen_q;
  logic j0_sent_q;  // it went with an earlier beat

  // ---- a new command
  logic closing;  // the packet under way ends in this cycle
  logic start, tag_length_good, iv_taken, iv_short;
  logic [127:0] tag_mask, iv_mask;

  assign start = command_valid_i && !command_blocked_i && (state_q[IDLE] || closing);
  assign tag_length_good = command_i.tag_bytes == 5'd4 || command_i.tag_bytes == 5'd8
      || (command_i.tag_bytes >= 5'd12 && command_i.tag_bytes <= 5'd16);
  assign iv_short = command_i.iv_bytes == 16'd12;
  assign iv_taken = iv_short || (AnyIv && command_i.iv_bytes != '0);

  always_comb begin
    for (int i = 0; i < 16; i++) begin
      tag_mask[127-8*i-:8] = {8{command_i.decrypt && 5'(i) < command_i.tag_bytes}};
      iv_mask[127-8*i-:8]  = {8{!iv_last_q || 5'(i) < iv_left_q[4:0]}};
    end
  end

  logic [Lanes-1:0] lane_used, lane_full;
  for (genvar l = 0; l < Lanes; l++) begin : gen_used
    assign lane_used[l] = in_keep_i[16*l];
    assign lane_full[l] = in_keep_i[16*l+15];
  end

  // ---- AAD beside the beat, moved to the last of its lanes
  logic side, side_bad;
  logic [SideWidth-1:0] side_bytes;
  logic [SideLanes*128-1:0] side_data;


  if (AadLanes > 0) begin : gen_side
    localparam int BlocksWidth = $clog2(AadLanes + 1);
    logic [BlocksWidth-1:0] blocks;
    logic [SideLanes*16-1:0] side_mask;
    logic [SideLanes*128-1:0] kept;

    assign side_mask = in_side_keep_i >> 1;
    assign side      = in_side_keep_i != '0;
    assign side_bad  = |(side_mask & ~in_side_keep_i)
        || (side && (beat_seen_q || (!in_text_i && !in_null_i)));

    always_comb begin
      blocks     = '0;
      side_bytes = '0;
      for (int l = 0; l < AadLanes; l++)
        if (in_side_keep_i[16*l]) blocks = blocks + BlocksWidth'(1);
      for (int i = 0; i < 16 * AadLanes; i++) begin
        if (in_side_keep_i[i]) side_bytes = side_bytes + SideWidth'(1);
        kept[AadLanes*128-1-8*i-:8] = in_side_i[AadLanes*128-1-8*i-:8] & {8{in_side_keep_i[i]}};
      end
      side_data = '0;
      for (int b = 1; b <= AadLanes; b++)
        if (blocks == BlocksWidth'(b)) side_data = kept >> (128 * (AadLanes - b));
    end
  end else begin : gen_no_side
    logic unused;
    assign unused     = &{1'b0, in_side_i, in_side_keep_i, beat_seen_q};
    assign side       = 1'b0;
    assign side_bad   = 1'b0;
    assign side_bytes = '0;
    assign side_data  = '0;
  end

  // ---- the data beat
  logic [CountWidth-1:0] count;
  logic [2*LaneLeaves*CountWidth-1:CountWidth] sums;  // a tree: node n adds nodes 2n and 2n + 1
  logic [15:0] tail_keep;
  logic [3:0] tail;
  logic [Bytes-1:0] keep_mask;
  logic full_beat, empty_beat, holes, close_here, j0_here, bad_frame, text_beat, two_values;
  logic has_stream, more_streams, wrong_beats;  // with Ahead: this beat, one after it; too few or many
  logic [Lanes*128-1:0] data;

  assign count = sums[CountWidth+:CountWidth];
  for (genvar n = 1; n < LaneLeaves; n++) begin : gen_sum
    assign sums[n*CountWidth+:CountWidth] = sums[2*n*CountWidth+:CountWidth]
        + sums[(2*n+1)*CountWidth+:CountWidth];
  end
  for (genvar l = 0; l < LaneLeaves; l++) begin : gen_leaf
    assign sums[(LaneLeaves+l)*CountWidth+:CountWidth] =
        l < Lanes ? CountWidth'(lane_used[l%Lanes]) : '0;
  end

  always_comb begin
    tail_keep = '0;
    for (int l = 0; l < Lanes; l++) begin
      if (lane_used[l] && !lane_full[l]) tail_keep = tail_keep | in_keep_i[16*l+:16];
    end
    // The tail block is full unless some lane is cut short, behind the last byte without a hole.
    tail = tail_keep == '0 ? 4'd15 : '0;
    for (int i = 1; i < 15; i++) if (tail_keep[i] && !tail_keep[i+1]) tail = tail | 4'(i);
    for (int i = 0; i < Bytes; i++)
      data[Lanes*128-1-8*i-:8] = in_data_i[Lanes*128-1-8*i-:8] & {8{in_keep_i[i]}};
  end

  assign full_beat  = in_keep_i[Bytes-1];
  assign empty_beat = in_null_i && !side;
  assign keep_mask  = in_keep_i >> 1;
  assign holes      = |(keep_mask & ~in_keep_i);
  assign bad_frame  = holes || side_bad || wrong_beats || (text_seen_q && !in_text_i)
      || (partial_q && in_text_i == text_seen_q);
  assign text_beat  = in_text_i && !in_null_i;

  // ---- counters of the beat; byte 15 carries in this lane or in one before it
  logic [Lanes-1:0] carried, counted;  // counted: has a block of data, for its counter
  logic [Lanes*8-1:0] low;
  logic [23:0] upper_next;

  for (genvar l = 0; l < Lanes; l++) begin : gen_counter
    assign {carried[l], low[8*l+:8]} = {1'b0, counter_q[7:0]} + 9'(l);
    assign counted[l] = text_beat && CountWidth'(l) < count;
  end
  gcm_increment #(
      .Width(24)
  ) u_upper_next (
      .clk    (clk),
      .value_i(counter_q[31:8]),
      .next_o (upper_next)
  );
  assign two_values = CounterSharing && |(carried & counted);

  // ---- whether J0 and the packet's end go with this beat
  logic lane_free;
  assign lane_free = in_short_i && !two_values;

  if (Ahead) begin : gen_behind
    // J0 follows the text's blocks, in every lane.
    assign j0_here    = in_short_i && !text_beat && !more_streams;
    assign close_here = j0_here;
    logic unused;
    assign unused = &{1'b0, j0_sent_q, lane_free};
  end else if (OwnJ0) begin : gen_own_j0
    assign j0_here    = in_last_i;
    assign close_here = in_last_i;
    logic unused;
    assign unused = &{1'b0, j0_sent_q, lane_free};
  end else if (OwnTail) begin : gen_own_tail
    assign j0_here    = !j0_sent_q && (!text_beat || lane_free);
    assign close_here = in_last_i && (j0_sent_q || j0_here);
  end else begin : gen_shared
    assign j0_here    = lane_free;
    assign close_here = lane_free;
    logic unused;
    assign unused = &{1'b0, j0_sent_q};
  end

  // ---- the slot of this cycle
  logic data_slot, fire, close_slot;
  logic drain_slot, drains;  // takes a key stream for which no text came; and can in this cycle
  logic [1:0] kind;
  logic final_slot, j0_slot, uses_aes, want;
  logic [2:0] status;

  assign data_slot  = state_q[DATA] && !subkey_want_i && in_valid_i
      && (!empty_beat || in_last_i);
  assign drain_slot = state_q[CLOSE] && more_streams;
  assign close_slot = state_q[CLOSE] && !drain_slot;
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
    end else if (AnyIv && (state_q[IV] || state_q[IV_LENGTH])) begin
      kind       = gcm_pkg::SLOT_IV;
      final_slot = state_q[IV_LENGTH];
      want       = command_valid_i || final_slot;
    end
  end

  // ---- beats of text that the command said, and that are still to come
  if (Ahead) begin : gen_said
    // The AES holds less than 64 beats. Of more that were said and do not come, gcm_ahead has still to
    // make some when it stands still, and does not make them then.
    logic [31:0] left_q;          // in two halves, so that no borrow is long
    logic more_q, one_q;          // there are some; it is one
    logic many_q, settled_q;      // more than the AES can have; and that is known
    logic cut_q, was_cut_q;       // those that are not made are taken off; they were
    logic [5:0] made;             // the others, behind this cycle
    logic takes;

    assign made         = left_q[5:0] - ahead_left_i + 6'(!ahead_still_i);
    assign takes        = fire && (drain_slot || (data_slot && text_beat && more_q));
    assign has_stream   = more_q;
    assign more_streams = more_q && !(state_q[DATA] && text_beat && one_q);
    assign wrong_beats  = (text_beat && !more_q) || (in_last_i && more_streams);
    assign drains       = settled_q && !many_q;
    assign ahead_cut_o  = cut_q;

    always_ff @(posedge clk)
      if (rst) begin
        settled_q <= 1'b0;
        cut_q     <= 1'b0;
        was_cut_q <= 1'b0;
      end else begin
        settled_q <= state_q[CLOSE] && more_q;
        cut_q     <= settled_q && many_q && ahead_still_i && !cut_q && !was_cut_q;
        was_cut_q <= cut_q;
      end
    always_ff @(posedge clk) many_q <= left_q[31:6] != '0;

    always_ff @(posedge clk)
      if (start) begin
        left_q <= command_i.text_beats;
        more_q <= command_i.text_beats != '0;
        one_q  <= command_i.text_beats == 32'd1;
      end else if (cut_q) begin
        left_q <= {26'b0, made};
      end else if (was_cut_q) begin
        more_q <= left_q[5:0] != '0;
        one_q  <= left_q[5:0] == 6'd1;
      end else if (takes) begin
        left_q[15:0] <= left_q[15:0] - 16'd1;
        if (left_q[15:0] == '0) left_q[31:16] <= left_q[31:16] - 16'd1;
        more_q <= !one_q;
        one_q  <= left_q == 32'd2;
      end

    // synthesis translate_off
    always_ff @(posedge clk) cut_to_what_is_made : assert (rst || !cut_q || made < 6'd60);
    // synthesis translate_on
  end else begin : gen_not_said
    logic unused;
    assign unused       = &{1'b0, command_i.text_beats, ahead_still_i, ahead_left_i};
    assign has_stream   = 1'b1;
    assign more_streams = 1'b0;
    assign wrong_beats  = 1'b0;
    assign drains       = 1'b0;
    assign ahead_cut_o  = 1'b0;
  end

  // ---- the counter moves on, behind a beat or from J0; its upper part stands for two cycles at least
  logic counts, low_carry;
  logic [7:0] low_next;
  assign counts = (AnyIv && state_q[IV_COUNT]) || (fire && data_slot && text_beat);
  assign {low_carry, low_next} = {1'b0, counter_q[7:0]}
      + (AnyIv && state_q[IV_COUNT] ? 9'd1 : 9'(Lanes));

  // One word for slots and AES: where the AES takes a beat a cycle, a slot without blocks for it waits
  // for it, too. That costs no cycle: it stands still only when nothing passes behind it either.
  logic aes_clear, go;
  assign aes_clear      = aes_ready_i || (AesWaits && !uses_aes);
  assign go             = slot_ready_i && aes_clear;
  assign fire           = want && go;
  assign closing        = go && !subkey_want_i
      && (close_slot || (state_q[DATA] && in_valid_i && close_here));
  assign slot_valid_o   = want && aes_clear;
  assign aes_valid_o    = want && uses_aes && slot_ready_i;
  assign subkey_taken_o = fire && subkey_want_i;

  // A beat without a single byte that does not end its packet needs no slot.
  assign in_ready_o = state_q[DATA] && !subkey_want_i && (go || (empty_beat && !in_last_i));

  logic taken;  // the beat
  assign taken = in_valid_i && in_ready_o;

  always_comb begin
    command_ready_o = 1'b0;
    if (state_q[IV]) command_ready_o = fire && kind == gcm_pkg::SLOT_IV;
    else if (!Ahead && state_q[IV_DROP]) command_ready_o = 1'b1;
    else if (start) command_ready_o = iv_short || !iv_taken;
  end

  logic leave;  // the state is left
  logic [States-1:0] follows;

  always_comb begin
    leave   = 1'b0;
    follows = States'(1) << IDLE;
    if (state_q[IV]) begin
      leave   = command_ready_o && iv_last_q;
      follows = States'(1) << IV_LENGTH;
    end
    if (state_q[IV_LENGTH]) begin
      leave   = fire && kind == gcm_pkg::SLOT_IV;
      follows = States'(1) << IV_WAIT;
    end
    if (state_q[IV_WAIT]) begin
      leave   = j0_valid_i || !AnyIv;
      follows = States'(1) << IV_STEP;
    end
    if (state_q[IV_STEP]) begin
      leave   = 1'b1;
      follows = States'(1) << IV_COUNT;
    end
    if (state_q[IV_COUNT] || (!Ahead && state_q[IV_DROP])) begin
      leave   = state_q[IV_COUNT] || (command_valid_i && iv_last_q);
      follows = States'(1) << DATA;
    end
    if (state_q[DATA]) begin
      leave   = taken && in_last_i;
      follows = States'(1) << (close_here ? IDLE : CLOSE);
    end
    if (state_q[CLOSE]) leave = closing;
    state_d = leave ? follows : state_q;
    if (start) begin
      if (iv_short) state_d = States'(1) << DATA;
      else if (iv_taken) state_d = States'(1) << IV;
      else state_d = States'(1) << (!Ahead && command_i.iv_bytes > 16'd16 ? IV_DROP : DATA);
    end
  end

  always_ff @(posedge clk)
    if (rst) state_q <= States'(1) << IDLE;
    else state_q <= state_d;

  always_ff @(posedge clk) begin
    if (start) begin
      context_q   <= command_i.context_id;
      decrypt_q   <= command_i.decrypt;
      size_q      <= size_i;
      tag_q       <= command_i.tag & tag_mask;
      tag_bytes_q <= command_i.tag_bytes;
      iv_bytes_q  <= command_i.iv_bytes;
      status_q    <= command_i.is_void ? gcm_pkg::STATUS_BAD_FRAME
                   : !usable_i ? gcm_pkg::STATUS_NO_KEY
                   : !iv_taken ? gcm_pkg::STATUS_BAD_IV
                   : !tag_length_good ? gcm_pkg::STATUS_BAD_TAG_LENGTH : gcm_pkg::STATUS_OK;
    end else if (status_q == gcm_pkg::STATUS_OK && ((taken && bad_frame)
        || (command_valid_i && command_ready_o && command_i.is_void)))
      status_q <= gcm_pkg::STATUS_BAD_FRAME;

    if (start) begin
      iv_left_q <= AnyIv ? command_i.iv_bytes : command_i.iv_bytes - 16'd16;  // the first is dropped
      iv_last_q <= command_i.iv_bytes <= (AnyIv ? 16'd16 : 16'd32);
    end else if (command_valid_i && command_ready_o) begin
      iv_left_q <= iv_left_q - 16'd16;
      iv_last_q <= iv_left_q <= 16'd32;
    end

    if (start && iv_short) begin
      j0_q      <= {command_i.iv[127:32], 32'd1};
      counter_q <= 32'd2;
    end else if (AnyIv && state_q[IV_WAIT]) begin  // right when j0_valid_i ends the wait
      j0_q      <= j0_i;
      counter_q <= j0_i[31:0];
    end else if (counts) begin
      counter_q[7:0] <= low_next;
      if (low_carry) counter_q[31:8] <= upper_next;
    end

    if (start) begin
      text_seen_q <= 1'b0;
      partial_q   <= 1'b0;
      out_seen_q  <= 1'b0;
      beat_seen_q <= 1'b0;
      j0_sent_q   <= 1'b0;
    end else if (taken) begin
      text_seen_q <= text_seen_q || in_text_i || side;
      partial_q   <= !full_beat;
      out_seen_q  <= out_seen_q || text_beat;
      beat_seen_q <= 1'b1;
      j0_sent_q   <= j0_sent_q || j0_slot;
    end
  end

  // ---- counter blocks and data, lane by lane; J0 has the lane after the last block, beside AAD with
  // OwnTail the first one, and those that need no counter take their upper bytes from it
  logic first_lane;
  assign first_lane = close_slot || (OwnTail && kind == gcm_pkg::SLOT_AAD);
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int Low = (Lanes - 1 - l) * 128;
    logic has_j0;
    logic [23:0] upper;
    logic [127:0] block;

    assign has_j0 = j0_slot && !OwnJ0 && (first_lane ? l == 0 : count == CountWidth'(l));
    assign upper = j0_slot && !OwnJ0 && (close_slot || !counted[l]) ? j0_q[31:8]
        : carried[l] ? upper_next : counter_q[31:8];
    assign aes_blocks_o[Low+128*J0Lanes+:128] = subkey_want_i ? 128'b0
        : {j0_q[127:32], upper, has_j0 ? j0_q[7:0] : low[8*l+:8]};

    if (l == 0) begin : gen_first
      always_comb begin
        block = data[Low+:128];
        if (state_q[IV]) block = command_i.iv & iv_mask;
        if (state_q[IV_LENGTH]) block = {109'b0, iv_bytes_q, 3'b0};
      end
    end else begin : gen_other
      assign block = data[Low+:128];
    end
    assign slot_o.data[Low+128*(SlotLanes-Lanes)+:128] = has_j0 && !OwnTail ? tag_q : block;
  end
  if (OwnJ0) begin : gen_j0_lane
    assign aes_blocks_o[127:0] = j0_q;
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

  // Text that has begun to leave is always brought to an end, even by a beat without a byte.
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
