// SPDX-License-Identifier: Apache-2.0
// Whitening and the first two rounds of a beat of counter blocks. Consecutive counters have most of
// their bytes in common, and what the lanes have in common is built once.
//
// The blocks of a beat share bytes 0 to 11. Bytes 12 to 14 have at most two values, that of the
// first lane (A) and that of the last (B); byte 15 is each lane's own. Round 1 takes its S-boxes
// for 12 + 3 + 3 bytes and for byte 15 of each lane. Byte 15 goes to column 0, bytes 12 to 14 to
// one of the other columns each, so round 2 takes its S-boxes for columns 1 to 3 twice and for
// column 0 of each lane; each of its columns gets one byte from there. MixColumns is linear: the
// part of the shared bytes and the round key are added once, the part of a lane's own byte in each
// lane. S-boxes: 18 + Lanes and 24 + 4 * Lanes, instead of 16 * Lanes in either round.
//
// Latency: state_o is the beat at place 2 * SubStages, that many enabled cycles after the one that
// follows its input. Throughput: one beat a cycle.
module aes_front_shared #(
    parameter int Lanes = 2,
    parameter int SubStages = 1  // of the aes_sbox in the folder
) (
    input  logic                 clk,
    input  logic                 advance_i,  // all places move
    input  logic                 valid_i,
    input  logic [Lanes*128-1:0] blocks_i,
    input  logic [        383:0] keys_i,     // of round r in keys_i[128*r+:128], at its place
    output logic [Lanes*128-1:0] state_o
);
  localparam int Last = 2 * SubStages;

  // ---- place 0: the parts of the beat
  logic [95:0] in_common, common_q;
  logic [Lanes-1:0][23:0] in_upper, upper_q;  // bytes 12 to 14: A in lane 0, B in the last
  logic [Lanes-1:0][7:0] in_low, low_q;  // byte 15
  logic [Lanes-1:0] second;  // lanes that have B
  logic [Last*Lanes-1:0] second_q;  // at each place from 1 on

  assign in_common = blocks_i[Lanes*128-1-:96];

  for (genvar l = 0; l < Lanes; l++) begin : gen_in
    localparam int Low = (Lanes - 1 - l) * 128;
    assign in_low[l]   = blocks_i[Low+:8];
    assign in_upper[l] = blocks_i[Low+8+:24];
    assign second[l]   = l == Lanes - 1 || (l > 0 && upper_q[l] != upper_q[0]);
  end

  always_ff @(posedge clk)
    if (advance_i) begin
      common_q <= in_common;
      upper_q  <= in_upper;
      low_q    <= in_low;
    end

  // ---- place 1: after round key 0, in front of round 1
  logic [95:0] common1_q;
  logic [1:0][23:0] upper1_q;
  logic [Lanes-1:0][7:0] low1_q;

  always_ff @(posedge clk)
    if (advance_i) begin
      second_q  <= {second_q[(Last-1)*Lanes-1:0], second};
      common1_q <= common_q ^ keys_i[127-:96];
      upper1_q  <= {upper_q[Lanes-1], upper_q[0]} ^ {2{keys_i[31:8]}};
      low1_q    <= low_q ^ {Lanes{keys_i[7:0]}};
    end

  logic [95:0] sub_common;
  logic [1:0][127:0] sub1;  // with A and with B, zero for byte 15; ShiftRows is still to come
  logic [1:0][95:0] column1;  // columns 1 to 3 after MixColumns and round key 1
  logic [Lanes-1:0][7:0] sub_low;

  for (genvar i = 0; i < 12; i++) begin : gen_common
    aes_sbox u_sbox (
        .clk (clk),
        .en_i(advance_i),
        .x_i (common1_q[95-8*i-:8]),
        .y_o (sub_common[95-8*i-:8])
    );
  end
  for (genvar l = 0; l < Lanes; l++) begin : gen_low
    aes_sbox u_sbox (
        .clk (clk),
        .en_i(advance_i),
        .x_i (low1_q[l]),
        .y_o (sub_low[l])
    );
  end

  for (genvar v = 0; v < 2; v++) begin : gen_value1
    assign sub1[v][127:32] = sub_common;
    assign sub1[v][7:0]    = '0;
    for (genvar i = 0; i < 3; i++) begin : gen_upper
      aes_sbox u_sbox (
          .clk (clk),
          .en_i(advance_i),
          .x_i (upper1_q[v][23-8*i-:8]),
          .y_o (sub1[v][31-8*i-:8])
      );
    end
    for (genvar c = 1; c < 4; c++) begin : gen_column
      logic [31:0] shifted, mixed;
      for (genvar row = 0; row < 4; row++) begin : gen_row
        assign shifted[31-8*row-:8] = sub1[v][127-8*(row+4*((c+row)%4))-:8];
      end
      aes_mix_column u_mix (
          .x_i(shifted),
          .y_o(mixed)
      );
      assign column1[v][127-32*c-:32] = mixed ^ keys_i[255-32*c-:32];
    end
  end

  // Column 0: bytes 0, 5, 10 and each lane's byte 15.
  logic [31:0] first_rest;

  aes_mix_rest #(
      .Row(3)
  ) u_first_rest (
      .x_i  ({sub1[0][127-:8], sub1[0][87-:8], sub1[0][47-:8], 8'h00}),
      .key_i(keys_i[255-:32]),
      .y_o  (first_rest)
  );

  // ---- place SubStages + 1: in front of round 2
  logic [1:0][95:0] upper2_q;  // columns 1 to 3
  logic [Lanes-1:0][31:0] first2_q, first2_d;  // column 0

  for (genvar l = 0; l < Lanes; l++) begin : gen_first
    logic [31:0] own;
    aes_mix_byte #(
        .Row(3)
    ) u_own (
        .x_i(sub_low[l]),
        .y_o(own)
    );
    assign first2_d[l] = first_rest ^ own;
  end

  always_ff @(posedge clk)
    if (advance_i) begin
      upper2_q <= column1;
      first2_q <= first2_d;
    end

  logic [1:0][127:0] sub2, shared;  // zero for column 0; after MixColumns and round key 2

  for (genvar v = 0; v < 2; v++) begin : gen_value2
    assign sub2[v][127:96] = '0;
    for (genvar i = 0; i < 12; i++) begin : gen_upper
      aes_sbox u_sbox (
          .clk (clk),
          .en_i(advance_i),
          .x_i (upper2_q[v][95-8*i-:8]),
          .y_o (sub2[v][95-8*i-:8])
      );
    end
    for (genvar c = 0; c < 4; c++) begin : gen_column
      logic [31:0] shifted;
      for (genvar row = 0; row < 4; row++) begin : gen_row
        assign shifted[31-8*row-:8] = sub2[v][127-8*(row+4*((c+row)%4))-:8];
      end
      aes_mix_rest #(
          .Row((4 - c) % 4)
      ) u_rest (
          .x_i  (shifted),
          .key_i(keys_i[383-32*c-:32]),
          .y_o  (shared[v][127-32*c-:32])
      );
    end
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [127:0] chosen, own;

    assign chosen = second_q[(Last-1)*Lanes+l] ? shared[1] : shared[0];
    for (genvar c = 0; c < 4; c++) begin : gen_column
      localparam int Row = (4 - c) % 4;  // the row in which column c has its byte of column 0
      logic [7:0] sub;
      aes_sbox u_sbox (
          .clk (clk),
          .en_i(advance_i),
          .x_i (first2_q[l][31-8*Row-:8]),
          .y_o (sub)
      );
      aes_mix_byte #(
          .Row(Row)
      ) u_own (
          .x_i(sub),
          .y_o(own[127-32*c-:32])
      );
    end
    assign state_o[(Lanes-1-l)*128+:128] = chosen ^ own;
  end

  // synthesis translate_off
  always_ff @(posedge clk)
    for (int l = 0; l < Lanes; l++) begin
      assert (valid_i !== 1'b1 || blocks_i[l*128+32+:96] == in_common);
      assert (valid_i !== 1'b1 || in_upper[l] == in_upper[0]
          || in_upper[l] == in_upper[Lanes-1]);
    end
  // synthesis translate_on

  if (Lanes < 2) begin : gen_bad
    $error("aes_front_shared: Lanes must be at least 2");
  end
endmodule
