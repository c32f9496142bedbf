// SPDX-License-Identifier: Apache-2.0
// Bytes of AAD and of text of a packet, and the block of GHASH that tells them in bits. A section
// is full with its last whole beat: a beat after one that was not whole is refused anyway, so no
// sum is needed to see that one more is too long.
// Latency: 1 cycle. Throughput: one beat a cycle.
module masked_line_lengths #(
    parameter int AadBits = 16,  // up to 2^AadBits bytes of AAD
    parameter int TextBits = 16
) (
    input  logic         clk,
    input  logic         clear_i,
    input  logic         aad_i,        // the bytes of a beat more
    input  logic         text_i,
    input  logic [ 15:0] keep_i,       // which there are, from 0 on without holes
    output logic         aad_full_o,   // another beat is too long
    output logic         text_full_o,
    output logic [127:0] block_o       // byte 0 lowest
);
  logic [AadBits:0] aad_q;
  logic [TextBits:0] text_q;
  logic [4:0] bytes;
  logic [127:0] lengths;

  always_comb begin
    bytes = '0;
    for (int n = 0; n < 16; n++) if (keep_i[n]) bytes = 5'(n + 1);
  end

  always_ff @(posedge clk) begin
    if (clear_i) aad_q <= '0;
    else if (aad_i) aad_q <= aad_q + (AadBits + 1)'(bytes);
    if (clear_i) text_q <= '0;
    else if (text_i) text_q <= text_q + (TextBits + 1)'(bytes);
  end

  // The counters wrap at twice the limit, far after a packet has been refused.
  assign aad_full_o  = aad_q[AadBits];
  assign text_full_o = text_q[TextBits];

  assign lengths = {61'(aad_q), 3'b0, 61'(text_q), 3'b0};
  for (genvar n = 0; n < 16; n++) begin : gen_byte
    assign block_o[8*n+:8] = lengths[127-8*n-:8];
  end
endmodule
