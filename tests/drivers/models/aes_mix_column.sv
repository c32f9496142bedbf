// SPDX-License-Identifier: Apache-2.0
// What every MixColumns leaf computes (FIPS 197, equations (5.8)), a column at a time: row r is
// 02 b_r + 03 b_r+1 + b_r+2 + b_r+3, row 0 on top. Few words, as a simulator likes.
// Latency: combinational. Throughput: one column a cycle.
module aes_mix_column (
    input  logic [31:0] x_i,
    output logic [31:0] y_o
);
  logic [31:0] twice;  // each byte times 02

  assign twice = ((x_i & 32'h7f7f7f7f) << 1) ^ (((x_i >> 7) & 32'h01010101) * 32'h1b);
  assign y_o   = twice ^ {twice[23:0] ^ x_i[23:0], twice[31:24] ^ x_i[31:24]}
      ^ {x_i[15:0], x_i[31:16]} ^ {x_i[7:0], x_i[31:8]};
endmodule
