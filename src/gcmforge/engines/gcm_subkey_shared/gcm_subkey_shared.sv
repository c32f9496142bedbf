// SPDX-License-Identifier: Apache-2.0
// Hash subkeys from the data path: a slot of the AES encrypts 0^128, and GHASH makes the powers.
// Latency: combinational. Throughput: as the data path's.
module gcm_subkey_shared (
    input  logic         clk,
    input  logic         rst,
    // round keys as they are expanded, held back by hold_o
    input  logic         round_valid_i,
    input  logic [  3:0] round_index_i,
    input  logic [127:0] round_key_i,
    input  logic [  1:0] size_i,
    output logic         hold_o,
    // the key's schedule is in place: H is asked for
    input  logic         want_i,
    output logic         taken_o,
    output logic         done_o,           // it and its powers are in place
    // the slot that asks the AES for it, and what comes out
    output logic         slot_want_o,
    input  logic         slot_taken_i,
    input  logic         stream_valid_i,
    input  logic [127:0] stream_i,
    // H, and its powers where GHASH does not make them, in polynomial order
    output logic         subkey_valid_o,
    output logic         subkey_first_o,   // it is H
    output logic [127:0] subkey_o,
    input  logic         powers_done_i
);
  assign hold_o         = 1'b0;
  assign taken_o        = slot_taken_i;
  assign done_o         = powers_done_i;
  assign slot_want_o    = want_i;
  assign subkey_valid_o = stream_valid_i;
  assign subkey_first_o = stream_valid_i;

  for (genvar i = 0; i < 128; i++) begin : gen_reflect
    assign subkey_o[i] = stream_i[127-i];
  end

  logic unused;
  assign unused = &{1'b0, clk, rst, round_valid_i, round_index_i, round_key_i, size_i};
endmodule
