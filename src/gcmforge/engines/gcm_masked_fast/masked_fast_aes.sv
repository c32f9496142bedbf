// SPDX-License-Identifier: Apache-2.0
// AES-128 in two shares with sixteen S-boxes, eight blocks in flight. Their stages are the only
// registers of the state: a block is in each of the eight, and comes round in the ninth cycle with
// a round done. Nothing outside the S-boxes takes a bit of both shares.
// The eleven round keys turn in a ring, one place a cycle. A block that begins in step 0 of a turn
// needs key n after 8 * n cycles, so key 7 * s mod 11 is at the head in step s. After 80 cycles,
// in step 3, it leaves with key 10. Eight blocks come round in 88 cycles, which are eight turns.
// The ring never stands still, so its registers need no enable. After a cycle in which the rest
// did, the rest waits until the ring has come round to its step. Each key is shared anew in each of
// its turns, with a window of the latest 128 random bits, in cycles in which new ones come: what is
// on mask_i in others is not used.
// Latency: 80 cycles from step 0 until leaves_o; a key, its own 80 first.
// Throughput: a block in 11 cycles.
module masked_fast_aes (
    input  logic         clk,
    input  logic         rst,
    input  logic         go_i,       // else everything stands still, but for the ring
    output logic         in_step_o,  // the ring has come round to where the rest is
    input  logic         key_i,      // in step 0: a new key
    input  logic [127:0] key0_i,
    input  logic [127:0] key1_i,
    output logic         step0_o,    // block_i begins, as kind_i
    input  logic [  1:0] kind_i,
    input  logic [127:0] block_i,    // public
    input  logic         drop_i,     // blocks of kind TEXT that are under way are not wanted
    output logic         expands_o,  // the keys are made
    output logic         leaves_o,   // the stream of kind_o is there
    output logic [  1:0] kind_o,
    output logic [127:0] stream0_o,
    output logic [127:0] stream1_o,
    input  logic [ 11:0] mask_i,     // random, new in every cycle: 12 bits for the keys,
    input  logic [287:0] random_i    // 18 for each S-box
);
  localparam logic [1:0] NONE = 2'd0, TEXT = 2'd1;  // NOTHING and STREAM of gcm_masked_fast

  logic [3:0] step_q, turn_q, round_q;
  logic [2:0] wait_q;
  logic [15:0] kinds_q, kinds;
  logic [127:0] mask_q, mask;
  logic in_step, run, expand;

  assign in_step   = turn_q == step_q;
  assign in_step_o = in_step;
  assign run       = go_i && in_step;
  assign step0_o   = in_step && step_q == 4'd0;
  assign leaves_o  = in_step && step_q == 4'd3;
  assign expands_o = round_q != 4'd0;
  assign expand    = run && expands_o && wait_q == 3'd7;
  assign kind_o    = kinds_q[15:14];
  assign mask      = mask_q & {128{go_i}};

  always_comb begin
    kinds = run && step0_o ? {kinds_q[13:0], kind_i} : kinds_q;
    for (int n = 0; n < 8; n++)
      if (drop_i && kinds[2*n+:2] == TEXT) kinds[2*n+:2] = NONE;
  end

  always_ff @(posedge clk) begin
    if (run) wait_q <= key_i ? 3'd0 : wait_q + 3'd1;
    if (go_i) mask_q <= {mask_q[115:0], mask_i};
    if (rst) begin
      step_q  <= 4'd0;
      turn_q  <= 4'd0;
      round_q <= 4'd0;
      kinds_q <= '0;
    end else begin
      turn_q <= turn_q == 4'd10 ? 4'd0 : turn_q + 4'd1;
      if (run) begin
        step_q <= step_q == 4'd10 ? 4'd0 : step_q + 4'd1;
        if (key_i) round_q <= 4'd1;
        else if (expand) round_q <= round_q == 4'd10 ? 4'd0 : round_q + 4'd1;
      end
      kinds_q <= kinds;
    end
  end

  // ---- each share by itself

  logic [7:0] constant;
  logic [127:0] in0, in1, box0, box1;

  always_comb begin
    case (round_q)
      4'd9: constant = 8'h1b;
      4'd10: constant = 8'h36;
      default: constant = 8'h01 << (round_q[2:0] - 3'd1);
    endcase
  end

  masked_fast_share u_share0 (
      .clk       (clk),
      .key_i     (key_i),
      .new_i     (key0_i),
      .expand_i  (expand),
      .constant_i(constant),
      .mask_i    (mask),
      .begin_i   (step0_o),
      .block_i   (block_i),
      .box_i     (box0),
      .box_o     (in0),
      .stream_o  (stream0_o)
  );

  masked_fast_share u_share1 (
      .clk       (clk),
      .key_i     (key_i),
      .new_i     (key1_i),
      .expand_i  (expand),
      .constant_i(8'h00),
      .mask_i    (mask),
      .begin_i   (step0_o),
      .block_i   (128'b0),
      .box_i     (box1),
      .box_o     (in1),
      .stream_o  (stream1_o)
  );

  for (genvar n = 0; n < 16; n++) begin : gen_byte
    logic [17:0] fresh;
    assign fresh = random_i[18*n+:18];

    masked_sbox u_sbox (
        .clk (clk),
        .en_i(run),
        .x0_i(in0[8*n+:8]),
        .x1_i(in1[8*n+:8]),
        .r1_i(fresh[3:0]),
        .r3_i(fresh[5:4]),
        .r5_i(fresh[9:6]),
        .r7_i(fresh[17:10]),
        .y0_o(box0[8*n+:8]),
        .y1_o(box1[8*n+:8])
    );
  end
endmodule
