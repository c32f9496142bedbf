// SPDX-License-Identifier: Apache-2.0
// Four new words of a key schedule as in micro_words, with two parity bits for each word, of its
// odd and of its even bits. The sum of the four S-boxes' outputs is made once more by other
// circuits, and compared a cycle later.
// Latency: combinational, bad_o 1 cycle. Throughput: four words a cycle.
module micro_checked_words (
    input  logic         clk,
    input  logic [127:0] old_i,
    input  logic [  7:0] old_parity_i,  // word 0 on top, of a word that of odd bits
    input  logic [ 31:0] newest_i,
    input  logic         turns_i,       // it is rotated, and gets the constant
    input  logic [  7:0] constant_i,
    input  logic [  1:0] odd_i,         // the parities of that constant, where it is added
    output logic [127:0] made_o,
    output logic [  7:0] parity_o,      // of made_o, as it must be, less that of what was added
    output logic [  1:0] change_odd_o,  // parities of what was added a cycle ago to each word
    output logic         bad_o
);
  logic [31:0] source, boxed, change;
  logic [127:0] sums;  // of the old words so far, so that the S-boxes come last
  logic [7:0] parities;
  logic [17:0] products, products_q;
  logic [7:0] boxed_sum, boxed_sum_q, wanted;
  logic [1:0] odd_q;

  assign source = turns_i ? {newest_i[23:0], newest_i[31:24]} : newest_i;

  for (genvar b = 0; b < 4; b++) begin : gen_byte
    aes_sbox u_sbox (
        .clk (clk),
        .en_i(1'b1),
        .x_i (source[8*b+:8]),
        .y_o (boxed[8*b+:8])
    );
  end

  assign change       = boxed ^ {turns_i ? constant_i : 8'h00, 24'h0};
  assign sums[127:96] = old_i[127:96];
  assign parities[7:6] = old_parity_i[7:6];
  for (genvar w = 0; w < 4; w++) begin : gen_word
    if (w > 0) begin : gen_sum
      assign sums[127-32*w-:32] = old_i[127-32*w-:32] ^ sums[159-32*w-:32];
      assign parities[7-2*w-:2] = old_parity_i[7-2*w-:2] ^ parities[9-2*w-:2];
    end
    assign made_o[127-32*w-:32] = sums[127-32*w-:32] ^ change;
  end
  // A parity behind the S-boxes would be the longest path: it is made from their sum's register.
  assign parity_o     = parities;
  assign change_odd_o = odd_q ^ {^(boxed_sum_q & 8'haa), ^(boxed_sum_q & 8'h55)};

  // The order of the four bytes does not matter to their sum.
  micro_check_boxes #(
      .Boxes(4)
  ) u_boxes (
      .bytes_i(newest_i),
      .sum_o  (products)
  );

  micro_byte_sum #(
      .Bytes(4)
  ) u_boxed (
      .bytes_i(boxed),
      .sum_o  (boxed_sum)
  );

  always_ff @(posedge clk) begin
    products_q  <= products;
    boxed_sum_q <= boxed_sum;
    odd_q       <= odd_i;
  end

  aes_sbox_sum u_sum (
      .z_i(products_q),
      .y_o(wanted)
  );

  assign bad_o = boxed_sum_q != wanted;
endmodule
