// SPDX-License-Identifier: Apache-2.0
// GHASH in two shares, a block a cycle. A factor X = X0 + X1 is multiplied by a power of H in four
// products, each with a register of its own; X0 H1 and X1 H0 begin with the same random value, so
// that none of them tells of both shares of anything. It leaves the sum of both.
// A product is a cycle in coming, so there are two sums: of every second block, and of the others.
// A block is added to the product of the one two before it. All are multiplied by H^2, but for the
// last one by H; then both sums are the digest. Squaring is linear, so each share makes its own.
// H gets a new sharing in every cycle with a mask, and so does the power: no product sees it.
// Latency: 2 cycles from the last block until ready_o. Throughput: a block a cycle.
module masked_line_ghash (
    input  logic         clk,
    input  logic         rst,
    input  logic         go_i,         // else everything stands still
    input  logic         clear_i,      // the digest becomes 0
    input  logic         load_i,       // a block is added,
    input  logic         last_i,       // and it is the last one
    input  logic [127:0] block0_i,     // its shares; byte n in bits 8 * n and up
    input  logic [127:0] block1_i,
    output logic         ready_o,      // after the last one: the digest is there
    output logic [127:0] digest0_o,
    output logic [127:0] digest1_o,
    input  logic         subkey_i,     // shares of H
    input  logic [127:0] subkey0_i,
    input  logic [127:0] subkey1_i,
    input  logic [127:0] mask_i,       // for H; zero: it stays as it is
    input  logic [127:0] random_i      // new in every cycle
);
  // Bit i is for x^i.
  logic [127:0] subkey0_q, subkey1_q, power0_q, power1_q;
  logic closing_q, step, whole;

  function automatic logic [127:0] turned(input logic [127:0] block);
    for (int i = 0; i < 128; i++) turned[i] = block[8*(i/8)+7-i%8];
  endfunction

  // modulo 1 + x + x^2 + x^7 + x^128
  function automatic logic [127:0] square(input logic [127:0] a);
    logic [254:0] wide;
    logic [133:0] high;
    wide = '0;
    for (int i = 0; i < 128; i++) wide[2*i] = a[i];
    high = 134'(wide[254:128]);
    high = high ^ high << 1 ^ high << 2 ^ high << 7;
    square = wide[127:0] ^ high[127:0] ^ 128'(high[133:128]) ^ 128'({high[133:128], 1'b0})
        ^ 128'({high[133:128], 2'b0}) ^ 128'({high[133:128], 7'b0});
  endfunction

  assign ready_o = !closing_q;
  assign step    = go_i && (load_i || closing_q);
  assign whole   = closing_q || (load_i && last_i);

  always_ff @(posedge clk) begin
    if (subkey_i) begin
      subkey0_q <= turned(subkey0_i);
      subkey1_q <= turned(subkey1_i);
    end else begin
      subkey0_q <= subkey0_q ^ mask_i;
      subkey1_q <= subkey1_q ^ mask_i;
    end
    power0_q <= whole ? subkey0_q : square(subkey0_q);
    power1_q <= whole ? subkey1_q : square(subkey1_q);
    if (rst) closing_q <= 1'b0;
    else if (go_i) closing_q <= load_i && last_i;
  end

  logic [127:0] digest0, digest1;

  masked_line_ghash_share u_share0 (
      .clk     (clk),
      .clear_i (clear_i),
      .step_i  (step),
      .block_i (closing_q ? 128'b0 : turned(block0_i)),
      .random_i(random_i),
      .own_i   (power0_q),
      .other_i (power1_q),
      .digest_o(digest0)
  );

  masked_line_ghash_share u_share1 (
      .clk     (clk),
      .clear_i (clear_i),
      .step_i  (step),
      .block_i (closing_q ? 128'b0 : turned(block1_i)),
      .random_i(random_i),
      .own_i   (power1_q),
      .other_i (power0_q),
      .digest_o(digest1)
  );

  assign digest0_o = turned(digest0);
  assign digest1_o = turned(digest1);
endmodule
