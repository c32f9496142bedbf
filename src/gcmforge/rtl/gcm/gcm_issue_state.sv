// SPDX-License-Identifier: Apache-2.0
// Where a packet is: before it, in its data, at its end; none of these while its IV comes in. Each
// state is one bit, because whether a beat passes depends on one of them, and has to know it early.
//
// Latency: the state of the next cycle. Throughput: a packet may begin in the cycle in which the
// one before it ends.
module gcm_issue_state (
    input  logic clk,
    input  logic rst,
    input  logic start_i,       // a command is taken
    input  logic at_once_i,     // its data may begin in the next cycle
    input  logic iv_done_i,     // or now, after its IV
    input  logic last_beat_i,   // the last beat of data passes
    input  logic close_here_i,  // and takes the packet's end along
    input  logic closing_i,     // the packet ends
    output logic idle_o,
    output logic data_o,
    output logic close_o        // a slot of its own for the end of the packet
);
  logic idle_q, data_q, close_q;
  logic data_ends;

  assign idle_o    = idle_q;
  assign data_o    = data_q;
  assign close_o   = close_q;
  assign data_ends = data_q && last_beat_i;

  always_ff @(posedge clk)
    if (rst) {idle_q, data_q, close_q} <= 3'b100;
    else begin
      idle_q  <= !start_i && (idle_q || (data_ends && close_here_i) || (close_q && closing_i));
      data_q  <= (start_i && at_once_i) || iv_done_i || (data_q && !last_beat_i);
      close_q <= (data_ends && !close_here_i) || (close_q && !closing_i);
    end
endmodule
