// SPDX-License-Identifier: Apache-2.0
// AES-128 in two shares with one S-box, a byte a cycle. Nothing outside the S-box takes a bit of
// both shares. Cell 4 * row + j has a byte of the state: ShiftRows moves none, but counts: before
// round n, column c of row r is in j = c + (n - 1) * r mod 4. A round is 24 steps: 16 bytes go into
// the S-box, then 4 of the key; eight cycles later they come out, and every fourth completes a
// column, which is mixed and written. The key's bytes come out as the next round needs them.
// Latency: 256 cycles from start_i, in phase 15, until done_o: 16 to load and 10 * 24.
// Throughput: a block in 256 cycles.
module masked_aes (
    input  logic        clk,
    input  logic        rst,
    input  logic        go_i,       // else everything stands still
    input  logic [ 3:0] phase_i,
    input  logic        start_i,    // the 16 cycles from the next one on load block_i
    output logic        loads_o,    // these
    input  logic [ 7:0] block_i,    // the byte of this phase: column phase mod 4, row phase / 4
    input  logic [ 7:0] key0_i,     // the same of the key
    input  logic [ 7:0] key1_i,
    input  logic [17:0] random_i,   // new in every cycle
    output logic        done_o,     // the stream is there
    output logic [ 7:0] stream0_o,  // byte phase_i of the block that was encrypted
    output logic [ 7:0] stream1_o
);
  localparam logic [3:0] LOAD = 4'd0, LAST = 4'd10, REST = 4'd11;

  logic [3:0] round_q;
  logic [4:0] step_q;
  logic rests, ciphers, substitutes, expands, updates, ends, writes;
  logic [3:0] place;
  logic [1:0] turns, row, column, key_column, written;

  assign loads_o     = round_q == LOAD;
  assign rests       = round_q == REST;
  assign ciphers     = !loads_o && !rests;
  assign done_o      = rests;
  assign substitutes = ciphers && !step_q[4];
  assign expands     = ciphers && step_q[4] && !step_q[3] && !step_q[2];
  assign updates     = !loads_o && round_q != 4'd1 && step_q[4:2] == 3'd0;
  assign ends        = loads_o ? step_q == 5'd15 : step_q == 5'd23;

  always_ff @(posedge clk) begin
    if (rst) round_q <= REST;
    else if (go_i) begin
      if (start_i) round_q <= LOAD;
      else if (ends && !rests) round_q <= round_q + 4'd1;
    end
    if (rst) step_q <= 5'd16;
    else if (go_i) begin
      if (start_i || (ends && !rests)) step_q <= '0;
      else if (!(rests && step_q[4])) step_q <= step_q + 5'd1;
    end
  end

  // ---- which byte: the next one of the shifted state, or of the stream, or of the key's column 3

  assign place      = rests ? phase_i : step_q[3:0];
  assign turns      = rests ? LAST[1:0] : round_q[1:0];
  assign row        = expands ? place[1:0] + 2'd1 : place[1:0];
  assign column     = place[3:2];
  assign key_column = expands ? 2'd3 : rests ? column : column + row;
  assign writes     = ciphers && step_q[4:3] != 2'd0 && step_q[1:0] == 2'd3;
  assign written    = step_q[3:2] - 2'd2;  // the column that comes out of the S-box

  // ---- each share by itself

  logic [7:0] constant, taken0, taken1, box0, box1;

  always_comb begin
    case (round_q)
      4'd10: constant = 8'h1b;
      4'd11: constant = 8'h36;
      default: constant = 8'h01 << (round_q[2:0] - 3'd2);
    endcase
    if (row != 2'd0) constant = 8'h00;
  end

  masked_aes_share u_share0 (
      .clk         (clk),
      .go_i        (go_i),
      .load_i      (loads_o),
      .place_i     (place),
      .block_i     (block_i),
      .key_i       (key0_i),
      .turns_i     (turns),
      .row_i       (row),
      .column_i    (column),
      .key_column_i(key_column),
      .update_i    (updates),
      .constant_i  (constant),
      .box_i       (box0),
      .write_i     (writes),
      .mix_i       (round_q != LAST),
      .written_i   (written),
      .expand_i    (expands),
      .substitute_i(substitutes),
      .byte_o      (taken0),
      .stream_o    (stream0_o)
  );

  masked_aes_share u_share1 (
      .clk         (clk),
      .go_i        (go_i),
      .load_i      (loads_o),
      .place_i     (place),
      .block_i     (8'h00),
      .key_i       (key1_i),
      .turns_i     (turns),
      .row_i       (row),
      .column_i    (column),
      .key_column_i(key_column),
      .update_i    (updates),
      .constant_i  (8'h00),
      .box_i       (box1),
      .write_i     (writes),
      .mix_i       (round_q != LAST),
      .written_i   (written),
      .expand_i    (expands),
      .substitute_i(substitutes),
      .byte_o      (taken1),
      .stream_o    (stream1_o)
  );

  masked_sbox u_sbox (
      .clk (clk),
      .en_i(go_i),
      .x0_i(taken0),
      .x1_i(taken1),
      .r1_i(random_i[3:0]),
      .r3_i(random_i[5:4]),
      .r5_i(random_i[9:6]),
      .r7_i(random_i[17:10]),
      .y0_o(box0),
      .y1_o(box1)
  );
endmodule
