// SPDX-License-Identifier: Apache-2.0
// Where a core cannot be erased: all streams pass, and it is never busy.
// Latency: none. Throughput: that of the core.
module gcm_erases_nothing (
    output logic                              busy_o,
    output logic                              core_reset_o,
    output logic                              zeros_o,
    output logic [gcm_pkg::CONTEXT_WIDTH-1:0] context_o,
    input  logic                              key_valid_i,
    output logic                              key_ready_o,
    input  logic [                       1:0] key_size_i,
    output logic                              key_valid_o,
    input  logic                              key_ready_i,
    output logic [                       1:0] key_size_o,
    input  logic                              command_valid_i,
    output logic                              command_ready_o,
    output logic                              command_valid_o,
    input  logic                              command_ready_i,
    input  logic                              data_valid_i,
    output logic                              data_ready_o,
    output logic                              data_valid_o,
    input  logic                              data_ready_i,
    input  logic                              text_valid_i,
    output logic                              text_ready_o,
    output logic                              text_valid_o,
    input  logic                              text_ready_i,
    output logic                              text_close_o,
    input  logic                              tag_valid_i,
    output logic                              tag_ready_o,
    output logic                              tag_valid_o,
    input  logic                              tag_ready_i,
    output logic                              tag_erased_o
);
  assign busy_o          = 1'b0;
  assign core_reset_o    = 1'b0;
  assign zeros_o         = 1'b0;
  assign context_o       = '0;
  assign key_valid_o     = key_valid_i;
  assign key_ready_o     = key_ready_i;
  assign key_size_o      = key_size_i;
  assign command_valid_o = command_valid_i;
  assign command_ready_o = command_ready_i;
  assign data_valid_o    = data_valid_i;
  assign data_ready_o    = data_ready_i;
  assign text_valid_o    = text_valid_i;
  assign text_ready_o    = text_ready_i;
  assign text_close_o    = 1'b0;
  assign tag_valid_o     = tag_valid_i;
  assign tag_ready_o     = tag_ready_i;
  assign tag_erased_o    = 1'b0;
endmodule
