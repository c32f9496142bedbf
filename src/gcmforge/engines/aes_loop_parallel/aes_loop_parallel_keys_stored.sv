// SPDX-License-Identifier: Apache-2.0
// Round keys for aes_loop_parallel: one store for every context, which each loop reads through a
// port of its own.
//
// Latency: keys_o of a loop is that of the round that came in the cycle before. Throughput: a key
// for each loop a cycle.
module aes_loop_parallel_keys_stored #(
    parameter int Contexts = 1,
    parameter int MaxRounds = 14,  // of the largest key size built
    parameter int Loops = 2,
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                          clk,
    // of each loop
    input  logic [             Loops-1:0] move_i,         // it comes to its next round:
    input  logic [Loops*ContextWidth-1:0] context_i,
    input  logic [           Loops*4-1:0] round_i,        // from 0
    output logic [         Loops*128-1:0] keys_o,
    // round keys; never written while a block of the same context is inside
    input  logic                          key_valid_i,
    input  logic [      ContextWidth-1:0] key_context_i,
    input  logic [                   3:0] key_round_i,
    input  logic [                 127:0] key_data_i
);
  localparam int Keys = Contexts * MaxRounds;  // of rounds 1 to MaxRounds
  localparam int KeyWidth = $clog2(Keys);
  logic [127:0] keys_q[0:Keys-1];

  always_ff @(posedge clk)
    if (key_valid_i && key_round_i != '0)
      keys_q[KeyWidth'(key_context_i)*KeyWidth'(MaxRounds)+KeyWidth'(key_round_i)-KeyWidth'(1)]
          <= key_data_i;

  for (genvar n = 0; n < Loops; n++) begin : gen_loop
    logic [127:0] key_q;
    always_ff @(posedge clk)
      if (move_i[n])
        key_q <= keys_q[KeyWidth'(context_i[n*ContextWidth+:ContextWidth])*KeyWidth'(MaxRounds)
                        +KeyWidth'(round_i[4*n+:4])];
    assign keys_o[128*n+:128] = key_q;
  end
endmodule
