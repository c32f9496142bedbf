// SPDX-License-Identifier: Apache-2.0
// SubBytes of a block in two shares: sixteen S-boxes.
// Latency: 8 cycles in which it runs. Throughput: one block a cycle.
module masked_line_round (
    input  logic         clk,
    input  logic         run_i,     // else everything stands still
    input  logic [127:0] x0_i,
    input  logic [127:0] x1_i,
    input  logic [287:0] random_i,  // 18 bits for each S-box, new in every cycle
    output logic [127:0] y0_o,
    output logic [127:0] y1_o
);
  for (genvar n = 0; n < 16; n++) begin : gen_byte
    logic [17:0] fresh;
    assign fresh = random_i[18*n+:18];

    masked_sbox u_sbox (
        .clk (clk),
        .en_i(run_i),
        .x0_i(x0_i[8*n+:8]),
        .x1_i(x1_i[8*n+:8]),
        .r1_i(fresh[3:0]),
        .r3_i(fresh[5:4]),
        .r5_i(fresh[9:6]),
        .r7_i(fresh[17:10]),
        .y0_o(y0_o[8*n+:8]),
        .y1_o(y1_o[8*n+:8])
    );
  end
endmodule
