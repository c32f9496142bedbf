// SPDX-License-Identifier: Apache-2.0
// Commands between gcm_ahead and gcm_issue where key stream is made for one packet at a time. The
// command stays where it is, in gcm_command: it is offered to gcm_issue from there, and goes when
// gcm_issue took it and its blocks were begun.
//
// Latency: 1 cycle from in_valid_i to told_o and to out_valid_o. Throughput: a command in 3 cycles.
module gcm_ahead_commands_one #(
    parameter int Width = 8
) (
    input  logic             clk,
    input  logic             rst,
    // oldest command
    input  logic             in_valid_i,
    output logic             in_ready_o,
    input  logic [Width-1:0] in_data_i,
    output logic             told_o,       // its blocks may be made
    input  logic             start_i,      // they are begun
    // to gcm_issue
    output logic             out_valid_o,
    input  logic             out_ready_i,
    output logic [Width-1:0] out_data_o
);
  logic told_q, begun_q, offer_q, taken_q;  // begun: its blocks; taken: it, by gcm_issue
  logic taken;

  assign taken       = offer_q && out_ready_i;
  assign told_o      = told_q;
  assign out_data_o  = in_data_i;
  assign out_valid_o = offer_q;
  assign in_ready_o  = begun_q && taken_q;

  always_ff @(posedge clk)
    if (rst) begin
      told_q  <= 1'b0;
      begun_q <= 1'b0;
      offer_q <= 1'b0;
      taken_q <= 1'b0;
    end else begin
      told_q  <= !start_i && (told_q || (in_valid_i && !begun_q));
      begun_q <= start_i || (begun_q && !in_ready_o);
      offer_q <= !taken && (offer_q || (in_valid_i && !taken_q));
      taken_q <= taken || (taken_q && !in_ready_o);
    end
endmodule
