// SPDX-License-Identifier: Apache-2.0
// MixColumns (FIPS 197, equations (5.8)) of a column in which only the byte of one row is not zero:
// what this byte adds to the column.
// Latency: combinational. Throughput: one byte a cycle.
module aes_mix_byte #(
    parameter int Row = 0
) (
    input  logic [ 7:0] x_i,
    output logic [31:0] y_o   // row 0 on top
);
  logic [7:0] twice;

  assign twice = {x_i[6:0], 1'b0} ^ (x_i[7] ? 8'h1b : 8'h00);

  for (genvar row = 0; row < 4; row++) begin : gen_row
    assign y_o[31-8*row-:8] = row == Row ? twice : (row + 1) % 4 == Row ? twice ^ x_i : x_i;
  end
endmodule
