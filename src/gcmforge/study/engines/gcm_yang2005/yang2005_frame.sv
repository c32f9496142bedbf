// SPDX-License-Identifier: Apache-2.0
// What is to be known of a beat: its block, its bytes, whether the frame breaks a rule, whether a
// beat of text leaves for it.
// Latency: combinational. Throughput: a beat a cycle.
module yang2005_frame (
    input  logic         clk,
    input  logic         rst,
    input  logic         taken_i,
    input  logic [127:0] data_i,   // byte 0 lowest
    input  logic [ 15:0] keep_i,
    input  logic         text_i,
    input  logic         last_i,
    output logic [127:0] block_o,  // byte 0 on top, zeros where there is none
    output logic [ 15:0] keep_o,
    output logic [  4:0] bytes_o,
    output logic         wrong_o,
    output logic         shows_o
);
  logic begun_q, section_q, short_q, texts_q;  // of the packet so far
  logic holes, has_text;

  assign holes    = |(keep_i & (keep_i + 16'd1));
  assign keep_o   = holes ? 16'h0001 : keep_i;  // of a refused beat a byte is enough
  assign wrong_o  = holes || (begun_q && (section_q ? !text_i || short_q : !text_i && short_q));
  assign has_text = text_i && keep_o[0];
  assign shows_o  = has_text || (last_i && texts_q);

  always_comb begin
    bytes_o = '0;
    for (int i = 0; i < 16; i++) begin
      block_o[127-8*i-:8] = data_i[8*i+:8] & {8{keep_o[i]}};
      if (keep_o[i]) bytes_o = 5'(i + 1);
    end
  end

  always_ff @(posedge clk) begin
    if (taken_i) begin
      section_q <= text_i;
      short_q   <= keep_i != 16'hffff;
    end
    if (rst) begin
      begun_q <= 1'b0;
      texts_q <= 1'b0;
    end else if (taken_i) begin
      begun_q <= !last_i;
      texts_q <= !last_i && (texts_q || has_text);
    end
  end
endmodule
