// SPDX-License-Identifier: Apache-2.0
// GHASH with one bit a cycle. The sum of digest and block goes round a byte a cycle, in phase with
// what is added to it, and is copied into the multiplier on its way; then it is multiplied by H
// where it stands. H is kept with x^128 added: the sum that the product begins with, which leaves
// over the top as sum * x^128, is cancelled by that, and need not be cleared.
// Latency: 128 cycles from start_i, in phase 15. Throughput: a block in 144 cycles.
module nano_ghash (
    input  logic       clk,
    input  logic       rst,
    input  logic [3:0] phase_i,
    input  logic       clear_i,   // for 16 cycles: the digest becomes byte_i
    input  logic [7:0] byte_i,    // added to the byte of this phase
    input  logic       start_i,
    output logic       busy_o,
    output logic [7:0] digest_o,  // the byte of this phase, while not busy
    input  logic       subkey_i,  // for 16 cycles: byte_i is the byte of H of this phase
    input  logic [7:0] subkey_byte_i
);
  localparam logic [127:0] OVER = {8'he1, 120'b0};  // x^128 = 1 + x + x^2 + x^7; bit 127 is 1

  logic [127:0] sum_q, multiplier_q, subkey_q;
  logic [2:0] turn_q;
  logic [7:0] passing;

  assign digest_o = sum_q[127:120];
  assign passing  = (clear_i ? 8'h00 : digest_o) ^ byte_i;

  always_ff @(posedge clk) begin
    if (busy_o) begin
      sum_q <= {1'b0, sum_q[127:1]} ^ (sum_q[0] ? OVER : '0)
          ^ (multiplier_q[0] ? subkey_q ^ OVER : '0);
      multiplier_q <= {1'b0, multiplier_q[127:1]};
    end else begin
      sum_q <= {sum_q[119:0], passing};
      multiplier_q <= {multiplier_q[119:0], passing};
    end
    if (subkey_i) subkey_q <= {subkey_q[119:0], subkey_byte_i};
    if (phase_i == 4'd15) turn_q <= busy_o ? turn_q + 3'd1 : 3'd0;
    if (rst) busy_o <= 1'b0;
    else if (phase_i == 4'd15) busy_o <= start_i || (busy_o && turn_q != 3'd7);
  end
endmodule
