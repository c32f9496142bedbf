// SPDX-License-Identifier: Apache-2.0
// AES-128 in two shares with a row of sixteen S-boxes for each round, 80 blocks in flight. The
// stages of the S-boxes are the only registers of the state. Nothing outside the S-boxes takes a
// bit of both shares.
// The round keys stay where they are used. In each cycle with random bits each of them gets a new
// sharing, from a window of the latest 128 random bits: a share of a key that stays would be found
// by itself, and then the other. New keys are made by four S-boxes of the first round.
// Latency: 80 cycles in which it runs, from a block until it leaves; a key, 91 before that.
// Throughput: one block a cycle.
module masked_line_aes (
    input  logic          clk,
    input  logic          rst,
    input  logic          run_i,      // else the blocks and the making of a key stand still
    input  logic          key_i,      // a new key
    input  logic [ 127:0] key0_i,
    input  logic [ 127:0] key1_i,
    output logic          expands_o,  // the round keys are made
    input  logic [ 127:0] block_i,    // public; it begins
    output logic [ 127:0] stream0_o,  // what began 80 cycles ago
    output logic [ 127:0] stream1_o,
    input  logic [ 127:0] mask_i,     // for the round keys; zero: they stay as they are
    input  logic [2879:0] random_i    // new in every cycle: 18 bits for each S-box
);
  localparam int Rounds = 10;

  logic [3:0] round_q;
  logic [3:0] wait_q;
  logic expand, feed;

  assign expands_o = round_q != 4'd0;
  assign feed      = expands_o && wait_q == 4'd0;
  assign expand    = run_i && expands_o && wait_q == 4'd8;

  always_ff @(posedge clk) begin
    if (key_i || expand) wait_q <= 4'd0;
    else if (run_i) wait_q <= wait_q + 4'd1;
    if (rst) round_q <= 4'd0;
    else if (key_i) round_q <= 4'd1;
    else if (expand) round_q <= round_q == 4'd10 ? 4'd0 : round_q + 4'd1;
  end

  // ---- each share by itself

  logic [7:0] constant;
  logic [128*Rounds-1:0] in0, in1, box0, box1;

  always_comb begin
    case (round_q)
      4'd9: constant = 8'h1b;
      4'd10: constant = 8'h36;
      default: constant = 8'h01 << (round_q[2:0] - 3'd1);
    endcase
  end

  masked_line_share u_share0 (
      .clk       (clk),
      .load_i    (key_i),
      .new_i     (key0_i),
      .expand_i  (expand),
      .feed_i    (feed),
      .constant_i(constant),
      .mask_i    (mask_i),
      .block_i   (block_i),
      .box_i     (box0),
      .box_o     (in0),
      .stream_o  (stream0_o)
  );

  masked_line_share u_share1 (
      .clk       (clk),
      .load_i    (key_i),
      .new_i     (key1_i),
      .expand_i  (expand),
      .feed_i    (feed),
      .constant_i(8'h00),
      .mask_i    (mask_i),
      .block_i   (128'b0),
      .box_i     (box1),
      .box_o     (in1),
      .stream_o  (stream1_o)
  );

  for (genvar n = 0; n < Rounds; n++) begin : gen_round
    masked_line_round u_round (
        .clk     (clk),
        .run_i   (run_i),
        .x0_i    (in0[128*n+:128]),
        .x1_i    (in1[128*n+:128]),
        .random_i(random_i[288*n+:288]),
        .y0_o    (box0[128*n+:128]),
        .y1_o    (box1[128*n+:128])
    );
  end
endmodule
