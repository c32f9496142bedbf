// SPDX-License-Identifier: Apache-2.0
// Keys of every context as they set out into a loop of rounds that makes its own round keys: what
// aes_key_turn takes for the first round. The first 128 bits of a key are stored where they whiten
// the block (first_key_i); the rest of longer keys is stored here.
//
// Latency: turn_o is of what came last with accept_i, a beat or not. Throughput: one beat a cycle.
module aes_key_start #(
    parameter int Contexts = 1,
    parameter int MaxRounds = 14,  // of the largest key size built
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1,
    localparam int KeyBits = 32 * (MaxRounds - 6),
    localparam int TurnWidth = 2 + 2 + 8 + KeyBits
) (
    input  logic                    clk,
    input  logic                    accept_i,
    input  logic [ContextWidth-1:0] in_context_i,
    input  logic [             1:0] size_i,         // of the beat that was accepted last
    input  logic [           127:0] first_key_i,
    output logic [   TurnWidth-1:0] turn_o,         // size, step, round constant, window
    // the rest of a key, as round 1
    input  logic                    key_valid_i,
    input  logic [ContextWidth-1:0] key_context_i,
    input  logic [             3:0] key_round_i,
    input  logic [           127:0] key_data_i
);
  if (KeyBits > 128) begin : gen_rest
    logic [KeyBits-129:0] rest;
    gcm_ram #(
        .Width(KeyBits - 128),
        .Depth(Contexts)
    ) u_rest (
        .clk         (clk),
        .write_i     (key_valid_i),  // round 1 comes last
        .write_addr_i(key_context_i),
        .write_data_i(key_data_i[127-:KeyBits-128]),
        .read_i      (accept_i),
        .read_addr_i (in_context_i),
        .read_data_o (rest)
    );
    assign turn_o = {size_i, 2'd0, 8'h01, first_key_i, rest};
    logic unused;  // the rest of a key may be shorter than a round key
    assign unused = &{1'b0, key_round_i, key_data_i};
  end else begin : gen_no_rest
    assign turn_o = {size_i, 2'd0, 8'h01, first_key_i};
    logic unused;
    assign unused = &{
      1'b0, clk, accept_i, in_context_i, key_valid_i, key_context_i, key_round_i, key_data_i
    };
  end
endmodule
