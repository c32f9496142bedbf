// SPDX-License-Identifier: Apache-2.0
// SubBytes and ShiftRows on one block (FIPS 197, sections 5.1.1 and 5.1.2).
//
// Latency: that of the aes_sbox in the folder, one cycle less than its stages. Throughput: one
// block a cycle.
module aes_sub_shift (
    input  logic         clk,
    input  logic         en_i,
    input  logic [127:0] state_i,
    output logic [127:0] state_o
);
  // Byte row + 4 * column of the state, counted from the top of the block.
  for (genvar row = 0; row < 4; row++) begin : gen_row
    for (genvar column = 0; column < 4; column++) begin : gen_column
      aes_sbox u_sbox (
          .clk (clk),
          .en_i(en_i),
          .x_i (state_i[127-8*(row+4*((column+row)%4))-:8]),
          .y_o (state_o[127-8*(row+4*column)-:8])
      );
    end
  end
endmodule
