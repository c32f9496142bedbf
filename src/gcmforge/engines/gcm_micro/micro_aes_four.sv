// SPDX-License-Identifier: Apache-2.0
// AES with four S-boxes: a column of the state a cycle, and in the fifth cycle of a round a word of
// the key schedule. The S-boxes end in a register. A column leaves the state in a cycle, and comes
// back in the one after, so a round takes five cycles and no cycle is lost between two rounds.
//
// A row of the state is four bytes that move up by one a cycle: the first is read, and what comes
// enters behind the last one. ShiftRows needs no cycle: of row n the first n bytes that enter wait
// at its end, and the others enter before them.
//
// Steps 0 to 3 of a round read columns, and make the words of its round key. Steps 1 to 4 write
// columns. Step 4 reads the last word of the round key, of which the next one is made.
// Latency: 54 cycles after start_i with a key of 128 bits, 74 with 256. Throughput: a block in 55
// or 75 cycles.
module micro_aes_four (
    input  logic         clk,
    input  logic         rst,
    input  logic         start_i,   // block_i is taken; only with done_o
    input  logic [127:0] block_i,   // its last word with start_i; on top the others, one a cycle
    output logic         done_o,    // stream_o is there
    output logic [127:0] stream_o,
    // the key
    input  logic         long_i,    // it has 256 bits
    output logic         load_o,    // its next word is taken
    input  logic [127:0] key_i      // on top
);
  logic [3:0] round_q;  // of this cycle; 0: the block comes
  logic [2:0] step_q;
  logic moves, first, last, ends;
  logic [31:0] head, boxed, mixed, arrives, enters, round_word;

  assign first    = round_q == 4'd0;
  assign last     = round_q == (long_i ? 4'd14 : 4'd10);
  assign done_o   = first && step_q == 3'd0;
  assign moves    = start_i || !done_o;
  assign ends     = step_q[2];
  assign load_o   = moves && !ends && (first || (long_i && round_q == 4'd1));

  always_ff @(posedge clk) begin
    if (rst) begin
      step_q  <= 3'd0;
      round_q <= 4'd0;
    end else if (moves) begin
      step_q <= ends ? 3'd0 : step_q + 3'd1;
      if (ends) round_q <= last ? 4'd0 : round_q + 4'd1;
    end
  end

  // ---- what enters. The block's last word is a counter, which may change: it enters first, goes
  // round once, and is added to its round key then.

  assign arrives = !first ? (last ? boxed : mixed) : ends ? head : block_i[127:96];
  assign enters  = start_i ? block_i[31:0] : arrives ^ round_word;

  // ---- the state: cell n of a row is its n-th byte to be read

  for (genvar row = 0; row < 4; row++) begin : gen_row
    logic [7:0] enter;
    logic [31:0] cells_q, moved;  // cell 0 on top
    logic waits;                  // the last ones do

    assign enter             = enters[31-8*row-:8];
    assign moved             = {cells_q[23:0], enter};
    assign waits             = row > 0 && step_q > 3'(row) && !last;
    assign head[31-8*row-:8] = cells_q[31:24];

    for (genvar n = 0; n < 4; n++) begin : gen_cell
      assign stream_o[127-32*n-8*row-:8] = cells_q[31-8*n-:8];
      always_ff @(posedge clk)
        if (moves && !(n > 3 - row && waits))
          cells_q[31-8*n-:8] <= n == 3 - row && waits ? enter : moved[31-8*n-:8];
    end
  end

  // ---- four S-boxes, and MixColumns of one column

  logic turns;  // the key's word is rotated

  assign turns = !long_i || round_q[0];

  micro_boxes u_boxes (
      .clk   (clk),
      .word_i(!ends ? head : turns ? {round_word[23:0], round_word[31:24]} : round_word),
      .word_o(boxed)
  );

  aes_mix_column u_mix (
      .x_i(boxed),
      .y_o(mixed)
  );

  // ---- the round key

  micro_window u_window (
      .clk    (clk),
      .load_i (load_o),
      .key_i  (key_i[127:96]),
      .start_i(start_i),
      .first_i(step_q == 3'd0),
      .long_i (long_i),
      .odd_i  (round_q[0]),
      .boxed_i(boxed),
      .word_o (round_word)
  );

  logic unused;
  assign unused = &{1'b0, block_i[95:32], key_i[95:0]};
endmodule
