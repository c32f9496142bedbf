// SPDX-License-Identifier: Apache-2.0
// The counter block of a packet, its IV and 32 bits of counter, in a ring of 16 bytes. Byte n of
// the block has the place 4 * (n mod 4) + n / 4, and passes in the phase of that number.
// Latency: a count is done 64 cycles after count_i at most. Throughput: one byte a cycle.
module nano_counter (
    input  logic       clk,
    input  logic       rst,
    input  logic [3:0] phase_i,
    input  logic       begin_i,  // a new IV comes: the counter becomes 2
    input  logic       write_i,  // byte_i is the byte of the IV that has this phase
    input  logic [7:0] byte_i,
    input  logic       count_i,  // the counter goes up by one, from now on
    input  logic       blank_i,  // block_o is 0...0
    input  logic       first_i,  // block_o is J0: its counter is 1
    output logic [7:0] block_o,  // the byte of this phase
    output logic       counts_o  // the next block has to wait for a count: never
);
  logic [7:0] head, next;
  logic counting_q;
  logic [1:0] digit_q;  // the byte of the counter that goes up next
  logic in_counter, lowest, here;

  assign counts_o   = 1'b0;
  assign in_counter = phase_i[1:0] == 2'd3;
  assign lowest     = phase_i[3:2] == 2'd3;
  assign here       = counting_q && in_counter && phase_i[3:2] == digit_q;

  always_comb begin
    next = head;
    if (begin_i && in_counter) next = {6'b0, lowest, 1'b0};
    else if (write_i) next = byte_i;
    else if (here) next = head + 8'd1;
  end

  nano_ring u_ring (
      .clk    (clk),
      .write_i(1'b1),
      .byte_i (next),
      .head_o (head)
  );

  always_ff @(posedge clk) begin
    if (rst || begin_i) counting_q <= 1'b0;
    else if (count_i) counting_q <= 1'b1;
    else if (here) counting_q <= head == 8'hff;
    if (count_i) digit_q <= 2'd3;
    else if (here) digit_q <= digit_q - 2'd1;
  end

  always_comb begin
    block_o = head;
    if (first_i && in_counter) block_o = {7'b0, lowest};
    if (blank_i) block_o = 8'h00;
  end
endmodule
