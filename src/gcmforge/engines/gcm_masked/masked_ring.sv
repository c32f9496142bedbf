// SPDX-License-Identifier: Apache-2.0
// Sixteen bytes that go round, one place a cycle.
// Latency: a byte is at head_o 16 cycles after it was written. Throughput: one byte a cycle.
module masked_ring (
    input  logic       clk,
    input  logic       go_i,
    input  logic [7:0] byte_i,  // goes in as the head leaves
    output logic [7:0] head_o
);
  logic [127:0] ring_q;

  assign head_o = ring_q[7:0];

  always_ff @(posedge clk) if (go_i) ring_q <= {byte_i, ring_q[127:8]};
endmodule
