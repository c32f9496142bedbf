// SPDX-License-Identifier: Apache-2.0
// One AES round on one block (FIPS 197, section 5.1), its key added last.
// Latency: that of the aes_sbox in the folder, one cycle less than its stages; key_i belongs to the
// cycle of state_o. Throughput: one block a cycle.
module aes_round #(
    parameter bit Last = 1'b0  // the last round of a cipher has no MixColumns
) (
    input  logic         clk,
    input  logic         en_i,
    input  logic [127:0] state_i,
    input  logic [127:0] key_i,
    output logic [127:0] state_o
);
  logic [127:0] shifted, mixed;

  aes_sub_shift u_sub_shift (
      .clk    (clk),
      .en_i   (en_i),
      .state_i(state_i),
      .state_o(shifted)
  );
  if (Last) begin : gen_no_mix
    assign mixed = shifted;
  end else begin : gen_mix
    aes_mix_columns u_mix (
        .state_i(shifted),
        .state_o(mixed)
    );
  end
  assign state_o = mixed ^ key_i;
endmodule
