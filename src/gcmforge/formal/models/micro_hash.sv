// SPDX-License-Identifier: Apache-2.0
// A GHASH of which a module around it knows nothing: it may be free at any time, with any digest.
// A sum that is not multiplied stays.
module micro_hash (
    input  logic         clk,
    input  logic         rst,
    input  logic         clear_i,
    input  logic         add_i,
    input  logic [127:0] block_i,
    input  logic         multiply_i,
    output logic         free_o,
    output logic [127:0] digest_o,
    input  logic         subkey_i,
    input  logic [127:0] subkey_block_i
);
  (* anyseq *) logic any_free;
  (* anyseq *) logic [127:0] any_digest;
  assign free_o   = any_free;

  // The sum stays where it was not to be multiplied.
  logic [127:0] digest_q;
  logic stays_q;
  assign digest_o = digest_q;
  always_ff @(posedge clk) begin
    stays_q <= add_i ? !multiply_i : stays_q && !clear_i;
    if (!stays_q || add_i || clear_i) digest_q <= any_digest;
  end
endmodule
