// SPDX-License-Identifier: Apache-2.0
// An AES of which a module around it knows nothing: it may be done at any time, with any block.
module micro_cipher (
    input  logic         clk,
    input  logic         rst,
    input  logic         start_i,
    input  logic [127:0] block_i,
    output logic         done_o,
    output logic [127:0] stream_o,
    input  logic         long_i,
    output logic         load_o,
    input  logic [127:0] key_i
);
  (* anyseq *) logic any_done, any_load;
  (* anyseq *) logic [127:0] any_stream;
  assign done_o   = any_done;
  assign load_o   = any_load;
  assign stream_o = any_stream;
endmodule
