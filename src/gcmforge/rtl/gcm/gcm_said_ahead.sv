// SPDX-License-Identifier: Apache-2.0
// Beats of text that a command announced, and that are still to come, where the key stream is made
// before the text. A beat too many has no key stream; a packet that ends early leaves key stream
// over, which has to be taken out of the AES.
//
// The AES holds fewer than 64 beats. When more were announced and do not come, gcm_ahead has not
// made all of them by the time it stands still, and does not make the rest then.
//
// Latency: none. Throughput: a beat a cycle.
module gcm_said_ahead (
    input  logic        clk,
    input  logic        rst,
    input  logic        start_i,         // with the command's number
    input  logic [31:0] text_beats_i,
    input  logic        data_i,          // the packet's data is coming; its end is being made
    input  logic        close_i,
    input  logic        text_i,          // the beat has text
    input  logic        last_i,
    input  logic        drained_i,       // key stream without text is taken; a beat of text passes
    input  logic        taken_i,
    input  logic        still_i,         // gcm_ahead stands still, with blocks to make
    input  logic [ 5:0] left_i,          // low bits of how many
    output logic        has_stream_o,    // announced beats are left: this one has a stream
    output logic        more_streams_o,  // and one is left after this beat
    output logic        wrong_o,         // too few beats, or too many
    output logic        drains_o,        // key stream may be taken without text
    output logic        cut_o            // what is left is not to be made
);
  logic [31:0] left_q;  // in two halves, so that no borrow is long
  logic more_q, one_q;  // there are some; it is one
  logic many_q, settled_q;  // more than the AES can have; and that is known
  logic cut_q, was_cut_q;  // those that are not made are taken off; they were
  logic [5:0] made;  // those that are in the AES, after this cycle
  logic takes;

  assign made           = left_q[5:0] - left_i + 6'(!still_i);
  assign takes          = drained_i || (taken_i && more_q);
  assign has_stream_o   = more_q;
  assign more_streams_o = more_q && !(data_i && text_i && one_q);
  assign wrong_o        = (text_i && !more_q) || (last_i && more_streams_o);
  assign drains_o       = settled_q && !many_q;
  assign cut_o          = cut_q;

  always_ff @(posedge clk)
    if (rst) begin
      settled_q <= 1'b0;
      cut_q     <= 1'b0;
      was_cut_q <= 1'b0;
    end else begin
      settled_q <= close_i;
      cut_q     <= settled_q && many_q && still_i && !cut_q && !was_cut_q;
      was_cut_q <= cut_q;
    end
  always_ff @(posedge clk) many_q <= left_q[31:6] != '0;

  always_ff @(posedge clk)
    if (start_i) begin
      left_q <= text_beats_i;
      more_q <= text_beats_i != '0;
      one_q  <= text_beats_i == 32'd1;
    end else if (cut_q) begin
      left_q <= {26'b0, made};
    end else if (was_cut_q) begin
      more_q <= left_q[5:0] != '0;
      one_q  <= left_q[5:0] == 6'd1;
    end else if (takes) begin
      left_q[15:0] <= left_q[15:0] - 16'd1;
      if (left_q[15:0] == '0) left_q[31:16] <= left_q[31:16] - 16'd1;
      more_q <= !one_q;
      one_q  <= left_q == 32'd2;
    end

  // synthesis translate_off
  always_ff @(posedge clk) cut_to_what_is_made : assert (rst || !cut_q || made < 6'd60);
  // synthesis translate_on
endmodule
