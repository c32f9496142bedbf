// SPDX-License-Identifier: Apache-2.0
// Text leaves as it comes, decrypted text before its packet's verdict is known: whoever takes it
// must not use it before.
// Latency: combinational. Throughput: one beat a cycle.
module gcm_release_streaming #(
    parameter int Width = 8
) (
    input  logic             clk,
    input  logic             rst,
    // beats of text; in_error_i: the packet is known to be bad, and stays so
    input  logic             in_valid_i,
    output logic             in_ready_o,
    output logic             in_soon_o,        // it is ready in the next cycle, whatever comes
    input  logic [Width-1:0] in_beat_i,
    input  logic             in_error_i,
    // the packet under way ends, with this beat or without
    input  logic             end_i,
    // one verdict for each end, in order
    input  logic             verdict_valid_i,
    input  logic             verdict_ok_i,
    // the same beats
    output logic             out_valid_o,
    input  logic             out_ready_i,
    input  logic             out_soon_i,
    output logic [Width-1:0] out_beat_o
);
  assign out_valid_o = in_valid_i;
  assign out_beat_o  = in_beat_i;
  assign in_ready_o  = out_ready_i;
  assign in_soon_o   = out_soon_i;

  logic unused;
  assign unused = &{1'b0, clk, rst, in_error_i, end_i, verdict_valid_i, verdict_ok_i};
endmodule
