// SPDX-License-Identifier: Apache-2.0
// Bytes of AAD and of text of a packet, and the block of GHASH that tells them in bits.
// Latency: 1 cycle. Throughput: one byte a cycle.
module nano_lengths #(
    parameter int AadBits = 16,  // up to 2^AadBits bytes of AAD
    parameter int TextBits = 16
) (
    input  logic       clk,
    input  logic       clear_i,
    input  logic       clear_text_i,
    input  logic       aad_i,         // one byte more
    input  logic       text_i,
    output logic [3:0] aad_place_o,   // of the next byte in its block
    output logic [3:0] text_place_o,
    output logic       aad_full_o,    // as many as there may be
    output logic       text_full_o,
    input  logic [3:0] phase_i,
    output logic [7:0] block_o        // the byte of this phase
);
  logic [AadBits:0] aad_q;
  logic [TextBits:0] text_q;
  logic [36:0] bytes;

  always_ff @(posedge clk) begin
    if (clear_i) aad_q <= '0;
    else if (aad_i) aad_q <= aad_q + (AadBits + 1)'(1);
    if (clear_i || clear_text_i) text_q <= '0;
    else if (text_i) text_q <= text_q + (TextBits + 1)'(1);
  end

  assign aad_place_o  = aad_q[3:0];
  assign text_place_o = text_q[3:0];
  assign aad_full_o   = aad_q[AadBits];
  assign text_full_o  = text_q[TextBits];

  assign bytes = phase_i[3] ? 37'(text_q) : 37'(aad_q);

  always_comb begin
    case (phase_i[2:0])
      3'd3: block_o = bytes[36:29];
      3'd4: block_o = bytes[28:21];
      3'd5: block_o = bytes[20:13];
      3'd6: block_o = bytes[12:5];
      3'd7: block_o = {bytes[4:0], 3'b0};
      default: block_o = 8'h00;
    endcase
  end
endmodule
