// SPDX-License-Identifier: Apache-2.0
// Adds up a packet's lengths slot by slot, holds them against their limits (SP 800-38D, section
// 5.2.1.1, or less), and finds what gcm_join needs to know of a slot, so that it finds all of it in
// registers: which bytes are there, who is to take it, how many blocks GHASH gets.
// Latency: 1 step. Throughput: one slot a step.
module gcm_slot_count (
    input  logic                            clk,
    input  logic                            rst,
    // the oldest slot that is not counted
    input  logic                            valid_i,
    input  gcm_pkg::sized_t                 sized_i,
    input  logic [gcm_pkg::SLOT_WIDTH-1:0] data_i,
    input  logic                            load_i,    // a step: it is counted
    input  logic                            passes_i,  // a step, and it is there, of a packet
    // the slot before it
    output logic                            valid_o,
    output gcm_pkg::counted_t               slot_o,
    output gcm_pkg::takers_t                next_o     // of the slot that is here in the next cycle
);
  localparam int HashCountWidth = gcm_pkg::HASH_COUNT_WIDTH;
  localparam int CountWidth = gcm_pkg::COUNT_WIDTH;

  gcm_pkg::fact_t fact, fact_q;
  assign fact = sized_i.fact;

  // ---- lengths and limits
  logic adds_lengths;
  logic [63:0] text_sum, aad_sum;
  logic text_over, aad_over, ends, adds;
  // the packet's first error: status_q lacks what the step before found of lengths, which over_q
  // tells; so_far has both; status has this slot's error, too, but for its lengths (over)
  logic [gcm_pkg::STATUS_WIDTH-1:0] status_q, so_far, status;
  logic over_q;                          // with the step before a length was above its limit
  logic good_q;                          // status_q is OK
  logic over, out_over_q;
  logic [HashCountWidth-1:0] blocks;
  logic [gcm_pkg::BYTES-1:0] keep;

  gcm_length #(
      .Max (gcm_pkg::MAX_TEXT_BYTES),
      .Step(16 * gcm_pkg::HASH_LANES)
  ) u_text (
      .clk    (clk),
      .rst    (rst),
      .add_i  (adds),
      .end_i  (ends),
      .step_i (sized_i.text_bytes),
      .sum_o  (text_sum),
      .over_o (text_over)
  );

  gcm_length #(
      .Max (gcm_pkg::MAX_AAD_BYTES),
      .Step(16 * gcm_pkg::HASH_LANES)
  ) u_aad (
      .clk    (clk),
      .rst    (rst),
      .add_i  (adds),
      .end_i  (ends),
      .step_i (sized_i.aad_bytes),
      .sum_o  (aad_sum),
      .over_o (aad_over)
  );

  // Counting ends after the packet's first error, so that it cannot wrap.
  assign ends   = passes_i && fact.closes;
  assign adds   = passes_i && good_q && !over_q;
  assign so_far = over_q ? gcm_pkg::STATUS_TOO_LONG : status_q;
  assign status = so_far != gcm_pkg::STATUS_OK ? so_far : fact.status;
  assign over   = status == gcm_pkg::STATUS_OK && sized_i.packet && (text_over || aad_over);

  always_ff @(posedge clk)
    if (rst) begin
      status_q <= gcm_pkg::STATUS_OK;
      good_q   <= 1'b1;
      over_q   <= 1'b0;
    end else if (passes_i) begin
      status_q <= fact.closes ? gcm_pkg::STATUS_OK : status;
      good_q   <= fact.closes || status == gcm_pkg::STATUS_OK;
      over_q   <= over && !fact.closes;
    end

  // ---- bytes that are there, blocks for GHASH
  for (genvar l = 0; l < gcm_pkg::LANES; l++) begin : gen_lane
    logic full, tail;
    assign full = {1'b0, fact.count} > (CountWidth + 1)'(l + 1);
    assign tail = CountWidth'(l + 1) == fact.count;
    for (genvar b = 0; b < 16; b++) begin : gen_byte
      assign keep[16*l+b] = full || (tail && 5'(b) < sized_i.tail_bytes);
    end
  end

  assign blocks = HashCountWidth'(fact.count)
      + (sized_i.side ? HashCountWidth'(gcm_pkg::AAD_LANES) : '0);
  assign adds_lengths = sized_i.packet && fact.closes && (!gcm_pkg::OWN_TAIL || blocks == '0);

  // ---- the slot that gcm_join sees
  logic valid_q, side_q, adds_lengths_q, gives_out_q, hash_q, tag_q;
  logic is_key, out_d, hash_d, tag_d;
  logic [gcm_pkg::STATUS_WIDTH-1:0] out_status_q;
  logic [gcm_pkg::BYTES-1:0] keep_q;
  logic [HashCountWidth-1:0] hash_count_q;
  logic [gcm_pkg::SLOT_WIDTH-1:0] data_q;

  // Nobody is to take a slot that is not valid.
  assign is_key = fact.kind == gcm_pkg::SLOT_KEY;
  assign out_d  = valid_i && fact.gives_out;
  assign hash_d = valid_i && !is_key && (blocks != '0 || adds_lengths);
  assign tag_d  = valid_i && !is_key && fact.closes;

  assign next_o.out   = load_i ? out_d : gives_out_q;
  assign next_o.error = load_i ? status != gcm_pkg::STATUS_OK || over
      : slot_o.fact.status != gcm_pkg::STATUS_OK;
  assign next_o.hash  = load_i ? hash_d : hash_q;
  assign next_o.tag   = load_i ? tag_d : tag_q;
  assign next_o.aes   = load_i ? valid_i && fact.aes : valid_q && fact_q.aes;

  always_ff @(posedge clk)
    if (rst) begin
      valid_q     <= 1'b0;
      gives_out_q <= 1'b0;
      hash_q      <= 1'b0;
      tag_q       <= 1'b0;
    end else if (load_i) begin
      valid_q     <= valid_i;
      gives_out_q <= out_d;
      hash_q      <= hash_d;
      tag_q       <= tag_d;
    end

  always_ff @(posedge clk)
    if (load_i) begin
      fact_q         <= fact;
      out_status_q   <= status;
      out_over_q     <= over;
      side_q         <= sized_i.side;
      keep_q         <= keep;
      hash_count_q   <= blocks + HashCountWidth'(adds_lengths);
      adds_lengths_q <= adds_lengths;
      data_q         <= data_i;
    end

  always_comb begin
    slot_o.fact           = fact_q;
    slot_o.fact.status    = out_over_q ? gcm_pkg::STATUS_TOO_LONG : out_status_q;
    slot_o.fact.gives_out = gives_out_q;
    slot_o.side           = side_q;
    slot_o.keep           = keep_q;
    slot_o.hash           = hash_q;
    slot_o.tag            = tag_q;
    slot_o.hash_count     = hash_count_q;
    slot_o.adds_lengths   = adds_lengths_q;
    slot_o.aad_bits       = aad_sum << 3;  // nothing was added since
    slot_o.text_bits      = text_sum << 3;
    slot_o.data           = data_q;
  end
  assign valid_o = valid_q;

  logic unused;
  assign unused = &{1'b0, fact_q.status, fact_q.gives_out};
endmodule
