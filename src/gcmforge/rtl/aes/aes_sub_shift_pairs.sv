// SPDX-License-Identifier: Apache-2.0
// SubBytes and ShiftRows on one block (FIPS 197, sections 5.1.1 and 5.1.2), two bytes out of each
// memory: a block RAM of an FPGA has two ports, and a table of 256 bytes takes an eighth of one.
//
// Latency: that of the aes_sbox_pair in the folder, one cycle less than its stages. Throughput: one
// block a cycle.
module aes_sub_shift_pairs (
    input  logic         clk,
    input  logic         en_i,
    input  logic [127:0] state_i,
    output logic [127:0] state_o
);
  logic [127:0] shifted;

  // Byte row + 4 * column of the state, counted from the top of the block.
  for (genvar row = 0; row < 4; row++) begin : gen_row
    for (genvar column = 0; column < 4; column++) begin : gen_column
      assign shifted[127-8*(row+4*column)-:8] = state_i[127-8*(row+4*((column+row)%4))-:8];
    end
  end

  for (genvar p = 0; p < 8; p++) begin : gen_pair
    aes_sbox_pair u_sboxes (
        .clk (clk),
        .en_i(en_i),
        .x_i (shifted[16*p+:16]),
        .y_o (state_o[16*p+:16])
    );
  end
endmodule
