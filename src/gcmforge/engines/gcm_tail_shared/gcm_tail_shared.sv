// SPDX-License-Identifier: Apache-2.0
// The end of a hash, when the length block goes through GHASH like any other: nothing is left to
// do.
// Latency: combinational. Throughput: one digest a cycle.
module gcm_tail_shared #(
    parameter int Contexts = 1,
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                    clk,
    input  logic                    rst,
    // what belongs to each digest, in order
    input  logic                    entry_valid_i,
    input  logic                    entry_whole_i,
    input  logic [ContextWidth-1:0] entry_context_i,
    input  logic [           127:0] entry_lengths_i,
    // digests in and out, in polynomial order
    input  logic                    digest_valid_i,
    input  logic [           127:0] digest_i,
    output logic                    digest_valid_o,
    output logic [           127:0] digest_o,
    // the hash subkey of a context
    input  logic                    subkey_valid_i,
    input  logic [ContextWidth-1:0] subkey_context_i,
    input  logic [           127:0] subkey_i
);
  assign digest_valid_o = digest_valid_i;
  assign digest_o       = digest_i;

  logic unused;
  assign unused = &{
    1'b0, clk, rst, entry_valid_i, entry_whole_i, entry_context_i, entry_lengths_i,
    subkey_valid_i, subkey_context_i, subkey_i
  };
endmodule
