// SPDX-License-Identifier: Apache-2.0
// MixColumns (FIPS 197, equations (5.8)) of a column without the byte of one row, plus a round key:
// with what aes_mix_byte gives for that byte it is the round's column. Without its fourth byte a
// column and its key are three XORs deep, so that there is time for what a lane adds of its own.
// Latency: combinational. Throughput: one column a cycle.
module aes_mix_rest #(
    parameter int Row = 0  // whose byte counts as zero
) (
    input  logic [31:0] x_i,    // row 0 on top
    input  logic [31:0] key_i,
    output logic [31:0] y_o
);
  logic [31:0] kept, sums;  // sums: each byte plus the one of the next row

  assign kept = x_i & ~(32'hff000000 >> (8 * Row));
  assign sums = kept ^ {kept[23:0], kept[31:24]};

  for (genvar row = 0; row < 4; row++) begin : gen_row
    logic [7:0] sum, twice, others;
    assign sum    = sums[31-8*row-:8];
    assign twice  = {sum[6:0], 1'b0} ^ (sum[7] ? 8'h1b : 8'h00);
    assign others = kept[31-8*((row+3)%4)-:8] ^ key_i[31-8*row-:8];
    assign y_o[31-8*row-:8] = twice ^ (sums[31-8*((row+1)%4)-:8] ^ others);
  end
endmodule
