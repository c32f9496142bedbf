// SPDX-License-Identifier: Apache-2.0
// Beats of 128 bits become the words that gcm_micro takes, and its text becomes beats again. Before
// a beat that breaks a rule of frames goes an empty word with a hole, which the core refuses.
// Latency: 2 cycles. Throughput: a beat in 5 cycles.
module micro_wide_data (
    input  logic         clk,
    input  logic         rst,
    input  logic         in_valid_i,
    output logic         in_ready_o,
    input  logic [127:0] in_data_i,
    input  logic [ 15:0] in_keep_i,
    input  logic         in_text_i,
    input  logic         in_last_i,
    output logic         out_valid_o,
    input  logic         out_ready_i,
    output logic [127:0] out_data_o,
    output logic [ 15:0] out_keep_o,
    output logic         out_last_o,
    output logic         word_valid_o,
    input  logic         word_ready_i,
    output logic [ 31:0] word_o,
    output logic [  3:0] word_keep_o,
    output logic         word_text_o,
    output logic         word_last_o,
    input  logic         back_valid_i,
    output logic         back_ready_o,
    input  logic [ 31:0] back_i,
    input  logic [  3:0] back_keep_i,
    input  logic         back_last_i
);
  localparam logic [3:0] HOLE = 4'b0010;

  logic sends_q, text_q, last_q, wrong_q;
  logic [127:0] data_q;
  logic [15:0] keep_q;
  logic begun_q, short_q, section_q;  // of the packet so far
  logic holes, wrong, takes;

  assign in_ready_o   = !sends_q;
  assign takes        = in_valid_i && in_ready_o;
  assign holes        = |(in_keep_i & (in_keep_i + 16'd1));
  assign wrong        = holes
      || (begun_q && (section_q ? !in_text_i || short_q : !in_text_i && short_q));
  assign word_valid_o = sends_q;
  assign word_o       = data_q[31:0];
  assign word_keep_o  = wrong_q ? HOLE : keep_q[3:0];
  assign word_text_o  = text_q;
  assign word_last_o  = last_q && !keep_q[4] && !wrong_q;

  always_ff @(posedge clk) begin
    if (takes) begin
      data_q    <= in_data_i;
      keep_q    <= holes ? 16'd1 : in_keep_i;  // of that a byte is enough
      text_q    <= in_text_i;
      last_q    <= in_last_i;
      section_q <= in_text_i;
      short_q   <= in_keep_i != 16'hffff;
    end else if (word_valid_o && word_ready_i && !wrong_q) begin
      data_q <= {32'b0, data_q[127:32]};
      keep_q <= {4'b0, keep_q[15:4]};
    end
    if (rst) sends_q <= 1'b0;
    else if (takes) sends_q <= wrong || in_keep_i[0] || in_last_i;
    else if (word_ready_i && !keep_q[4] && !wrong_q) sends_q <= 1'b0;
    if (takes) wrong_q <= wrong;
    else if (word_ready_i) wrong_q <= 1'b0;
    if (rst) begun_q <= 1'b0;
    else if (takes) begun_q <= !in_last_i;
  end

  // Words that the core has and where beats end among them: beats leave as they came.
  logic [127:0] back_q;
  logic [1:0] place_q;
  logic [7:0] ends_q;
  logic [2:0] sent_q, returned_q;

  assign back_ready_o = !out_valid_o;
  assign out_data_o   = out_valid_o ? back_q : 128'b0;

  always_ff @(posedge clk) begin
    if (rst || (out_valid_o && out_ready_i)) begin
      out_valid_o <= 1'b0;
      out_keep_o  <= '0;
      back_q      <= '0;
      place_q     <= '0;
    end else if (back_valid_i && back_ready_o) begin
      back_q[32*place_q+:32]   <= back_i;
      out_keep_o[4*place_q+:4] <= back_keep_i;
      out_last_o               <= back_last_i;
      out_valid_o              <= ends_q[returned_q] || !back_keep_i[0];
      place_q                  <= place_q + 2'd1;
    end
    if (word_valid_o && word_ready_i && text_q && word_keep_o[0]) begin
      ends_q[sent_q] <= !keep_q[4];
      sent_q         <= sent_q + 3'd1;
    end
    if (back_valid_i && back_ready_o && back_keep_i[0]) returned_q <= returned_q + 3'd1;
    if (rst) begin
      sent_q     <= '0;
      returned_q <= '0;
    end
  end
endmodule
