// SPDX-License-Identifier: Apache-2.0
// A share of the digest: its products with both shares of H, a bit a cycle, in two registers.
// Latency, throughput: those of masked_ghash.
module masked_ghash_share (
    input  logic         clk,
    input  logic         go_i,
    input  logic         busy_i,    // a product is made; else the digest turns
    input  logic         clear_i,   // for 16 cycles: the digest becomes 0
    input  logic [  7:0] byte_i,    // added to the byte of this phase
    input  logic [  7:0] random_i,
    input  logic [127:0] own_i,     // the share of H with the same number
    input  logic [127:0] other_i,
    output logic [  7:0] digest_o
);
  localparam logic [127:0] OVER = {8'he1, 120'b0};  // x^128 = 1 + x + x^2 + x^7; bit 127 is 1

  logic [127:0] own_q, cross_q, multiplier_q;
  logic [7:0] passing;

  assign digest_o = own_q[127:120] ^ cross_q[127:120];
  assign passing  = clear_i ? 8'h00 : digest_o ^ byte_i;

  always_ff @(posedge clk) begin
    if (go_i) begin
      if (busy_i) begin
        own_q <= {1'b0, own_q[127:1]} ^ (own_q[0] ? OVER : '0)
            ^ (multiplier_q[0] ? own_i ^ OVER : '0);
        cross_q <= {1'b0, cross_q[127:1]} ^ (cross_q[0] ? OVER : '0)
            ^ (multiplier_q[0] ? other_i : '0);
        multiplier_q <= {1'b0, multiplier_q[127:1]};
      end else begin
        own_q        <= {own_q[119:0], passing};
        cross_q      <= {cross_q[119:0], random_i};
        multiplier_q <= {multiplier_q[119:0], passing};
      end
    end
  end
endmodule
