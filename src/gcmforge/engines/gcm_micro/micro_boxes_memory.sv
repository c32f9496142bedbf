// SPDX-License-Identifier: Apache-2.0
// Four S-boxes in memories, whose own register is the one after them.
// Latency: 1 cycle. Throughput: a word a cycle.
module micro_boxes_memory (
    input  logic        clk,
    input  logic [31:0] word_i,
    output logic [31:0] word_o
);
  for (genvar b = 0; b < 4; b++) begin : gen_byte
    aes_sbox u_sbox (
        .clk (clk),
        .en_i(1'b1),
        .x_i (word_i[8*b+:8]),
        .y_o (word_o[8*b+:8])
    );
  end
endmodule
