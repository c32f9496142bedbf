// SPDX-License-Identifier: Apache-2.0
// The key in two shares, each in a ring of 16 bytes. It gets a new sharing when it comes, and
// whenever the AES loads it.
// Latency: a byte is there 16 cycles after it was taken. Throughput: one byte a cycle.
module masked_key (
    input  logic       clk,
    input  logic       go_i,
    input  logic       take_i,   // a byte of a new key takes the place of the one of this phase
    input  logic [7:0] byte0_i,
    input  logic [7:0] byte1_i,
    input  logic       load_i,
    input  logic [7:0] mask_i,   // random, new in every cycle
    output logic [7:0] key0_o,   // the byte of this phase, as it goes in again
    output logic [7:0] key1_o
);
  logic [7:0] head0, head1, mask;

  assign mask   = take_i || load_i ? mask_i : 8'h00;
  assign key0_o = (take_i ? byte0_i : head0) ^ mask;
  assign key1_o = (take_i ? byte1_i : head1) ^ mask;

  masked_ring u_ring0 (
      .clk   (clk),
      .go_i  (go_i),
      .byte_i(key0_o),
      .head_o(head0)
  );

  masked_ring u_ring1 (
      .clk   (clk),
      .go_i  (go_i),
      .byte_i(key1_o),
      .head_o(head1)
  );
endmodule
