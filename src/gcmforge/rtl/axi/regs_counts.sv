// SPDX-License-Identifier: Apache-2.0
// What the counters of the register block count: packets, bytes, waiting, cycles, in the order of
// docs/reference/registers.md. What is watched is registered first, so that no stream gets longer
// wires.
//
// Latency: an event is counted from two cycles after it on. Throughput: every event of a cycle.
module regs_counts #(
    parameter int Count = 8,
    parameter int Bytes = 16,
    parameter int SideBytes = 16
) (
    input  logic                 clk,
    input  logic                 rst,
    // data streams, watched
    input  logic                 in_valid_i,
    input  logic                 in_ready_i,
    input  logic [    Bytes-1:0] in_keep_i,
    input  logic                 in_text_i,
    input  logic [SideBytes-1:0] side_keep_i,
    input  logic                 out_valid_i,
    input  logic                 out_ready_i,
    // answers
    input  logic                 done_i,
    input  logic                 ok_i,
    input  logic [gcm_pkg::STATUS_WIDTH-1:0] status_i,
    input  logic                 take_i,     // copies all counts and begins again
    output logic [ Count*64-1:0] counts_o
);
  localparam int AddWidth = 10;

  logic in_fire_q, in_text_q, in_stall_q, out_stall_q, done_q, forged_q, refused_q;
  logic [Bytes-1:0] in_keep_q;
  logic [SideBytes-1:0] side_keep_q;
  logic [AddWidth-1:0] in_bytes, side_bytes;

  always_ff @(posedge clk) begin
    in_fire_q   <= !rst && in_valid_i && in_ready_i;
    in_stall_q  <= !rst && in_valid_i && !in_ready_i;
    out_stall_q <= !rst && out_valid_i && !out_ready_i;
    done_q      <= !rst && done_i;
    forged_q    <= status_i == gcm_pkg::STATUS_AUTH_FAIL;
    refused_q   <= !ok_i && status_i != gcm_pkg::STATUS_AUTH_FAIL;
    in_keep_q   <= in_keep_i;
    side_keep_q <= side_keep_i;
    in_text_q   <= in_text_i;
  end

  always_comb begin
    in_bytes = '0;
    for (int i = 0; i < Bytes; i++) in_bytes = in_bytes + AddWidth'(in_keep_q[i]);
    side_bytes = '0;
    for (int i = 0; i < SideBytes; i++) side_bytes = side_bytes + AddWidth'(side_keep_q[i]);
  end

  gcm_counters #(
      .Count   (Count),
      .Width   (64),
      .AddWidth(AddWidth)
  ) u_counters (
      .clk    (clk),
      .rst    (rst),
      .add_i  ({
        AddWidth'(1),
        AddWidth'(out_stall_q),
        AddWidth'(in_stall_q),
        in_bytes & {AddWidth{in_fire_q && in_text_q}},
        (in_bytes & {AddWidth{in_fire_q && !in_text_q}}) + (side_bytes & {AddWidth{in_fire_q}}),
        AddWidth'(done_q && refused_q),
        AddWidth'(done_q && forged_q),
        AddWidth'(done_q)
      }),
      .take_i (take_i),
      .taken_o(counts_o)
  );
endmodule
