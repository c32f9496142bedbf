// SPDX-License-Identifier: Apache-2.0
// Segments of text become beats of plain AXI4-Stream again, each of as many segments as it had.
// Latency: 1 cycle. Throughput: one beat a cycle.
module segments_unpack #(
    parameter int Segments = 2,
    localparam int Lanes = gcm_pkg::LANES,
    localparam int Bytes = 16 * Lanes / Segments,
    localparam int EmptyWidth = $clog2(Bytes + 1),
    localparam int CountWidth = $clog2(Segments + 1)
) (
    input  logic                           clk,
    input  logic                           rst,
    // how many segments the next beat has
    input  logic                           text_valid_i,
    output logic                           text_ready_o,
    input  logic [         CountWidth-1:0] text_count_i,
    // segments
    input  logic                           in_valid_i,
    output logic                           in_ready_o,
    input  logic [          Lanes*128-1:0] in_data_i,
    input  logic [           Segments-1:0] in_used_i,
    input  logic [           Segments-1:0] in_end_i,
    input  logic [EmptyWidth*Segments-1:0] in_empty_i,
    // plain beats
    output logic                           out_valid_o,
    input  logic                           out_ready_i,
    output logic [          Lanes*128-1:0] out_data_o,
    output logic [           Lanes*16-1:0] out_keep_o,
    output logic                           out_last_o
);
  localparam int SegmentWidth = 8 * Bytes + 1 + EmptyWidth;
  localparam int Places = 3 * Segments;
  localparam int HeldWidth = $clog2(Places + 1);

  logic [Places*SegmentWidth-1:0] held_q, held_d;  // the oldest in the low bits
  logic [HeldWidth-1:0] held_count_q, held_count_d, at;
  logic takes, goes;

  assign in_ready_o   = held_count_q <= HeldWidth'(Places - Segments);
  assign takes        = in_valid_i && in_ready_o;
  assign out_valid_o  = text_valid_i && held_count_q >= HeldWidth'(text_count_i);
  assign goes         = out_valid_o && out_ready_i;
  assign text_ready_o = goes;

  always_comb begin
    held_d = held_q;
    at     = held_count_q;
    if (goes) begin
      for (int g = 1; g <= Segments; g++)
        if (text_count_i == CountWidth'(g)) held_d = held_q >> (g * SegmentWidth);
      at = held_count_q - HeldWidth'(text_count_i);
    end
    for (int g = 0; g < Segments; g++)
      if (takes && in_used_i[g]) begin
        for (int h = 0; h < Places; h++)
          if (at == HeldWidth'(h))
            held_d[h*SegmentWidth+:SegmentWidth] = {
                in_empty_i[g*EmptyWidth+:EmptyWidth], in_end_i[g], in_data_i[g*8*Bytes+:8*Bytes]
            };
        at = at + HeldWidth'(1);
      end
    held_count_d = at;
  end

  always_ff @(posedge clk) begin
    held_q <= held_d;
    if (rst) held_count_q <= '0;
    else held_count_q <= held_count_d;
  end

  logic [Segments-1:0] last;
  for (genvar g = 0; g < Segments; g++) begin : gen_segment
    logic there;
    logic [EmptyWidth-1:0] empty;
    assign there   = out_valid_o && CountWidth'(g) < text_count_i;
    assign empty   = held_q[g*SegmentWidth+8*Bytes+1+:EmptyWidth];
    assign last[g] = there && held_q[g*SegmentWidth+8*Bytes];
    assign out_data_o[g*8*Bytes+:8*Bytes] = there ? held_q[g*SegmentWidth+:8*Bytes] : '0;
    for (genvar b = 0; b < Bytes; b++) begin : gen_byte
      assign out_keep_o[g*Bytes+b] = there && EmptyWidth'(b) + empty < EmptyWidth'(Bytes);
    end
  end
  assign out_last_o = |last;
endmodule
