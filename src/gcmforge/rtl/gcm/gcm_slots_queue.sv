// SPDX-License-Identifier: Apache-2.0
// Queues in which slots wait while their key stream is made in the AES. Each slot is stored once
// and does not move. Its facts leave their queue one step before its data, so that its bytes are
// counted meanwhile.
//
//   facts --> queue --> gcm_slot_sizes --> axis_skid --> gcm_slot_count --> slot_o
//   data ---> queue ------------------------------------------^
//
// The queue of facts does not see whether gcm_join takes a slot: axis_skid stands between.
//
// Latency: 3 cycles. Throughput: one slot a cycle; Depth of them are held.
module gcm_slots_queue #(
    parameter int Depth = 20  // 4 at least
) (
    input  logic              clk,
    input  logic              rst,
    // slots, as gcm_issue made them
    input  logic              in_valid_i,
    output logic              in_ready_o,
    input  gcm_pkg::slot_t    slot_i,
    // the same, with what was counted
    output logic              out_valid_o,
    input  logic              out_ready_i,
    output gcm_pkg::counted_t slot_o
);
  localparam int SLOT_LANES = gcm_pkg::SLOT_WIDTH / 128;

  gcm_pkg::fact_t fact;
  gcm_pkg::sized_t sized, first;
  gcm_pkg::takers_t next;
  logic [3:0] tail;
  logic [gcm_pkg::SIDE_WIDTH-1:0] side;
  logic [gcm_pkg::SLOT_WIDTH-1:0] data;
  logic fact_valid, fact_space, first_valid, first_space, load, unused;
  logic [SLOT_LANES-1:0] lane_valid, lane_space;

  // Of Depth slots one is in gcm_slot_count. The others have their data in the queues. The oldest
  // of them has its facts in axis_skid a cycle after it came, so where data has room, facts have.
  assign load       = out_ready_i || !out_valid_o;
  assign in_ready_o = lane_space[0];

  gcm_fifo #(
      .Width(gcm_pkg::FACT_WIDTH + 4 + gcm_pkg::SIDE_WIDTH),
      .Depth(Depth - 2),
      .Eager(1'b1)
  ) u_facts (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (in_valid_i && lane_space[0]),
      .in_ready_o (fact_space),
      .in_data_i  ({slot_i.side, slot_i.tail, slot_i.fact}),
      .out_valid_o(fact_valid),
      .out_ready_i(first_space),
      .out_data_o ({side, tail, fact})
  );

  gcm_slot_sizes u_sizes (
      .fact_i (fact),
      .tail_i (tail),
      .side_i (side),
      .sized_o(sized)
  );

  axis_skid #(
      .Width(gcm_pkg::SIZED_WIDTH)
  ) u_first (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (fact_valid),
      .in_ready_o (first_space),
      .in_data_i  (sized),
      .out_valid_o(first_valid),
      .out_ready_i(load),
      .out_data_o (first)
  );

  // One queue a lane: pointers that choose among so many words drive no more than 128 bits.
  for (genvar l = 0; l < SLOT_LANES; l++) begin : gen_data
    gcm_fifo #(
        .Width(128),
        .Depth(Depth - 1),
        .Eager(1'b1)
    ) u_data (
        .clk        (clk),
        .rst        (rst),
        .in_valid_i (in_valid_i),
        .in_ready_o (lane_space[l]),
        .in_data_i  (slot_i.data[128*l+:128]),
        .out_valid_o(lane_valid[l]),
        .out_ready_i(first_valid && load),
        .out_data_o (data[128*l+:128])
    );
  end

  gcm_slot_count u_count (
      .clk     (clk),
      .rst     (rst),
      .valid_i (first_valid),
      .sized_i (first),
      .data_i  (data),
      .load_i  (load),
      .passes_i(load && first_valid && first.packet),
      .valid_o (out_valid_o),
      .slot_o  (slot_o),
      .next_o  (next)
  );

  assign unused = &{1'b0, fact_space, lane_valid, lane_space, next};  // all have as much

  if (Depth < 4) begin : gen_bad
    $error("gcm_slots_queue: Depth must be at least 4");
  end
endmodule
