// SPDX-License-Identifier: Apache-2.0
// GHASH in two shares, 13 bits a cycle. The digest X = X0 + X1 is multiplied by H = H0 + H1 in four
// products, each with a register of its own: X0 H0 and X1 H1 in own, X0 H1 and X1 H0 in cross,
// which begins with the same random value in both shares, so that none of them tells of both shares
// of anything. They leave the sum of both. Share 0 of the digest is own + cross of share 0.
// H gets a new sharing with each product, 13 bits a cycle: a sum of products does not see it.
// Latency: 11 cycles from load_i until ready_o. Throughput: a block in 11 cycles.
module masked_fast_ghash (
    input  logic         clk,
    input  logic         rst,
    input  logic         go_i,         // else everything stands still
    input  logic         clear_i,      // the digest becomes 0
    input  logic         load_i,       // a block is added, and the product begins
    input  logic [127:0] block0_i,     // its shares; byte n in bits 8 * n and up
    input  logic [127:0] block1_i,
    output logic         ready_o,      // no product is made
    output logic [127:0] digest0_o,    // shares of the digest, then
    output logic [127:0] digest1_o,
    input  logic         subkey_i,     // shares of H
    input  logic [127:0] subkey0_i,
    input  logic [127:0] subkey1_i,
    input  logic         collect_i,    // random_i is for the next product
    input  logic [ 11:0] random_i,     // random, new in every cycle
    input  logic [ 12:0] refresh_i
);
  // The latest 128 random bits; H with bit i for x^i.
  logic [127:0] random_q, subkey0_q, subkey1_q;
  logic [129:0] refresh;
  logic [3:0] step_q;
  logic steps;

  assign ready_o = step_q == 4'd10;
  assign steps   = !ready_o;

  always_comb begin
    refresh = '0;
    for (int n = 0; n < 10; n++) if (step_q == 4'(n)) refresh[13*n+:13] = refresh_i;
  end

  function automatic logic [127:0] turned(input logic [127:0] block);
    for (int i = 0; i < 128; i++) turned[i] = block[8*(i/8)+7-i%8];
  endfunction

  always_ff @(posedge clk) begin
    if (go_i) begin
      if (subkey_i) begin
        subkey0_q <= turned(subkey0_i);
        subkey1_q <= turned(subkey1_i);
      end else if (steps) begin
        subkey0_q <= subkey0_q ^ refresh[127:0];
        subkey1_q <= subkey1_q ^ refresh[127:0];
      end
      if (collect_i) random_q <= {random_q[115:0], random_i};
    end
    if (rst) step_q <= 4'd10;
    else if (go_i) begin
      if (load_i) step_q <= 4'd0;
      else if (steps) step_q <= step_q + 4'd1;
    end
  end

  logic [127:0] digest0, digest1;

  masked_fast_ghash_share u_share0 (
      .clk     (clk),
      .go_i    (go_i),
      .clear_i (clear_i),
      .load_i  (load_i),
      .step_i  (steps),
      .block_i (turned(block0_i)),
      .random_i(random_q),
      .own_i   (subkey0_q),
      .other_i (subkey1_q),
      .digest_o(digest0)
  );

  masked_fast_ghash_share u_share1 (
      .clk     (clk),
      .go_i    (go_i),
      .clear_i (clear_i),
      .load_i  (load_i),
      .step_i  (steps),
      .block_i (turned(block1_i)),
      .random_i(random_q),
      .own_i   (subkey1_q),
      .other_i (subkey0_q),
      .digest_o(digest1)
  );

  assign digest0_o = turned(digest0);
  assign digest1_o = turned(digest1);

  logic unused;
  assign unused = &{1'b0, refresh[129:128]};
endmodule
