// SPDX-License-Identifier: Apache-2.0
// The counter block of a packet whose IV has any length, in a ring of 16 bytes: first J0, then J0
// with a counter that went up. The last 32 bits of J0 are kept as well, as E(K, J0) is made at the
// packet's end: they turn by two bits in each cycle, so that a byte of them passes with each byte
// of the counter. Byte n of the block has the place 4 * (n mod 4) + n / 4, and passes in the phase
// of that number.
// Latency: a count is done 64 cycles after count_i at most. Throughput: one byte a cycle.
module nano_counter_any (
    input  logic       clk,
    input  logic       rst,
    input  logic [3:0] phase_i,
    input  logic       write_i,   // byte_i is the byte of J0 that has this phase
    input  logic [7:0] byte_i,
    input  logic       count_i,   // the counter goes up by one, from now on
    input  logic       blank_i,   // block_o is 0...0
    input  logic       first_i,   // block_o is J0
    output logic [7:0] block_o,   // the byte of this phase
    output logic       counts_o   // a count is under way, for as long whether it carries or not
);
  logic [7:0] head, passing, next, kept;
  logic [31:0] kept_q;
  logic carry_q, carries;
  logic [1:0] digit_q;  // the byte of the counter that goes up next
  logic in_counter, here;

  assign in_counter = phase_i[1:0] == 2'd3;
  assign here       = counts_o && in_counter && phase_i[3:2] == digit_q;
  assign passing    = write_i ? byte_i : head;

  assign {carries, next} = {1'b0, passing} + {8'b0, here && carry_q};

  nano_ring u_ring (
      .clk    (clk),
      .write_i(1'b1),
      .byte_i (next),
      .head_o (head)
  );

  always_ff @(posedge clk) begin
    if (rst) counts_o <= 1'b0;
    else if (count_i) counts_o <= 1'b1;
    else if (here && digit_q == 2'd0) counts_o <= 1'b0;
    if (count_i) carry_q <= 1'b1;
    else if (here) carry_q <= carries;
    if (count_i) digit_q <= 2'd3;
    else if (here) digit_q <= digit_q - 2'd1;
  end

  assign kept = write_i && in_counter ? byte_i : kept_q[7:0];

  always_ff @(posedge clk) kept_q <= {kept[1:0], kept_q[31:8], kept[7:2]};

  always_comb begin
    block_o = first_i && in_counter ? kept_q[7:0] : head;
    if (blank_i) block_o = 8'h00;
  end
endmodule
