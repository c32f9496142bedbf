// SPDX-License-Identifier: Apache-2.0
// The slots beside the AES. On their last two steps the bytes of a slot are counted, the packet's
// lengths added up and held against their limits, so that gcm_join finds all of it in registers: what
// a slot says comes out one step before its data.
//
//   what it says --> queue --> first --> lengths, limits, bytes kept --> out
//   data ---------> queue ---------------------------------------------> out
//
// The queue of what slots say does not see whether gcm_join takes one: axis_skid stands between.
//
// With InStep there are lines instead of queues: a slot moves one place on whenever those in the AES do,
// and is at the output Depth steps after it came in, with its key stream. Places without a slot move
// like the others, and nobody is to take them.
//
// Latency: 3 cycles, with InStep Depth steps. Throughput: one slot a cycle.
module gcm_slots #(
    parameter int Lanes = 1,
    parameter int AadLanes = 0,    // of gcm_issue
    parameter int Contexts = 1,
    parameter bit OwnTail = 1'b0,  // of gcm_issue
    parameter int Depth = 20,      // slots that are inside, 4 at least, 2 with InStep
    parameter bit InStep = 1'b0,   // out_ready_i moves all of them, each cycle in which it is high
                                   // and step_soon_i tells it a cycle ahead
    parameter longint unsigned MaxTextBytes = 64'd68719476704,  // SP 800-38D, section 5.2.1.1
    parameter longint unsigned MaxAadBytes = 64'd4294967295,
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
    input  logic                    in_valid_i,
    output logic                    in_ready_o,
    input  logic [             1:0] in_kind_i,
    input  logic                    in_aes_i,
    input  logic                    in_final_i,
    input  logic                    in_j0_i,
    input  logic [ContextWidth-1:0] in_context_i,
    input  logic                    in_decrypt_i,
    input  logic [             2:0] in_status_i,
    input  logic [             4:0] in_tag_bytes_i,
    input  logic [  CountWidth-1:0] in_count_i,
    input  logic [             3:0] in_tail_i,
    input  logic                    in_out_i,
    input  logic                    in_out_last_i,
    input  logic [   SideWidth-1:0] in_side_i,
    input  logic [SlotLanes*128-1:0] in_data_i,
    // the same, with what was counted
    output logic                    out_valid_o,
    input  logic                    out_ready_i,
    input  logic                    step_soon_i,
    output logic [             1:0] out_kind_o,
    output logic                    out_aes_o,
    output logic                    out_final_o,
    output logic                    out_j0_o,
    output logic [ContextWidth-1:0] out_context_o,
    output logic                    out_decrypt_o,
    output logic [             2:0] out_status_o,      // the packet's first error up to here
    output logic [             4:0] out_tag_bytes_o,
    output logic [  CountWidth-1:0] out_count_o,
    output logic                    out_out_o,
    output logic                    out_out_last_o,
    output logic                    out_side_o,        // there is AAD beside the beat
    output logic [       Bytes-1:0] out_keep_o,
    output logic                    out_hash_o,        // GHASH is to take it
    output logic                    out_tag_o,         // gcm_tag is to take it
    output logic [   HashWidth-1:0] out_hash_count_o,  // blocks for GHASH, the length block included
    output logic                    out_adds_lengths_o,
    output logic [            63:0] out_aad_bits_o,    // up to here
    output logic [            63:0] out_text_bits_o,
    output logic [SlotLanes*128-1:0] out_data_o,
    // the slot that is at the output in the next cycle, with InStep: who is to take it
    output logic                    next_out_o,
    output logic                    next_error_o,      // and that it is of a packet with an error
    output logic                    next_hash_o,
    output logic                    next_tag_o,
    output logic                    next_aes_o         // it has a key stream
);
  localparam int STEP = 16 * HashLanes;  // bytes of a slot in one section, at most
  localparam int StepWidth = $clog2(STEP + 1);

  typedef struct packed {
    logic [1:0]              kind;
    logic                    aes;
    logic                    closes;
    logic                    has_j0;
    logic [ContextWidth-1:0] context_id;
    logic                    decrypt;
    logic [2:0]              status;
    logic [4:0]              tag_bytes;
    logic [CountWidth-1:0]   count;
    logic                    gives_out;
    logic                    out_last;
  } fact_t;

  localparam int FactWidth = 2 + 3 + ContextWidth + 1 + 3 + 5 + CountWidth + 2;

  // ---- two queues, or lines, filled together
  typedef struct packed {  // with what its kind and its last byte say
    logic                 packet;
    logic                 side;
    logic [          4:0] tail_bytes;  // in the last block, 1 to 16
    logic [StepWidth-1:0] text_bytes;
    logic [StepWidth-1:0] aad_bytes;
    fact_t                fact;
  } first_t;

  fact_t fact_in, fact_out, second_q;
  first_t first_in, first;
  logic [3:0] tail_out;
  logic [SideWidth-1:0] side_out;
  logic packet, side;
  logic [4:0] tail_bytes;
  logic [CountWidth+4-1:0] bytes;  // of the slot's blocks
  logic first_valid, second_valid_q, second_load;
  logic passes;        // a slot of a packet goes on from there
  logic [SlotLanes*128-1:0] data_out, data_q;

  assign fact_in.kind       = in_kind_i;
  assign fact_in.aes        = in_aes_i;
  assign fact_in.closes     = in_final_i;
  assign fact_in.has_j0     = in_j0_i;
  assign fact_in.context_id = in_context_i;
  assign fact_in.decrypt    = in_decrypt_i;
  assign fact_in.status     = in_status_i;
  assign fact_in.tag_bytes  = in_tag_bytes_i;
  assign fact_in.count      = in_count_i;
  assign fact_in.gives_out  = in_out_i;
  assign fact_in.out_last   = in_out_last_i;

  assign packet     = fact_out.kind != gcm_pkg::SLOT_KEY && fact_out.kind != gcm_pkg::SLOT_IV;
  assign side       = AadLanes > 0 && side_out != '0;
  assign tail_bytes = {1'b0, tail_out} + 5'd1;
  assign bytes      = fact_out.count == '0 ? '0
      : {fact_out.count - CountWidth'(1), 4'b0} + (CountWidth + 4)'(tail_bytes);

  always_comb begin
    first_in.packet     = packet;
    first_in.side       = side;
    first_in.tail_bytes = tail_bytes;
    first_in.text_bytes = fact_out.kind == gcm_pkg::SLOT_TEXT ? StepWidth'(bytes) : '0;
    first_in.aad_bytes  = fact_out.kind == gcm_pkg::SLOT_AAD ? StepWidth'(bytes) : '0;
    first_in.fact       = fact_out;
    // AAD beside a beat without a byte may be marked as either section.
    if (packet && side) first_in.aad_bytes = StepWidth'(side_out);
  end

  if (InStep) begin : gen_lines
    // The two last places are first and what gcm_join sees.
    logic [Depth-1:0] valid;          // from the input on
    logic [Depth-2:0] valid_q;
    logic counts_d, counts_q, passes_q;  // there is a slot of a packet; and it goes on
    first_t first_q;

    assign valid    = {valid_q, in_valid_i};
    assign counts_d = out_ready_i ? valid[Depth-2] && packet : counts_q;

    always_ff @(posedge clk)
      if (rst) begin
        valid_q  <= '0;
        counts_q <= 1'b0;
        passes_q <= 1'b0;
      end else begin
        if (out_ready_i) valid_q <= valid[Depth-2:0];
        counts_q <= counts_d;
        passes_q <= step_soon_i && counts_d;
      end

    if (Depth > 2) begin : gen_facts
      gcm_line #(
          .Width(FactWidth + 4 + SideWidth),
          .Depth(Depth - 2)
      ) u_facts (
          .clk   (clk),
          .en_i  (out_ready_i),
          .word_i({in_side_i, in_tail_i, fact_in}),
          .word_o({side_out, tail_out, fact_out})
      );
    end else begin : gen_no_facts
      assign {side_out, tail_out, fact_out} = {in_side_i, in_tail_i, fact_in};
    end
    always_ff @(posedge clk) if (out_ready_i) first_q <= first_in;

    gcm_line #(
        .Width(SlotLanes * 128),
        .Depth(Depth - 1)
    ) u_data (
        .clk   (clk),
        .en_i  (out_ready_i),
        .word_i(in_data_i),
        .word_o(data_out)
    );

    assign first       = first_q;
    assign first_valid = valid_q[Depth-2];
    assign passes      = passes_q;
    assign second_load = out_ready_i;
    assign in_ready_o  = out_ready_i;
  end else begin : gen_queues
    logic fact_valid, fact_space, first_space, unused, unused_soon;
    logic [SlotLanes-1:0] lane_valid, lane_space;

    assign second_load = out_ready_i || !second_valid_q;
    assign passes      = second_load && first_valid && first.packet;
    assign in_ready_o  = fact_space && lane_space[0];

    gcm_fifo #(
        .Width(FactWidth + 4 + SideWidth),
        .Depth(Depth - 2),
        .Eager(1'b1)
    ) u_facts (
        .clk        (clk),
        .rst        (rst),
        .in_valid_i (in_valid_i && lane_space[0]),
        .in_ready_o (fact_space),
        .in_data_i  ({in_side_i, in_tail_i, fact_in}),
        .out_valid_o(fact_valid),
        .out_ready_i(first_space),
        .out_data_o ({side_out, tail_out, fact_out})
    );

    axis_skid #(
        .Width(FactWidth + 2 + 5 + 2 * StepWidth)
    ) u_first (
        .clk        (clk),
        .rst        (rst),
        .in_valid_i (fact_valid),
        .in_ready_o (first_space),
        .in_data_i  (first_in),
        .out_valid_o(first_valid),
        .out_ready_i(second_load),
        .out_data_o (first)
    );

    // One queue a lane: pointers that choose among so many words drive no more than 128 bits.
    for (genvar l = 0; l < SlotLanes; l++) begin : gen_data
      gcm_fifo #(
          .Width(128),
          .Depth(Depth - 1),
          .Eager(1'b1)
      ) u_data (
          .clk        (clk),
          .rst        (rst),
          .in_valid_i (in_valid_i && fact_space),
          .in_ready_o (lane_space[l]),
          .in_data_i  (in_data_i[128*l+:128]),
          .out_valid_o(lane_valid[l]),
          .out_ready_i(first_valid && second_load),
          .out_data_o (data_out[128*l+:128])
      );
    end
    assign unused_soon = &{1'b0, step_soon_i};
    assign unused = &{1'b0, lane_valid, lane_space};  // all lanes have as much as there are facts
  end

  // ---- lengths and limits
  logic adds_lengths;
  logic [63:0] text_sum, aad_sum;
  logic text_over, aad_over, ends, adds;
  logic [2:0] status_q, so_far, status;  // the packet's first error, but for the last step's lengths
  logic over_q;                          // and these, a cycle later
  logic good_q;                          // status_q is OK
  logic over, out_over_q;
  logic [HashWidth-1:0] blocks;
  logic [Bytes-1:0] keep;

  gcm_length #(
      .Max (MaxTextBytes),
      .Step(STEP)
  ) u_text (
      .clk    (clk),
      .rst    (rst),
      .add_i  (adds),
      .end_i  (ends),
      .step_i (first.text_bytes),
      .sum_o  (text_sum),
      .over_o (text_over)
  );

  gcm_length #(
      .Max (MaxAadBytes),
      .Step(STEP)
  ) u_aad (
      .clk    (clk),
      .rst    (rst),
      .add_i  (adds),
      .end_i  (ends),
      .step_i (first.aad_bytes),
      .sum_o  (aad_sum),
      .over_o (aad_over)
  );

  // Counting ends behind the packet's first error, so that it cannot wrap.
  assign ends   = passes && first.fact.closes;
  assign adds   = passes && good_q && !over_q;
  assign so_far = over_q ? gcm_pkg::STATUS_TOO_LONG : status_q;
  assign status = so_far != gcm_pkg::STATUS_OK ? so_far : first.fact.status;
  assign over   = status == gcm_pkg::STATUS_OK && first.packet && (text_over || aad_over);

  always_ff @(posedge clk)
    if (rst) begin
      status_q <= gcm_pkg::STATUS_OK;
      good_q   <= 1'b1;
      over_q   <= 1'b0;
    end else if (passes) begin
      status_q <= first.fact.closes ? gcm_pkg::STATUS_OK : status;
      good_q   <= first.fact.closes || status == gcm_pkg::STATUS_OK;
      over_q   <= over && !first.fact.closes;
    end

  // ---- bytes that are there, blocks for GHASH
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic full, tail;
    assign full = {1'b0, first.fact.count} > (CountWidth + 1)'(l + 1);
    assign tail = CountWidth'(l + 1) == first.fact.count;
    for (genvar b = 0; b < 16; b++) begin : gen_byte
      assign keep[16*l+b] = full || (tail && 5'(b) < first.tail_bytes);
    end
  end

  assign blocks       = HashWidth'(first.fact.count) + (first.side ? HashWidth'(AadLanes) : '0);
  assign adds_lengths = first.packet && first.fact.closes && (!OwnTail || blocks == '0);

  // ---- the slot that gcm_join sees
  logic side_flag_q, adds_lengths_q, hash_q, tag_q, is_key;
  assign is_key = first.fact.kind == gcm_pkg::SLOT_KEY;

  // Nobody is to take a slot that is not valid.
  logic gives_out_q, out_d, hash_d, tag_d;
  assign out_d  = first_valid && first.fact.gives_out;
  assign hash_d = first_valid && !is_key && (blocks != '0 || adds_lengths);
  assign tag_d  = first_valid && !is_key && first.fact.closes;
  assign next_out_o  = second_load ? out_d : gives_out_q;
  assign next_error_o = second_load ? status != gcm_pkg::STATUS_OK || over
      : out_status_o != gcm_pkg::STATUS_OK;
  assign next_hash_o = second_load ? hash_d : hash_q;
  assign next_tag_o  = second_load ? tag_d : tag_q;
  assign next_aes_o  = second_load ? first_valid && first.fact.aes : second_valid_q && second_q.aes;

  logic [2:0] out_status_q;
  logic [Bytes-1:0] keep_q;
  logic [HashWidth-1:0] hash_count_q;

  always_ff @(posedge clk)
    if (rst) begin
      second_valid_q <= 1'b0;
      gives_out_q    <= 1'b0;
      hash_q         <= 1'b0;
      tag_q          <= 1'b0;
    end else if (second_load) begin
      second_valid_q <= first_valid;
      gives_out_q    <= out_d;
      hash_q         <= hash_d;
      tag_q          <= tag_d;
    end

  always_ff @(posedge clk)
    if (second_load) begin
      second_q       <= first.fact;
      out_status_q   <= status;
      out_over_q     <= over;
      side_flag_q    <= first.side;
      keep_q         <= keep;
      hash_count_q   <= blocks + HashWidth'(adds_lengths);
      adds_lengths_q <= adds_lengths;
      data_q         <= data_out;
    end

  assign out_valid_o        = second_valid_q;
  assign out_kind_o         = second_q.kind;
  assign out_aes_o          = second_q.aes;
  assign out_final_o        = second_q.closes;
  assign out_j0_o           = second_q.has_j0;
  assign out_context_o      = second_q.context_id;
  assign out_decrypt_o      = second_q.decrypt;
  assign out_status_o       = out_over_q ? gcm_pkg::STATUS_TOO_LONG : out_status_q;
  assign out_tag_bytes_o    = second_q.tag_bytes;
  assign out_count_o        = second_q.count;
  assign out_out_o          = gives_out_q;
  assign out_out_last_o     = second_q.out_last;
  assign out_side_o         = side_flag_q;
  assign out_keep_o         = keep_q;
  assign out_hash_o         = hash_q;
  assign out_tag_o          = tag_q;
  assign out_hash_count_o   = hash_count_q;
  assign out_adds_lengths_o = adds_lengths_q;
  assign out_aad_bits_o     = aad_sum << 3;  // nothing was added since
  assign out_text_bits_o    = text_sum << 3;
  assign out_data_o         = data_q;

  logic unused;
  assign unused = &{1'b0, second_q.status, second_q.gives_out};

  if (Depth < (InStep ? 2 : 4)) begin : gen_bad
    $error("gcm_slots: Depth must be at least 4, 2 with InStep");
  end
endmodule
