// SPDX-License-Identifier: Apache-2.0
// A line of slots that moves on with the AES: each step takes every slot one place on, and a slot
// is at the output together with its key stream. Places without a slot move like the others, and
// nobody is to take them. The facts of a slot come out one step before its data, so that its bytes
// are counted meanwhile.
//
//   facts --> line --> gcm_slot_sizes --> register --> gcm_slot_count --> slot_o
//   data ---> line -----------------------------------------^
//
// Latency: Depth steps. Throughput: one slot a step.
module gcm_slots_line #(
    parameter int Depth = 16  // 2 at least
) (
    input  logic              clk,
    input  logic              rst,
    input  logic              step_i,       // all of them move, in each cycle in which it is high
    input  logic              step_soon_i,  // it is high in the next cycle
    // slots, as gcm_issue made them
    input  logic              valid_i,
    input  gcm_pkg::slot_t    slot_i,
    // the same, with what was counted
    output logic              valid_o,
    output gcm_pkg::counted_t slot_o,
    output gcm_pkg::takers_t  next_o        // of the slot that is there in the next cycle
);
  gcm_pkg::fact_t fact;
  gcm_pkg::sized_t sized, first_q;
  logic [3:0] tail;
  logic [gcm_pkg::SIDE_WIDTH-1:0] side;
  logic [gcm_pkg::SLOT_WIDTH-1:0] data;

  // The two last places are first_q and what gcm_join sees.
  logic [Depth-1:0] valid;  // from the input on
  logic [Depth-2:0] valid_q;
  logic counts_d, counts_q, passes_q;  // a slot of a packet is to be counted; and it goes on

  assign valid    = {valid_q, valid_i};
  assign counts_d = step_i ? valid[Depth-2] && sized.packet : counts_q;

  always_ff @(posedge clk)
    if (rst) begin
      valid_q  <= '0;
      counts_q <= 1'b0;
      passes_q <= 1'b0;
    end else begin
      if (step_i) valid_q <= valid[Depth-2:0];
      counts_q <= counts_d;
      passes_q <= step_soon_i && counts_d;
    end

  if (Depth > 2) begin : gen_facts
    gcm_line #(
        .Width(gcm_pkg::FACT_WIDTH + 4 + gcm_pkg::SIDE_WIDTH),
        .Depth(Depth - 2)
    ) u_facts (
        .clk   (clk),
        .en_i  (step_i),
        .word_i({slot_i.side, slot_i.tail, slot_i.fact}),
        .word_o({side, tail, fact})
    );
  end else begin : gen_no_facts
    assign {side, tail, fact} = {slot_i.side, slot_i.tail, slot_i.fact};
  end

  gcm_slot_sizes u_sizes (
      .fact_i (fact),
      .tail_i (tail),
      .side_i (side),
      .sized_o(sized)
  );
  always_ff @(posedge clk) if (step_i) first_q <= sized;

  gcm_line #(
      .Width(gcm_pkg::SLOT_WIDTH),
      .Depth(Depth - 1)
  ) u_data (
      .clk   (clk),
      .en_i  (step_i),
      .word_i(slot_i.data),
      .word_o(data)
  );

  gcm_slot_count u_count (
      .clk     (clk),
      .rst     (rst),
      .valid_i (valid_q[Depth-2]),
      .sized_i (first_q),
      .data_i  (data),
      .load_i  (step_i),
      .passes_i(passes_q),
      .valid_o (valid_o),
      .slot_o  (slot_o),
      .next_o  (next_o)
  );

  if (Depth < 2) begin : gen_bad
    $error("gcm_slots_line: Depth must be at least 2");
  end
endmodule
