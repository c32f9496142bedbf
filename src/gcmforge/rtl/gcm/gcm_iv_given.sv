// SPDX-License-Identifier: Apache-2.0
// Where every packet brings its IV: commands pass, and answers come without one.
// Latency: none. Throughput: one command a cycle.
module gcm_iv_given (
    input  logic         command_valid_i,
    output logic         command_ready_o,
    input  logic [ 15:0] command_iv_bytes_i,
    input  logic [127:0] command_iv_i,
    output logic         command_valid_o,
    input  logic         command_ready_i,
    output logic [ 15:0] command_iv_bytes_o,
    output logic [127:0] command_iv_o,
    output logic [ 95:0] answer_iv_o
);
  assign command_valid_o    = command_valid_i;
  assign command_ready_o    = command_ready_i;
  assign command_iv_bytes_o = command_iv_bytes_i;
  assign command_iv_o       = command_iv_i;
  assign answer_iv_o        = '0;
endmodule
