// SPDX-License-Identifier: Apache-2.0
// What a module around a gcm_fifo may rely on, and nothing more: words leave in the order they
// came, the oldest first; what is shown while there is none can be anything. gcm_fifo itself is
// proven to do this (properties/gcm_fifo.sv), so that proofs of modules that hold one need neither
// its pointers nor its memory.
module gcm_fifo #(
    parameter int Width = 8,
    parameter int Depth = 4,
    parameter bit Eager = 1'b0
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             in_valid_i,
    output logic             in_ready_o,
    input  logic [Width-1:0] in_data_i,
    output logic             out_valid_o,
    input  logic             out_ready_i,
    output logic [Width-1:0] out_data_o
);
  localparam int CountWidth = $clog2(Depth + 1);

  (* anyseq *) logic [Width-1:0] anything;
  logic [Depth*Width-1:0] words_q;  // the oldest in the low bits
  logic [CountWidth-1:0] count_q, place;
  logic push, pop;

  assign in_ready_o  = count_q != CountWidth'(Depth);
  assign out_valid_o = count_q != '0;
  assign out_data_o  = out_valid_o ? words_q[Width-1:0] : anything;
  assign push        = in_valid_i && in_ready_o;
  assign pop         = out_valid_o && out_ready_i;
  assign place       = count_q - CountWidth'(pop);  // of a word that comes

  always_ff @(posedge clk)
    if (rst) count_q <= '0;
    else count_q <= place + CountWidth'(push);

  for (genvar i = 0; i < Depth; i++) begin : gen_place
    always_ff @(posedge clk)
      if (push && place == CountWidth'(i)) words_q[Width*i+:Width] <= in_data_i;
      else if (pop && i + 1 < Depth) words_q[Width*i+:Width] <= words_q[Width*((i+1)%Depth)+:Width];
  end

  always_comb counts_places : lemma (count_q <= CountWidth'(Depth));
endmodule
