// SPDX-License-Identifier: Apache-2.0
// Key stream that is made before its text comes. Counter blocks go into the AES as soon as a
// command is there, for as many beats of text as the command announces, and then J0. The text then
// finds its key stream at the end of the AES, and no text waits for an encryption.
//
// Commands go on to gcm_issue in the order of their key streams, through gcm_ahead_commands, which
// has as many places as the configuration chose. What the AES has inside is known from valid_q: it
// moves when the oldest block was taken, or when there is none at its end. While it stands still no
// gap in it closes, so a command that comes late leaves as many places empty, and its text waits
// for so long.
//
// A packet may end with less text than its command announced. gcm_issue throws the key stream of
// the rest away. Most of a long rest is not made at all: gcm_issue cuts it once the AES stands
// still.
//
// The hash subkey of a key that is loaded takes its turn here, too. That needs a core of one
// context, or a key unit of its own: then no packet has blocks in the AES meanwhile, and the subkey
// waits for no text.
//
// Latency: 2 cycles from a command to its first counter, 1 to gcm_issue. Throughput: one beat a
// cycle; a packet with b beats of text takes b + 1, and 2 when it has none; with one place it takes
// 3 at least.
module gcm_ahead #(
    parameter int Lanes = 1,
    parameter int Contexts = 1,
    parameter int AesLatency = 12,  // cycles from a block to its key stream, without a pause
    parameter int Slots = 2,        // that gcm_slots_line holds
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                    clk,
    input  logic                    rst,
    // oldest command
    input  logic                    in_valid_i,
    input  logic                    in_blocked_i,
    output logic                    in_ready_o,
    input  logic [ContextWidth-1:0] in_context_i,
    input  logic                    in_decrypt_i,
    input  logic [           127:0] in_tag_i,
    input  logic [             4:0] in_tag_bytes_i,
    input  logic [            15:0] in_iv_bytes_i,   // 12, or 0 for every other length
    input  logic [           127:0] in_iv_i,
    input  logic [            31:0] in_text_beats_i,
    // what its context holds
    input  logic                    usable_i,
    input  logic [             1:0] size_i,
    // a context being loaded asks for its hash subkey
    input  logic                    subkey_want_i,
    input  logic [ContextWidth-1:0] subkey_context_i,
    input  logic [             1:0] subkey_size_i,
    // counter blocks to the AES, which moves with step_i
    input  logic                    step_i,
    output logic                    aes_valid_o,
    output logic [ContextWidth-1:0] aes_context_o,
    output logic [             1:0] aes_size_o,
    output logic [   Lanes*128-1:0] aes_blocks_o,
    output logic                    stream_soon_o,   // key stream is at its end in the next cycle
    // a packet that ends with less text than was announced
    output logic                    still_o,         // text's blocks wait to go in, and stand still
    output logic [             5:0] left_o,          // low bits of how many
    input  logic                    cut_i,           // they are not to: J0 is next
    // commands to gcm_issue
    output logic                    out_valid_o,
    input  logic                    out_ready_i,
    output logic [ContextWidth-1:0] out_context_o,
    output logic                    out_decrypt_o,
    output logic [           127:0] out_tag_o,
    output logic [             4:0] out_tag_bytes_o,
    output logic [            15:0] out_iv_bytes_o,  // as in_iv_bytes_i
    output logic [            31:0] out_text_beats_o,
    output logic                    out_usable_o
);
  // ---- a new command
  logic busy_q;   // a packet's blocks go in
  logic at_j0_q;  // the last of them
  logic told;     // the blocks of the oldest command may be made
  logic start, ends;

  assign ends  = busy_q && at_j0_q && step_i;
  assign start = told && (!busy_q || ends);

  localparam int OutWidth = ContextWidth + 1 + 128 + 5 + 1 + 32 + 1;
  logic [OutWidth-1:0] word_in, word_out;
  logic out_short;

  assign word_in = {
    in_context_i, in_decrypt_i, in_tag_i, in_tag_bytes_i, in_iv_bytes_i[2], in_text_beats_i,
    usable_i
  };
  assign {
    out_context_o, out_decrypt_o, out_tag_o, out_tag_bytes_o, out_short, out_text_beats_o,
    out_usable_o
  } = word_out;
  assign out_iv_bytes_o = out_short ? 16'd12 : '0;

  gcm_ahead_commands u_commands (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (in_valid_i && !in_blocked_i),
      .in_ready_o (in_ready_o),
      .in_data_i  (word_in),
      .told_o     (told),
      .start_i    (start),
      .out_valid_o(out_valid_o),
      .out_ready_i(out_ready_i),
      .out_data_o (word_out)
  );

  // ---- the packet whose blocks go in
  logic [ContextWidth-1:0] context_q;
  logic [1:0] size_q;
  logic [95:0] iv_q;
  logic [31:0] counter_q;  // of lane 0; its upper part stands for two cycles before it carries
  logic [31:0] left_q;     // beats of text
  logic low_carry;
  logic [7:0] low_next;
  logic [23:0] upper_next;

  assign {low_carry, low_next} = {1'b0, counter_q[7:0]} + 9'(Lanes);
  gcm_increment #(
      .Width(24)
  ) u_upper_next (
      .clk    (clk),
      .value_i(counter_q[31:8]),
      .next_o (upper_next)
  );

  always_ff @(posedge clk) begin
    if (start) begin
      context_q <= in_context_i;
      size_q    <= size_i;
      iv_q      <= in_iv_i[127:32];
      counter_q <= 32'd2;
      left_q    <= in_text_beats_i;
      at_j0_q   <= in_text_beats_i == '0;
    end else if (cut_i) begin
      at_j0_q   <= 1'b1;
    end else if (busy_q && step_i) begin
      counter_q[7:0] <= low_next;
      if (low_carry) counter_q[31:8] <= upper_next;
      left_q  <= left_q - 32'd1;
      at_j0_q <= left_q == 32'd1;
    end
  end

  // ---- its beats may be cut while they stand still. When gcm_issue asks for it, they are of its
  // packet. Of a later one they are not, for of its own there are more to come than the AES holds.
  // Of an earlier one neither: it has slots for all of that, which are still in gcm_slots_line, and
  // blocks of a packet stand without a gap. So where the oldest block in the AES is of the same
  // packet, those slots have their blocks in the AES, too; where it is another packet's, a slot of
  // that is in gcm_slots_line, as well, and there are no more of its own than have gone in already,
  // as below.
  //
  // Enough have gone in for all its slots: with another packet's block at the AES's end these are
  // one less than gcm_slots_line holds.
  logic [Slots-2:0] went_q;  // as many have
  always_ff @(posedge clk)
    if (start) went_q <= '0;
    else if (busy_q && step_i) went_q <= (Slots - 1)'({went_q, 1'b1});

  assign still_o = busy_q && went_q[Slots-2] && !at_j0_q && !step_i;
  assign left_o  = left_q[5:0];

  // ---- a hash subkey
  logic want_q, key_q;  // it was asked for; its block is to go in

  always_ff @(posedge clk)
    if (rst) begin
      busy_q <= 1'b0;
      want_q <= 1'b0;
      key_q  <= 1'b0;
    end else begin
      busy_q <= start || (busy_q && !ends);
      want_q <= subkey_want_i;
      key_q  <= (subkey_want_i && !want_q) || (key_q && !step_i);
    end

  // ---- blocks: counters, J0 in every lane, or zero
  assign aes_valid_o   = busy_q || key_q;
  assign aes_context_o = key_q ? subkey_context_i : context_q;
  assign aes_size_o    = key_q ? subkey_size_i : size_q;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic carried;
    logic [7:0] low;
    logic [31:0] counter;
    assign {carried, low} = {1'b0, counter_q[7:0]} + 9'(l);
    assign counter = at_j0_q ? 32'd1 : {carried ? upper_next : counter_q[31:8], low};
    assign aes_blocks_o[(Lanes-1-l)*128+:128] = key_q ? 128'b0 : {iv_q, counter};
  end

  // ---- what is in the AES
  logic [AesLatency-1:0] valid_q;

  always_ff @(posedge clk)
    if (rst) valid_q <= '0;
    else if (step_i) valid_q <= {valid_q[AesLatency-2:0], aes_valid_o};

  assign stream_soon_o = step_i ? valid_q[AesLatency-2] : valid_q[AesLatency-1];

  // synthesis translate_off
  int begun, taken;  // packets
  always_ff @(posedge clk) begin
    begun <= rst ? 0 : begun + int'(start);
    taken <= rst ? 0 : taken + int'(out_valid_o && out_ready_i);
    one_at_a_time : assert (rst || !(busy_q && key_q));
    cut_is_of_its_packet : assert (rst || !cut_i || begun == taken);
  end
  // synthesis translate_on

  logic unused;
  assign unused = &{1'b0, in_iv_i[31:0], in_iv_bytes_i};
endmodule
