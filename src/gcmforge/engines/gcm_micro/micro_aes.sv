// SPDX-License-Identifier: Apache-2.0
// AES with a round a cycle. The block that was encrypted stays until the next one begins, so no
// other register has to hold it.
// Latency: 10 cycles after start_i with a key of 128 bits, 14 with 256. Throughput: a block in 11
// or 15 cycles.
module micro_aes (
    input  logic         clk,
    input  logic         rst,
    input  logic         start_i,   // block_i is taken; only with done_o
    input  logic [127:0] block_i,
    output logic         done_o,    // stream_o is there
    output logic [127:0] stream_o,
    // round keys
    input  logic         long_i,    // the key has 256 bits
    output logic         load_o,    // the next round key is the first one
    input  logic [127:0] key_i
);
  logic [3:0] round_q;  // of this cycle; 0: none
  logic last;
  logic [127:0] state_q, shifted, mixed;

  assign last     = round_q == (long_i ? 4'd14 : 4'd10);
  assign done_o   = round_q == 4'd0;
  assign load_o   = last || (done_o && !start_i);
  assign stream_o = state_q;

  aes_sub_shift u_sub (
      .clk    (clk),
      .en_i   (1'b1),
      .state_i(state_q),
      .state_o(shifted)
  );

  aes_mix_columns u_mix (
      .state_i(shifted),
      .state_o(mixed)
  );

  always_ff @(posedge clk) begin
    if (start_i || !done_o) state_q <= key_i ^ (done_o ? block_i : last ? shifted : mixed);
    if (rst) round_q <= 4'd0;
    else if (start_i) round_q <= 4'd1;
    else if (!done_o) round_q <= last ? 4'd0 : round_q + 4'd1;
  end
endmodule
