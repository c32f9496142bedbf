// SPDX-License-Identifier: Apache-2.0
// MixColumns on one block (FIPS 197, section 5.1.3).
// Latency: combinational. Throughput: one block a cycle.
module aes_mix_columns (
    input  logic [127:0] state_i,
    output logic [127:0] state_o
);
  for (genvar column = 0; column < 4; column++) begin : gen_column
    aes_mix_column u_column (
        .x_i(state_i[32*column+:32]),
        .y_o(state_o[32*column+:32])
    );
  end
endmodule
