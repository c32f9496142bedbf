// SPDX-License-Identifier: Apache-2.0
// AES with a round a cycle, and a check byte: the sum of the state's bytes. ShiftRows and
// MixColumns keep this sum, a round key adds its own, and the S-boxes' is made by other circuits.
// Latency: 10 cycles after start_i with a key of 128 bits, 14 with 256; bad_o in the cycle in which
// a state is wrong. Throughput: a block in 11 or 15 cycles.
module micro_checked_aes (
    input  logic         clk,
    input  logic         start_i,      // block_i is taken
    input  logic         busy_i,       // a round
    input  logic         last_i,       // the last one
    input  logic [127:0] block_i,
    input  logic [  7:0] block_sum_i,
    input  logic         start_again_i,  // the same, for the check byte
    input  logic         busy_again_i,
    input  logic [127:0] key_i,        // round key
    output logic [  7:0] key_sum_o,    // of its bytes
    output logic [127:0] stream_o,
    input  logic [ 15:0] counted_i,    // bytes of the stream that are in sum_o
    output logic [  7:0] sum_o,
    output logic [  7:0] wanted_o,     // the sum of all its bytes, as it must be
    output logic         bad_o         // sum_o is not this; of no meaning before the first block
);
  logic [127:0] state_q, shifted, mixed, counted;
  logic [17:0] products, products_q;
  logic [7:0] key_sum, boxes, more_q;

  assign stream_o  = state_q;
  assign key_sum_o = key_sum;

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

  always_ff @(posedge clk)
    if (start_i || busy_i) state_q <= key_i ^ (!busy_i ? block_i : last_i ? shifted : mixed);

  micro_check_boxes #(
      .Boxes(16)
  ) u_boxes (
      .bytes_i(state_q),
      .sum_o  (products)
  );

  micro_byte_sum #(
      .Bytes(16)
  ) u_key (
      .bytes_i(key_i),
      .sum_o  (key_sum)
  );

  always_ff @(posedge clk)
    if (start_again_i || busy_again_i) begin
      products_q <= products & {18{busy_again_i}};
      more_q     <= key_sum ^ (block_sum_i & {8{!busy_again_i}});
    end

  aes_sbox_sum u_sum (
      .z_i(products_q),
      .y_o(boxes)
  );

  for (genvar b = 0; b < 16; b++) begin : gen_counted
    assign counted[8*b+:8] = state_q[8*b+:8] & {8{counted_i[b]}};
  end

  micro_byte_sum #(
      .Bytes(16)
  ) u_state (
      .bytes_i(counted),
      .sum_o  (sum_o)
  );

  assign wanted_o = boxes ^ more_q;
  assign bad_o    = sum_o != wanted_o;
endmodule
