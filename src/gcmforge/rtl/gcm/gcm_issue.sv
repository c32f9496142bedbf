// SPDX-License-Identifier: Apache-2.0
// Turns commands and data beats into slots: one slot a cycle into the slot queue, its counter blocks
// into the AES beside it.
//
// A packet's closing slot carries E(K, J0) for the tag and the length block for GHASH. They ride in
// the first free lane of the packet's last beat; only when that beat is full do they take a slot of
// their own. The expected tag travels in the same lane as data, so that adding the key stream gives
// E(K, J0) + tag, and what GHASH must equal for the packet to be authentic.
//
// With CounterSharing the blocks of a beat share bytes 0 to 11, and bytes 12 to 14 have at most two
// values, that of the first lane and that of the last. Counters take the second one behind a carry out
// of byte 15; J0 takes it in the closing lane, so J0 does not ride in a beat of text that has a carry
// before the closing lane.
//
// Latency: combinational from the input beat to the slot. Throughput: one beat a cycle; a packet of
// b beats takes b slots, or b + 1 when its last beat has a block, whole or not, in every lane, or,
// with CounterSharing, when it is of text and its last counter has a smaller byte 15 than its first.
// An IV that is not 96 bits takes one slot for each of its blocks, one for its length, and the wait
// for its hash.
module gcm_issue #(
    parameter int Lanes = 1,
    parameter int Contexts = 1,
    parameter bit AnyIv = 1'b1,           // IVs other than 96 bits
    parameter bit CounterSharing = 1'b0,  // blocks of a beat as aes_front_shared wants them
    localparam int Bytes = 16 * Lanes,
    localparam int CountWidth = $clog2(Lanes + 1),
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                    clk,
    input  logic                    rst,
    // oldest command beat
    input  logic                    command_valid_i,
    input  logic                    command_blocked_i,
    output logic                    command_ready_o,
    input  logic [ContextWidth-1:0] command_context_i,
    input  logic                    command_decrypt_i,
    input  logic [           127:0] command_tag_i,
    input  logic [             4:0] command_tag_bytes_i,
    input  logic [            15:0] command_iv_bytes_i,
    input  logic [           127:0] command_iv_i,
    // data beats: keep bit i is byte i, byte 0 on top of the data
    input  logic                    in_valid_i,
    output logic                    in_ready_o,
    input  logic [   Lanes*128-1:0] in_data_i,
    input  logic [       Bytes-1:0] in_keep_i,
    input  logic                    in_text_i,
    input  logic                    in_last_i,
    // what the command's context holds
    input  logic                    usable_i,
    input  logic [             1:0] size_i,
    // a context being loaded asks for its hash subkey
    input  logic                    subkey_want_i,
    output logic                    subkey_taken_o,
    input  logic [ContextWidth-1:0] subkey_context_i,
    input  logic [             1:0] subkey_size_i,
    // GHASH of an IV
    input  logic                    j0_valid_i,
    input  logic [           127:0] j0_i,
    // counter blocks to the AES
    output logic                    aes_valid_o,
    input  logic                    aes_ready_i,
    output logic [ContextWidth-1:0] aes_context_o,
    output logic [             1:0] aes_size_o,
    output logic [   Lanes*128-1:0] aes_blocks_o,
    // slots
    output logic                    slot_valid_o,
    input  logic                    slot_ready_i,
    output logic [             1:0] slot_kind_o,
    output logic                    slot_aes_o,       // has counter blocks in the AES
    output logic                    slot_final_o,     // closes its packet, or its IV
    output logic [ContextWidth-1:0] slot_context_o,
    output logic                    slot_decrypt_o,
    output logic [             2:0] slot_status_o,
    output logic [             4:0] slot_tag_bytes_o,
    output logic [  CountWidth-1:0] slot_count_o,     // blocks of data
    output logic [             3:0] slot_tail_o,      // bytes in the last of them, less one
    output logic                    slot_out_o,       // gives a beat of text out
    output logic                    slot_out_last_o,
    output logic [   Lanes*128-1:0] slot_data_o       // bytes outside keep are zero
);
  typedef enum logic [2:0] {
    ISSUE_IDLE,
    ISSUE_IV,         // blocks of an IV into GHASH
    ISSUE_IV_LENGTH,  // and its length block
    ISSUE_IV_WAIT,    // for J0
    ISSUE_IV_DROP,    // the beats of an IV that this core does not take
    ISSUE_DATA,
    ISSUE_CLOSE       // the closing slot, when the last beat left no lane for it
  } state_t;

  state_t state_q, state_d;

  // ---- the packet under way
  logic [ContextWidth-1:0] context_q;
  logic decrypt_q;
  logic [1:0] size_q;
  logic [127:0] tag_q;  // expected, cut to its length; zero when encrypting
  logic [4:0] tag_bytes_q;
  logic [2:0] status_q;  // the first error so far
  logic [127:0] j0_q;
  logic [31:0] counter_q;  // of lane 0 in the next beat of text
  logic [15:0] iv_left_q, iv_bytes_q;
  logic text_seen_q, partial_q, out_seen_q;

  // ---- a new command
  logic closing;  // the packet under way ends in this cycle
  logic start, tag_length_good, iv_taken, iv_short;
  logic [127:0] tag_mask, iv_mask;

  assign start = command_valid_i && !command_blocked_i && (state_q == ISSUE_IDLE || closing);
  assign tag_length_good = command_tag_bytes_i == 5'd4 || command_tag_bytes_i == 5'd8
      || (command_tag_bytes_i >= 5'd12 && command_tag_bytes_i <= 5'd16);
  assign iv_short = command_iv_bytes_i == 16'd12;
  assign iv_taken = iv_short || (AnyIv && command_iv_bytes_i != '0);

  always_comb begin
    for (int i = 0; i < 16; i++) begin
      tag_mask[127-8*i-:8] = {8{command_decrypt_i && 5'(i) < command_tag_bytes_i}};
      iv_mask[127-8*i-:8]  = {8{16'(i) < iv_left_q}};
    end
  end

  // ---- the data beat
  logic [Lanes-1:0] lane_used, lane_full;
  logic [CountWidth-1:0] count;
  logic [15:0] tail_keep;
  logic [3:0] tail;
  logic [Bytes-1:0] keep_mask;
  logic full_beat, null_beat, holes, close_here, bad_frame, text_beat, two_values;
  logic [Lanes*128-1:0] data;

  always_comb begin
    count     = '0;
    tail_keep = '0;
    for (int l = 0; l < Lanes; l++) begin
      lane_used[l] = in_keep_i[16*l];
      lane_full[l] = in_keep_i[16*l+15];
      if (lane_used[l]) count = count + CountWidth'(1);
      if (lane_used[l] && !lane_full[l]) tail_keep = tail_keep | in_keep_i[16*l+:16];
    end
    tail = 4'd15;  // the tail block is full unless some lane is cut short
    if (tail_keep != '0) begin
      tail = '0;
      for (int i = 1; i < 16; i++) if (tail_keep[i]) tail = tail + 4'd1;
    end
    for (int i = 0; i < Bytes; i++)
      data[Lanes*128-1-8*i-:8] = in_data_i[Lanes*128-1-8*i-:8] & {8{in_keep_i[i]}};
  end

  assign full_beat = in_keep_i[Bytes-1];
  assign null_beat = in_keep_i == '0;
  assign keep_mask = in_keep_i >> 1;
  assign holes     = |(keep_mask & ~in_keep_i);
  assign bad_frame = holes || (text_seen_q && !in_text_i) || (partial_q && in_text_i == text_seen_q);
  assign text_beat  = in_text_i && !null_beat;

  // ---- counters of the beat; byte 15 carries in this lane or in one before it
  logic [Lanes-1:0] carried, counted;  // counted: has a block of data, for its counter
  logic [Lanes*8-1:0] low;
  logic [23:0] upper_next;

  for (genvar l = 0; l < Lanes; l++) begin : gen_counter
    assign {carried[l], low[8*l+:8]} = {1'b0, counter_q[7:0]} + 9'(l);
    assign counted[l] = text_beat && CountWidth'(l) < count;
  end
  assign upper_next = counter_q[31:8] + 24'd1;
  assign two_values = CounterSharing && |(carried & counted);
  assign close_here = in_last_i && count != CountWidth'(Lanes) && !two_values;

  // ---- the slot of this cycle
  logic data_slot, fire, close_slot;
  logic [1:0] kind;
  logic final_slot, uses_aes, want;
  logic [2:0] status;

  assign data_slot  = state_q == ISSUE_DATA && !subkey_want_i && in_valid_i
      && (!null_beat || in_last_i);
  assign close_slot = state_q == ISSUE_CLOSE;
  assign status     = status_q != gcm_pkg::STATUS_OK ? status_q
                    : data_slot && bad_frame ? gcm_pkg::STATUS_BAD_FRAME : gcm_pkg::STATUS_OK;

  always_comb begin
    kind       = gcm_pkg::SLOT_TEXT;
    final_slot = 1'b0;
    uses_aes   = 1'b0;
    want       = 1'b0;
    if (subkey_want_i) begin
      kind     = gcm_pkg::SLOT_KEY;
      uses_aes = 1'b1;
      want     = 1'b1;
    end else if (close_slot) begin
      final_slot = 1'b1;
      uses_aes   = 1'b1;
      want       = 1'b1;
    end else if (data_slot) begin
      kind       = in_text_i ? gcm_pkg::SLOT_TEXT : gcm_pkg::SLOT_AAD;
      final_slot = close_here;
      uses_aes   = text_beat || close_here;
      want       = 1'b1;
    end else if (state_q == ISSUE_IV || state_q == ISSUE_IV_LENGTH) begin
      kind       = gcm_pkg::SLOT_IV;
      final_slot = state_q == ISSUE_IV_LENGTH;
      want       = command_valid_i || final_slot;
    end
  end

  assign fire           = want && slot_ready_i && (!uses_aes || aes_ready_i);
  assign closing        = fire && final_slot && kind != gcm_pkg::SLOT_IV;
  assign slot_valid_o   = want && (!uses_aes || aes_ready_i);
  assign aes_valid_o    = want && uses_aes && slot_ready_i;
  assign subkey_taken_o = fire && subkey_want_i;

  // A beat without a single byte that does not end its packet needs no slot.
  assign in_ready_o = state_q == ISSUE_DATA && !subkey_want_i
      && ((slot_ready_i && (!uses_aes || aes_ready_i)) || (null_beat && !in_last_i));

  always_comb begin
    command_ready_o = 1'b0;
    if (state_q == ISSUE_IV) command_ready_o = fire && kind == gcm_pkg::SLOT_IV;
    else if (state_q == ISSUE_IV_DROP) command_ready_o = 1'b1;
    else if (start) command_ready_o = iv_short || !iv_taken;
  end

  always_comb begin
    state_d = state_q;
    case (state_q)
      ISSUE_IV: if (command_ready_o && iv_left_q <= 16'd16) state_d = ISSUE_IV_LENGTH;
      ISSUE_IV_LENGTH: if (fire && kind == gcm_pkg::SLOT_IV) state_d = ISSUE_IV_WAIT;
      ISSUE_IV_WAIT: if (j0_valid_i) state_d = ISSUE_DATA;
      ISSUE_IV_DROP: if (command_valid_i && iv_left_q <= 16'd16) state_d = ISSUE_DATA;
      ISSUE_DATA:
      if (in_valid_i && in_ready_o && in_last_i) begin
        if (close_here) state_d = ISSUE_IDLE;
        else state_d = ISSUE_CLOSE;
      end
      ISSUE_CLOSE: if (closing) state_d = ISSUE_IDLE;
      default: state_d = ISSUE_IDLE;
    endcase
    if (start) begin
      if (iv_short) state_d = ISSUE_DATA;
      else if (iv_taken) state_d = ISSUE_IV;
      else if (command_iv_bytes_i > 16'd16) state_d = ISSUE_IV_DROP;
      else state_d = ISSUE_DATA;
    end
  end

  always_ff @(posedge clk)
    if (rst) state_q <= ISSUE_IDLE;
    else state_q <= state_d;

  always_ff @(posedge clk) begin
    if (start) begin
      context_q   <= command_context_i;
      decrypt_q   <= command_decrypt_i;
      size_q      <= size_i;
      tag_q       <= command_tag_i & tag_mask;
      tag_bytes_q <= command_tag_bytes_i;
      iv_bytes_q  <= command_iv_bytes_i;
      status_q    <= !usable_i ? gcm_pkg::STATUS_NO_KEY
                   : !iv_taken ? gcm_pkg::STATUS_BAD_IV
                   : !tag_length_good ? gcm_pkg::STATUS_BAD_TAG_LENGTH : gcm_pkg::STATUS_OK;
    end else if (in_valid_i && in_ready_o && bad_frame && status_q == gcm_pkg::STATUS_OK)
      status_q <= gcm_pkg::STATUS_BAD_FRAME;

    if (start) iv_left_q <= iv_taken ? command_iv_bytes_i : command_iv_bytes_i - 16'd16;
    else if (command_valid_i && command_ready_o) iv_left_q <= iv_left_q - 16'd16;

    if (start && iv_short) begin
      j0_q      <= {command_iv_i[127:32], 32'd1};
      counter_q <= 32'd2;
    end else if (state_q == ISSUE_IV_WAIT && j0_valid_i) begin
      j0_q      <= j0_i;
      counter_q <= j0_i[31:0] + 32'd1;
    end else if (fire && data_slot && text_beat) counter_q <= counter_q + 32'(Lanes);

    if (start) begin
      text_seen_q <= 1'b0;
      partial_q   <= 1'b0;
      out_seen_q  <= 1'b0;
    end else if (in_valid_i && in_ready_o) begin
      text_seen_q <= text_seen_q || in_text_i;
      partial_q   <= !full_beat;
      out_seen_q  <= out_seen_q || text_beat;
    end
  end

  // ---- counter blocks and data, lane by lane; the closing lane is the one after the last block, and
  // those that need no counter take their upper bytes from J0 as it does
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int Low = (Lanes - 1 - l) * 128;
    logic closes;
    logic [23:0] upper;
    logic [127:0] block;

    assign closes = final_slot && kind != gcm_pkg::SLOT_IV
        && (close_slot ? l == 0 : count == CountWidth'(l));
    assign upper = final_slot && (close_slot || !counted[l]) ? j0_q[31:8]
        : carried[l] ? upper_next : counter_q[31:8];
    assign aes_blocks_o[Low+:128] = subkey_want_i ? 128'b0
        : {j0_q[127:32], upper, closes ? j0_q[7:0] : low[8*l+:8]};

    if (l == 0) begin : gen_first
      always_comb begin
        block = data[Low+:128];
        if (state_q == ISSUE_IV) block = command_iv_i & iv_mask;
        if (state_q == ISSUE_IV_LENGTH) block = {109'b0, iv_bytes_q, 3'b0};
      end
    end else begin : gen_other
      assign block = data[Low+:128];
    end
    assign slot_data_o[Low+:128] = closes ? tag_q : block;
  end

  assign aes_context_o    = subkey_want_i ? subkey_context_i : context_q;
  assign aes_size_o       = subkey_want_i ? subkey_size_i : size_q;
  assign slot_kind_o      = kind;
  assign slot_aes_o       = uses_aes;
  assign slot_final_o     = final_slot;
  assign slot_context_o   = aes_context_o;
  assign slot_decrypt_o   = decrypt_q;
  assign slot_status_o    = status;
  assign slot_tag_bytes_o = tag_bytes_q;
  assign slot_count_o     = kind == gcm_pkg::SLOT_IV ? CountWidth'(1) : close_slot ? '0 : count;
  assign slot_tail_o      = kind == gcm_pkg::SLOT_IV ? 4'd15 : tail;
  // Text that has begun to leave is always brought to an end, even by a beat without a byte.
  assign slot_out_last_o  = data_slot && in_last_i;
  assign slot_out_o       = data_slot && (text_beat || (in_last_i && out_seen_q));
endmodule
