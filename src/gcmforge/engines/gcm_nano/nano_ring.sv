// SPDX-License-Identifier: Apache-2.0
// Sixteen bytes that go round for ever, one place a cycle: what is kept needs no clock enable. A
// byte is replaced when it passes.
// Latency: a byte is at head_o 16 cycles after it was written. Throughput: one byte a cycle.
module nano_ring (
    input  logic       clk,
    input  logic       write_i,  // byte_i goes in; else the head goes in again
    input  logic [7:0] byte_i,
    output logic [7:0] head_o
);
  logic [127:0] ring_q;

  assign head_o = ring_q[7:0];

  always_ff @(posedge clk) ring_q <= {write_i ? byte_i : head_o, ring_q[127:8]};
endmodule
