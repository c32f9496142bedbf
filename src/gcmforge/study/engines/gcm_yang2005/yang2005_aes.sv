// SPDX-License-Identifier: Apache-2.0
// Ten rounds of AES-128 in as many stages (Yang 2005, Fig. 1 (b)), and their round keys.
// Latency: 10 steps. Throughput: one block a step.
module yang2005_aes (
    input  logic         clk,
    input  logic         rst,
    input  logic         step_i,       // every stage moves on
    input  logic [127:0] block_i,      // with round key 0 added
    output logic [127:0] block_o,
    output logic [127:0] first_key_o,  // that key
    // a key in; not while blocks are under way
    input  logic         key_start_i,
    input  logic [127:0] key_i,
    output logic         key_busy_o
);
  localparam int Rounds = 10;

  logic round_valid;
  logic [3:0] round_index;
  logic [127:0] round_key;

  aes_key_expand #(
      .Sizes(3'b001)
  ) u_expand (
      .clk        (clk),
      .rst        (rst),
      .start_i    (key_start_i),
      .key_i      ({key_i, 128'b0}),
      .size_i     (gcm_pkg::KEY_128),
      .hold_i     (1'b0),
      .busy_o     (key_busy_o),
      .key_valid_o(round_valid),
      .key_round_o(round_index),
      .key_data_o (round_key)
  );

  always_ff @(posedge clk) if (round_valid && round_index == '0) first_key_o <= round_key;

  for (genvar r = 1; r <= Rounds; r++) begin : gen_round
    logic [127:0] state, shifted, mixed, key_q, state_q;

    always_ff @(posedge clk) if (round_valid && round_index == 4'(r)) key_q <= round_key;

    if (r == 1) begin : gen_first
      assign state = block_i;
    end else begin : gen_next
      assign state = gen_round[r-1].state_q;
    end
    aes_sub_shift u_sub_shift (
        .clk    (clk),
        .en_i   (step_i),
        .state_i(state),
        .state_o(shifted)
    );
    if (r == Rounds) begin : gen_last
      assign mixed = shifted;
    end else begin : gen_mix
      aes_mix_columns u_mix_columns (
          .state_i(shifted),
          .state_o(mixed)
      );
    end
    always_ff @(posedge clk) if (step_i) state_q <= mixed ^ key_q;
  end

  assign block_o = gen_round[Rounds].state_q;
endmodule
