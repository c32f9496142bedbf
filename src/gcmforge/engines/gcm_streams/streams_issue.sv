// SPDX-License-Identifier: Apache-2.0
// What each beat is: of which packet, under which key, IV and counter, and what is wrong with it.
// Each stream has a word in a memory for the packet that is open on it. A beat reads the word of
// its stream, and writes what it has become; a beat of the same stream right after it takes the
// word from the register instead. So streams may change with every beat, and need not.
//
// A command opens a packet. A packet that is open then ends with BAD_FRAME: a sender may break one
// off. Data of a stream without a packet is one that ends with BAD_FRAME, too.
//
// A command whose context loads a key waits, and everything after it. No packet of that context is
// open then, so nobody waits for what comes after it.
//
// Latency: 2 steps. Throughput: one beat a step, of any stream.
module streams_issue #(
    parameter int Streams = 4,
    parameter int Stages = 1,  // of a product in GHASH
    localparam int TidWidth = Streams > 1 ? $clog2(Streams) : 1,
    localparam int ContextWidth = gcm_pkg::CONTEXT_WIDTH,
    localparam int StatusWidth = gcm_pkg::STATUS_WIDTH,
    localparam int AadWidth = $clog2(gcm_pkg::MAX_AAD_BYTES / 16 + 1),    // whole blocks
    localparam int TextWidth = $clog2(gcm_pkg::MAX_TEXT_BYTES / 16 + 1),
    localparam int LengthsWidth = AadWidth + 4 + TextWidth + 4,  // bytes of AAD and of text
    // of a slot: opens, text, block, close, out, status, decrypt, tag bytes, bytes, context,
    // stream, lengths, turn, number
    localparam int FactWidth = 6 + StatusWidth + 5 + 5 + ContextWidth + TidWidth + LengthsWidth + 4
) (
    input  logic                    clk,
    input  logic                    rst,
    input  logic                    advance_i,
    // a beat of the bus, its first byte on top
    input  logic                    in_valid_i,
    output logic                    in_ready_o,
    input  logic [    TidWidth-1:0] in_tid_i,
    input  logic                    in_exists_i,   // there is such a stream
    input  logic                    in_command_i,
    input  logic                    in_text_i,
    input  logic                    in_wrong_i,    // a rule is broken, whatever came before
    input  logic                    in_last_i,
    input  logic [             4:0] in_count_i,    // bytes
    input  logic [           127:0] in_data_i,
    input  logic [           127:0] in_tag_i,
    // of a command, whose IV is the first 96 bits of data: its context, or another one where there
    // is none; it is the one that loads a key
    input  logic                    in_decrypt_i,
    input  logic [             4:0] in_tag_bytes_i,
    input  logic                    in_iv_good_i,
    input  logic [ContextWidth-1:0] in_context_i,
    input  logic                    in_has_context_i,
    input  logic                    in_loading_i,
    input  logic                    load_busy_i,
    // what the context of the beat holds that was taken a step ago
    output logic [ContextWidth-1:0] held_context_o,
    input  logic                    held_usable_i,
    input  logic [             1:0] held_size_i,
    // a beat leaves the first step; it is a command of the context that loads a key
    output logic                    gone_o,
    output logic                    gone_loading_o,
    // who uses a context: written with every beat
    output logic                    user_write_o,
    output logic                    user_command_o,  // a command has begun to use one
    output logic [    TidWidth-1:0] user_tid_o,
    output logic                    user_open_o,
    output logic [ContextWidth-1:0] user_context_o,
    output logic                    begun_o,         // after reset every stream has its word
    // a slot, and what the AES encrypts for it
    output logic                    valid_o,
    output logic [   FactWidth-1:0] facts_o,
    output logic [           127:0] data_o,
    output logic [           127:0] tag_o,
    output logic [ContextWidth-1:0] aes_context_o,
    output logic [             1:0] aes_size_o,
    output logic [           127:0] aes_block_o
);
  localparam logic [AadWidth-1:0] AAD_FULL = AadWidth'(gcm_pkg::MAX_AAD_BYTES / 16);
  localparam logic [TextWidth-1:0] TEXT_FULL = TextWidth'(gcm_pkg::MAX_TEXT_BYTES / 16);
  localparam logic [4:0] AAD_PART = 5'(gcm_pkg::MAX_AAD_BYTES % 16);
  localparam logic [4:0] TEXT_PART = 5'(gcm_pkg::MAX_TEXT_BYTES % 16);
  localparam logic [1:0] SMALLEST = gcm_pkg::KEY_SIZES[0] ? gcm_pkg::KEY_128
      : gcm_pkg::KEY_SIZES[1] ? gcm_pkg::KEY_192 : gcm_pkg::KEY_256;

  // The packet of a stream. Lengths are whole blocks; text that is no whole block is the last.
  typedef struct packed {
    logic                    open;
    logic                    keyed;     // it uses a context, which its command has named
    logic [ContextWidth-1:0] context_id;
    logic [1:0]              size;
    logic                    decrypt;
    logic [95:0]             iv;
    logic [4:0]              tag_bytes;
    logic [StatusWidth-1:0]  status;
    logic                    in_text;
    logic                    ended;     // its section cannot go on
    logic                    left;      // text has left
    logic [AadWidth-1:0]     aad_full;
    logic [3:0]              aad_part;
    logic [TextWidth-1:0]    text_full;
    logic [1:0]              turn;      // blocks so far, modulo the stages of GHASH
    logic [1:0]              number;    // blocks so far, 3 for more
  } packet_t;
  localparam int PacketWidth = 2 + ContextWidth + 2 + 1 + 96 + 5 + StatusWidth + 3 + AadWidth + 4
      + TextWidth + 4;

  // ---- after reset every stream gets a word
  logic [TidWidth-1:0] begin_q;
  logic begun_q;

  always_ff @(posedge clk)
    if (rst) begin
      begin_q <= '0;
      begun_q <= 1'b0;
    end else if (!begun_q) begin
      begin_q <= begin_q + TidWidth'(1);
      begun_q <= begin_q == TidWidth'(Streams - 1);
    end
  assign begun_o = begun_q;

  // ---- first step: the word is read
  logic waits, take;

  assign waits      = in_command_i && in_loading_i && load_busy_i;
  assign in_ready_o = advance_i && !waits;
  assign take       = in_valid_i && !waits;

  logic valid_q, exists_q, command_q, text_q, wrong_q, last_q, has_context_q, loading_q;
  logic again_q, asked_decrypt_q, iv_good_q;
  logic [4:0] tag_bytes_q;
  logic [TidWidth-1:0] tid_q;
  logic [4:0] count_q;
  logic [127:0] data_q, tag_q;
  logic [ContextWidth-1:0] context_q;

  always_ff @(posedge clk)
    if (rst) valid_q <= 1'b0;
    else if (advance_i) valid_q <= take;

  always_ff @(posedge clk)
    if (advance_i) begin
      again_q         <= valid_q && tid_q == in_tid_i;  // the slot before is of this stream
      tid_q           <= in_tid_i;
      exists_q        <= in_exists_i;
      command_q       <= in_command_i;
      text_q          <= in_text_i;
      wrong_q         <= in_wrong_i;
      last_q          <= in_last_i;
      count_q         <= in_count_i;
      data_q          <= in_data_i;
      tag_q           <= in_tag_i;
      asked_decrypt_q <= in_decrypt_i;
      tag_bytes_q     <= in_tag_bytes_i;
      iv_good_q       <= in_iv_good_i;
      context_q       <= in_context_i;
      has_context_q   <= in_has_context_i;
      loading_q       <= in_command_i && in_loading_i;
    end
  assign gone_o         = valid_q && advance_i;
  assign gone_loading_o = loading_q;

  assign held_context_o = in_context_i;

  logic [PacketWidth-1:0] found;
  packet_t was, next, made_q;  // made_q: what the slot before has made of its word
  logic write;

  gcm_ram #(
      .Width(PacketWidth),
      .Depth(Streams)
  ) u_packets (
      .clk         (clk),
      .write_i     (write || !begun_q),
      .write_addr_i(begun_q ? tid_q : begin_q),
      .write_data_i(begun_q ? next : PacketWidth'(0)),
      .read_i      (advance_i),
      .read_addr_i (in_exists_i ? in_tid_i : TidWidth'(0)),
      .read_data_o (found)
  );

  assign write = valid_q && exists_q && advance_i;
  assign was   = again_q ? made_q : found;

  // ---- what is wrong with a command
  logic decrypt, tag_good;
  logic [StatusWidth-1:0] asked, command_status;

  assign tag_good = tag_bytes_q == 5'd4 || tag_bytes_q == 5'd8
      || (tag_bytes_q >= 5'd12 && tag_bytes_q <= 5'd16);
  assign asked = !held_usable_i || !has_context_q ? gcm_pkg::STATUS_NO_KEY
      : !iv_good_q ? gcm_pkg::STATUS_BAD_IV
      : !tag_good ? gcm_pkg::STATUS_BAD_TAG_LENGTH
      : wrong_q ? gcm_pkg::STATUS_BAD_FRAME : gcm_pkg::STATUS_OK;

  streams_direction u_direction (
      .decrypt_i(asked_decrypt_q),
      .status_i (asked),
      .decrypt_o(decrypt),
      .status_o (command_status)
  );

  // ---- what is wrong with data
  logic some, full, bad, over, good, block, text;
  logic [StatusWidth-1:0] status;

  assign text = text_q && !command_q;
  assign some = count_q != '0;
  assign full = count_q[4];
  assign bad  = wrong_q || (was.in_text && !text_q) || (was.ended && text_q == was.in_text);
  assign over = text_q ? was.text_full == TEXT_FULL && count_q > TEXT_PART
                       : was.aad_full == AAD_FULL && count_q > AAD_PART;
  assign status = !exists_q || !was.open ? gcm_pkg::STATUS_BAD_FRAME
      : was.status != gcm_pkg::STATUS_OK ? was.status
      : command_q || bad ? gcm_pkg::STATUS_BAD_FRAME
      : over ? gcm_pkg::STATUS_TOO_LONG : gcm_pkg::STATUS_OK;
  assign good  = status == gcm_pkg::STATUS_OK;
  assign block = good && some;

  // ---- what ends, and what leaves
  logic close, left, out;
  assign left  = was.open && was.left;
  assign close = command_q ? exists_q && was.open : last_q;
  assign out   = exists_q && ((text && some) || (close && left));

  // ---- the packet afterwards
  logic [1:0] turn, number;  // with this block
  logic [AadWidth-1:0] aad_full;
  logic [TextWidth-1:0] text_full;
  logic [3:0] aad_part, text_part;

  assign turn      = was.turn == 2'(Stages - 1) ? 2'd0 : was.turn + 2'd1;
  assign number    = was.number == 2'd3 ? 2'd3 : was.number + 2'd1;
  assign aad_full  = was.aad_full + AadWidth'(good && !text_q && full);
  assign text_full = was.text_full + TextWidth'(good && text_q && full);
  assign aad_part  = text_q || full ? was.aad_part : count_q[3:0];
  assign text_part = text_q && !full ? count_q[3:0] : 4'd0;

  always_comb begin
    next = was;
    if (command_q) begin
      next.open       = 1'b1;
      next.keyed      = has_context_q;
      next.context_id = context_q;
      next.size       = held_usable_i && has_context_q ? held_size_i : SMALLEST;
      next.decrypt    = decrypt;
      next.iv         = data_q[127:32];
      next.tag_bytes  = tag_bytes_q;
      next.status     = command_status;
      next.in_text    = 1'b0;
      next.ended      = 1'b0;
      next.left       = 1'b0;
      next.aad_full   = '0;
      next.aad_part   = '0;
      next.text_full  = '0;
      next.turn       = '0;
      next.number     = '0;
    end else begin
      next.open      = !last_q;
      next.keyed     = was.open && was.keyed;
      next.status    = status;
      next.in_text   = text_q || (was.open && was.in_text);
      next.ended     = !full;
      next.left      = (text && some) || left;
      next.aad_full  = aad_full;
      next.aad_part  = aad_part;
      next.text_full = text_full;
      if (block) begin
        next.turn   = turn;
        next.number = number;
      end
    end
  end

  assign user_write_o   = write || !begun_q;
  assign user_command_o = command_q && has_context_q && begun_q;
  assign user_tid_o     = begun_q ? tid_q : begin_q;
  assign user_open_o    = next.open && next.keyed && begun_q;
  assign user_context_o = next.context_id;

  // ---- second step: the slot
  logic slot_q, first_q;
  logic [FactWidth-1:0] facts_q;
  logic [127:0] slot_data_q, slot_tag_q;
  logic [TextWidth-1:0] blocks_q;  // of text before this one

  always_ff @(posedge clk)
    if (rst) slot_q <= 1'b0;
    else if (advance_i) slot_q <= valid_q;

  always_ff @(posedge clk)
    if (advance_i) begin
      made_q  <= next;
      first_q <= command_q;
      // A command that breaks a packet off closes it with its own context: that tag is not shown.
      facts_q <= {
          command_q && exists_q, text, block && !command_q, close, out, status, was.decrypt,
          was.tag_bytes, count_q, next.context_id, tid_q, aad_full, aad_part, text_full, text_part,
          was.turn, was.number
      };
      slot_data_q <= data_q;
      slot_tag_q  <= tag_q;
      blocks_q    <= was.text_full;
    end

  assign valid_o       = slot_q;
  assign facts_o       = facts_q;
  assign data_o        = slot_data_q;
  assign tag_o         = slot_tag_q;
  assign aes_context_o = made_q.context_id;
  assign aes_size_o    = made_q.size;
  assign aes_block_o   = {made_q.iv, first_q ? 32'd1 : 32'(blocks_q) + 32'd2};
endmodule
