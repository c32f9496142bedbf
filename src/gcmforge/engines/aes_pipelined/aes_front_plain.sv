// SPDX-License-Identifier: Apache-2.0
// Whitening and the first two rounds of a beat of AES blocks, each lane by itself: AddRoundKey with
// round key 0, then rounds 1 and 2, which every key size has.
//
// Latency: state_o is the beat at place 2 * SubStages, that many enabled cycles after the one that
// follows its input. Throughput: one beat a cycle.
module aes_front_plain #(
    parameter int Lanes = 1
) (
    input  logic                 clk,
    input  logic                 advance_i,  // all places move
    input  logic [Lanes*128-1:0] blocks_i,
    input  logic [        383:0] keys_i,     // of round r in keys_i[128*r+:128], at its place
    output logic [Lanes*128-1:0] state_o
);
  logic [Lanes*128-1:0] blocks_q, state1_q, state2_q, state1_d;

  always_ff @(posedge clk)
    if (advance_i) begin
      blocks_q <= blocks_i;
      state1_q <= blocks_q ^ {Lanes{keys_i[127:0]}};
      state2_q <= state1_d;
    end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    aes_round u_first (
        .clk    (clk),
        .en_i   (advance_i),
        .state_i(state1_q[l*128+:128]),
        .key_i  (keys_i[255:128]),
        .state_o(state1_d[l*128+:128])
    );
    aes_round u_second (
        .clk    (clk),
        .en_i   (advance_i),
        .state_i(state2_q[l*128+:128]),
        .key_i  (keys_i[383:256]),
        .state_o(state_o[l*128+:128])
    );
  end
endmodule
