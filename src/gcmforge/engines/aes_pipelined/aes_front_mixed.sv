// SPDX-License-Identifier: Apache-2.0
// Whitening and the first two rounds of a beat whose first lanes are consecutive counter blocks and
// whose last OtherLanes are blocks of their own, such as a packet's J0: aes_front_shared for the
// former, aes_front_plain for the latter.
//
// Latency: state_o is the beat at place 2 * SubStages, that many enabled cycles after the one that
// follows its input. Throughput: one beat a cycle.
module aes_front_mixed #(
    parameter int Lanes = 3,
    parameter int OtherLanes = 1,
    parameter int SubStages = 1  // of the aes_sbox in the folder
) (
    input  logic                 clk,
    input  logic                 advance_i,  // all places move
    input  logic                 valid_i,
    input  logic [Lanes*128-1:0] blocks_i,
    input  logic [        383:0] keys_i,     // of round r in keys_i[128*r+:128], at its place
    output logic [Lanes*128-1:0] state_o
);
  localparam int Other = OtherLanes * 128;

  aes_front_shared #(
      .Lanes    (Lanes - OtherLanes),
      .SubStages(SubStages)
  ) u_counters (
      .clk      (clk),
      .advance_i(advance_i),
      .valid_i  (valid_i),
      .blocks_i (blocks_i[Lanes*128-1:Other]),
      .keys_i   (keys_i),
      .state_o  (state_o[Lanes*128-1:Other])
  );

  aes_front_plain #(
      .Lanes(OtherLanes)
  ) u_others (
      .clk      (clk),
      .advance_i(advance_i),
      .blocks_i (blocks_i[Other-1:0]),
      .keys_i   (keys_i),
      .state_o  (state_o[Other-1:0])
  );
endmodule
