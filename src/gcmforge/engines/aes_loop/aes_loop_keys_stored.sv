// SPDX-License-Identifier: Apache-2.0
// Round keys for aes_loop, stored for every context with the round of the ring that adds them:
// round r of the cipher is at stage (r - 1) % Rounds, in pass (r - 1) / Rounds.
//
// Latency: keys_o of a stage is that of the beat whose context and pass came in the cycle before.
// Throughput: a key for each stage a cycle.
module aes_loop_keys_stored #(
    parameter int Contexts = 1,
    parameter int MaxRounds = 14,  // of the largest key size built
    parameter int Rounds = 1,      // in hardware
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1,
    localparam int PassWidth = $clog2((MaxRounds + Rounds - 1) / Rounds + 1)
) (
    input  logic                           clk,
    input  logic                           advance_i,      // all places move
    // of each stage: the beat that comes to the end of its round
    input  logic [Rounds*ContextWidth-1:0] context_i,
    input  logic [   Rounds*PassWidth-1:0] pass_i,
    output logic [         Rounds*128-1:0] keys_o,         // of stage s in keys_o[128*s+:128]
    // round keys; never written while a block of the same context is inside
    input  logic                           key_valid_i,
    input  logic [       ContextWidth-1:0] key_context_i,
    input  logic [                    3:0] key_round_i,
    input  logic [                  127:0] key_data_i
);
  for (genvar s = 0; s < Rounds; s++) begin : gen_stage
    localparam int Passes = (MaxRounds - s + Rounds - 1) / Rounds;
    localparam int Keys = Contexts * Passes;
    localparam int KeyWidth = Keys > 1 ? $clog2(Keys) : 1;
    logic write_key;
    logic [KeyWidth-1:0] write_addr;

    always_comb begin
      write_key  = 1'b0;
      write_addr = KeyWidth'(key_context_i) * KeyWidth'(Passes);
      for (int pass = 0; pass < Passes; pass++)
        if (key_round_i == 4'(pass * Rounds + s + 1)) begin
          write_key  = key_valid_i;
          write_addr = write_addr + KeyWidth'(pass);
        end
    end

    gcm_ram #(
        .Width(128),
        .Depth(Keys)
    ) u_keys (
        .clk         (clk),
        .write_i     (write_key),
        .write_addr_i(write_addr),
        .write_data_i(key_data_i),
        .read_i      (advance_i),
        .read_addr_i (KeyWidth'(context_i[s*ContextWidth+:ContextWidth]) * KeyWidth'(Passes)
                      + KeyWidth'(pass_i[s*PassWidth+:PassWidth])),
        .read_data_o (keys_o[128*s+:128])
    );
  end
endmodule
