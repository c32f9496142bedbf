// SPDX-License-Identifier: Apache-2.0
// Bytes of AAD and of text of a packet, and the block of GHASH that tells them in bits.
// Latency: 1 cycle. Throughput: one beat a cycle.
module masked_fast_lengths #(
    parameter int AadBits = 16,  // up to 2^AadBits bytes of AAD
    parameter int TextBits = 16
) (
    input  logic         clk,
    input  logic         clear_i,
    input  logic         aad_i,        // bytes_i more
    input  logic         text_i,
    input  logic [ 15:0] keep_i,       // the bytes of a beat, from 0 on without holes
    output logic         aad_full_o,   // with these there are more than there may be
    output logic         text_full_o,
    output logic [127:0] block_o       // byte 0 lowest
);
  logic [AadBits:0] aad_q, aad;
  logic [TextBits:0] text_q, text;
  logic [4:0] bytes;
  logic [127:0] lengths;

  always_comb begin
    bytes = '0;
    for (int n = 0; n < 16; n++) if (keep_i[n]) bytes = 5'(n + 1);
  end

  assign aad  = aad_q + (AadBits + 1)'(bytes);
  assign text = text_q + (TextBits + 1)'(bytes);

  always_ff @(posedge clk) begin
    if (clear_i) aad_q <= '0;
    else if (aad_i) aad_q <= aad;
    if (clear_i) text_q <= '0;
    else if (text_i) text_q <= text;
  end

  // The counters wrap at twice the limit, far after a packet has been refused.
  assign aad_full_o  = aad[AadBits] && aad[AadBits-1:0] != '0;
  assign text_full_o = text[TextBits] && text[TextBits-1:0] != '0;

  assign lengths = {61'(aad_q), 3'b0, 61'(text_q), 3'b0};
  for (genvar n = 0; n < 16; n++) begin : gen_byte
    assign block_o[8*n+:8] = lengths[127-8*n-:8];
  end
endmodule
