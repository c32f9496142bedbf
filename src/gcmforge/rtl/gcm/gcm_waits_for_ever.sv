// SPDX-License-Identifier: Apache-2.0
// Where waiting has no end: a sender may stop for as long as it likes, and commands and data pass.
// Latency: none. Throughput: one beat a cycle.
module gcm_waits_for_ever (
    input  logic command_valid_i,
    output logic command_ready_o,
    output logic command_valid_o,
    input  logic command_ready_i,
    output logic made_o,
    input  logic data_valid_i,
    output logic data_ready_o,
    output logic data_valid_o,
    input  logic data_ready_i,
    output logic close_o,
    output logic doubt_o
);
  assign command_valid_o = command_valid_i;
  assign command_ready_o = command_ready_i;
  assign data_valid_o    = data_valid_i;
  assign data_ready_o    = data_ready_i;
  assign made_o          = 1'b0;
  assign close_o         = 1'b0;
  assign doubt_o         = 1'b0;
endmodule
