// SPDX-License-Identifier: Apache-2.0
// Bytes of AAD and of text of a packet, and the words of the block of GHASH that tells them in
// bits. Only the last word of a section may have less than four bytes.
// Latency: 1 cycle. Throughput: one word a cycle.
module micro_lengths #(
    parameter int AadBits = 16,  // up to 2^AadBits bytes of AAD
    parameter int TextBits = 16
) (
    input  logic        clk,
    input  logic        clear_i,
    input  logic        aad_i,        // a word more
    input  logic        text_i,
    input  logic [ 3:1] keep_i,       // which of its bytes are there but for the first, which is
    output logic        aad_full_o,   // as many as there may be
    output logic        text_full_o,
    input  logic [ 1:0] place_i,
    output logic [31:0] word_o        // word place_i of the block
);
  logic [AadBits:0] aad_q;
  logic [TextBits:0] text_q;
  logic [1:0] rest;
  logic whole;

  assign whole = keep_i[3];
  assign rest  = whole ? 2'd0 : {keep_i[1], keep_i[2] || !keep_i[1]};

  always_ff @(posedge clk) begin
    if (clear_i) aad_q <= '0;
    else if (aad_i) aad_q <= {aad_q[AadBits:2] + (AadBits - 1)'(whole), rest};
    if (clear_i) text_q <= '0;
    else if (text_i) text_q <= {text_q[TextBits:2] + (TextBits - 1)'(whole), rest};
  end

  assign aad_full_o  = aad_q[AadBits];
  assign text_full_o = text_q[TextBits];

  always_comb begin
    case (place_i)
      2'd1: word_o = 32'({aad_q, 3'b0});
      2'd3: word_o = 32'({text_q, 3'b0});
      default: word_o = 32'b0;
    endcase
  end
endmodule
