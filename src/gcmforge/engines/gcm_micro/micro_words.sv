// SPDX-License-Identifier: Apache-2.0
// Four new words of a key schedule (FIPS 197, section 5.2), from the four that stand as many places
// before them as the key has words, and the newest one.
// Latency: combinational. Throughput: four words a cycle.
module micro_words (
    input  logic         clk,         // of S-boxes that have one
    input  logic [127:0] old_i,
    input  logic [ 31:0] newest_i,
    input  logic         turns_i,     // it is rotated, and gets the constant
    input  logic [  7:0] constant_i,
    output logic [127:0] made_o
);
  logic [31:0] source, boxed, change;
  logic [127:0] sums;  // of the old words so far, so that the S-boxes come last

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
  for (genvar w = 0; w < 4; w++) begin : gen_word
    if (w > 0) begin : gen_sum
      assign sums[127-32*w-:32] = old_i[127-32*w-:32] ^ sums[159-32*w-:32];
    end
    assign made_o[127-32*w-:32] = sums[127-32*w-:32] ^ change;
  end
endmodule
