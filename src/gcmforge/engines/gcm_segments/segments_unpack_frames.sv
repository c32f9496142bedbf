// SPDX-License-Identifier: Apache-2.0
// Segments of text become beats of plain AXI4-Stream again where whole texts may be missing: a text
// begins a beat, and its end ends one.
// Latency: 1 cycle. Throughput: one beat a cycle.
module segments_unpack_frames #(
    parameter int Segments = 2,
    localparam int Lanes = gcm_pkg::LANES,
    localparam int Bytes = 16 * Lanes / Segments,
    localparam int EmptyWidth = $clog2(Bytes + 1),
    localparam int CountWidth = $clog2(Segments + 1)
) (
    input  logic                           clk,
    input  logic                           rst,
    // how many segments the beats had that came in: of no use where some do not come out
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
  localparam int Places = 3 * Segments;  // as many as segments_unpack has
  localparam int HeldWidth = $clog2(Places + 1);

  // ---- which of its segments end a text, the oldest in the low bits
  logic [Places-1:0] ends_q, ends_d;
  logic [HeldWidth-1:0] held_q, at;
  logic [CountWidth-1:0] count;  // segments of the next beat, when they are there
  logic unpack_ready;

  always_comb begin
    count = CountWidth'(Segments);
    for (int g = Segments - 1; g >= 0; g--) if (ends_q[g]) count = CountWidth'(g + 1);
  end

  always_comb begin
    ends_d = ends_q;
    at     = held_q;
    if (out_valid_o && out_ready_i) begin
      ends_d = ends_q >> count;
      at     = held_q - HeldWidth'(count);
    end
    for (int g = 0; g < Segments; g++)
      if (in_valid_i && in_ready_o && in_used_i[g]) begin
        for (int h = 0; h < Places; h++) if (at == HeldWidth'(h)) ends_d[h] = in_end_i[g];
        at = at + HeldWidth'(1);
      end
  end

  always_ff @(posedge clk)
    if (rst) begin
      ends_q <= '0;
      held_q <= '0;
    end else begin
      ends_q <= ends_d;
      held_q <= at;
    end

  segments_unpack #(
      .Segments(Segments)
  ) u_unpack (
      .clk         (clk),
      .rst         (rst),
      .text_valid_i(1'b1),
      .text_ready_o(unpack_ready),
      .text_count_i(count),
      .in_valid_i  (in_valid_i),
      .in_ready_o  (in_ready_o),
      .in_data_i   (in_data_i),
      .in_used_i   (in_used_i),
      .in_end_i    (in_end_i),
      .in_empty_i  (in_empty_i),
      .out_valid_o (out_valid_o),
      .out_ready_i (out_ready_i),
      .out_data_o  (out_data_o),
      .out_keep_o  (out_keep_o),
      .out_last_o  (out_last_o)
  );

  assign text_ready_o = 1'b1;

  logic unused;
  assign unused = &{1'b0, text_valid_i, text_count_i, unpack_ready};
endmodule
