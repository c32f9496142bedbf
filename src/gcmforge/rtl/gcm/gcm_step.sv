// SPDX-License-Identifier: Apache-2.0
// One word for all slots that move on with the AES: they take a step when everybody who is to take
// the oldest of them can. That is found a cycle ahead and kept in a register for each part that
// moves.
// Latency: 1 cycle. Throughput: a step a cycle.
module gcm_step (
    input  logic              clk,
    input  logic              rst,
    // of the next cycle: the oldest slot, and who can take it
    input  gcm_pkg::takers_t  next_i,
    input  logic              out_soon_i,
    input  logic              hash_soon_i,
    input  logic              tag_soon_i,
    input  logic              stream_soon_i,  // there is key stream
    output logic              soon_o,         // all slots take a step then
    // of this cycle
    output logic              issue_o,        // as gcm_issue has to know it
    output logic              slots_o,        // as the slots themselves
    // the oldest slot passes to whoever is to take it
    input  logic              slot_valid_i,
    input  gcm_pkg::counted_t slot_i,
    output logic              passes_o,
    output logic              out_valid_o,
    input  logic              out_ready_i,
    output logic              hash_valid_o,
    input  logic              hash_ready_i,
    output logic              tag_valid_o,
    input  logic              tag_ready_i
);
  // with a packet buffer, beats of packets with an error need no place
  localparam bit Drops = gcm_pkg::RELEASE_DEPTH > 0;

  logic join_step;

  assign soon_o = !rst && (out_soon_i || !next_i.out || (Drops && next_i.error))
      && (hash_soon_i || !next_i.hash) && (tag_soon_i || !next_i.tag)
      && (stream_soon_i || !next_i.aes);

  gcm_copy #(
      .Width(1)
  ) u_issue (
      .clk    (clk),
      .value_i(soon_o),
      .value_o(issue_o)
  );
  gcm_copy #(
      .Width(1)
  ) u_slots (
      .clk    (clk),
      .value_i(soon_o),
      .value_o(slots_o)
  );
  gcm_copy #(
      .Width(1)
  ) u_join (
      .clk    (clk),
      .value_i(soon_o),
      .value_o(join_step)
  );

  assign passes_o     = slot_valid_i && join_step;  // key stream of another may be there before
  assign out_valid_o  = slot_i.fact.gives_out && join_step;
  assign hash_valid_o = slot_i.hash && join_step;
  assign tag_valid_o  = slot_i.tag && join_step;

  logic unused;
  assign unused = &{1'b0, out_ready_i, hash_ready_i, tag_ready_i, slot_i};

  // synthesis translate_off
  always_ff @(posedge clk)
    if (!rst && passes_o) begin
      text_is_taken : assert (out_ready_i || !slot_i.fact.gives_out);
      hash_is_taken : assert (hash_ready_i || !slot_i.hash);
      tag_is_taken  : assert (tag_ready_i || !slot_i.tag);
    end
  // synthesis translate_on
endmodule
