// SPDX-License-Identifier: Apache-2.0
// GHASH in two shares, one bit a cycle. The digest X = X0 + X1 is multiplied by H = H0 + H1 in four
// products, each with a register of its own: X0 H0 and X1 H1 in own0, own1; X0 H1 and X1 H0 in
// cross0, cross1, which begin with the same random value, so that none of them tells of both shares
// of anything. Share 0 of the product is own0 + cross0, share 1 is own1 + cross1.
// While no product is made, own turns a byte a cycle and takes in what cross has, and new random
// bytes take the place of that: the sharing is new after every turn. As in nano_ghash, the sum that
// a product begins with is cancelled by x^128 in the factor; of cross, both cancel each other.
// Latency: 128 cycles from start_i, in phase 15. Throughput: a block in 144 cycles.
module masked_ghash (
    input  logic       clk,
    input  logic       rst,
    input  logic       go_i,         // else everything stands still
    input  logic [3:0] phase_i,
    input  logic       clear_i,      // for 16 cycles: the digest becomes 0
    input  logic [7:0] byte0_i,      // shares of what is added to the byte of this phase
    input  logic [7:0] byte1_i,
    input  logic [7:0] random_i,     // new in every cycle
    input  logic       start_i,
    output logic       busy_o,
    output logic [7:0] digest0_o,    // shares of the byte of this phase, while not busy
    output logic [7:0] digest1_o,
    input  logic       subkey_i,     // for 16 cycles: shares of the byte of H of this phase
    input  logic [7:0] subkey0_i,
    input  logic [7:0] subkey1_i
);
  logic [127:0] subkey0_q, subkey1_q;
  logic [2:0] turn_q;

  masked_ghash_share u_share0 (
      .clk      (clk),
      .go_i     (go_i),
      .busy_i   (busy_o),
      .clear_i  (clear_i),
      .byte_i   (byte0_i),
      .random_i (random_i),
      .own_i    (subkey0_q),
      .other_i  (subkey1_q),
      .digest_o (digest0_o)
  );

  masked_ghash_share u_share1 (
      .clk      (clk),
      .go_i     (go_i),
      .busy_i   (busy_o),
      .clear_i  (clear_i),
      .byte_i   (byte1_i),
      .random_i (random_i),
      .own_i    (subkey1_q),
      .other_i  (subkey0_q),
      .digest_o (digest1_o)
  );

  always_ff @(posedge clk) begin
    if (go_i && subkey_i) begin
      subkey0_q <= {subkey0_q[119:0], subkey0_i};
      subkey1_q <= {subkey1_q[119:0], subkey1_i};
    end
    if (go_i && phase_i == 4'd15) turn_q <= busy_o ? turn_q + 3'd1 : 3'd0;
    if (rst) busy_o <= 1'b0;
    else if (go_i && phase_i == 4'd15) busy_o <= start_i || (busy_o && turn_q != 3'd7);
  end
endmodule
