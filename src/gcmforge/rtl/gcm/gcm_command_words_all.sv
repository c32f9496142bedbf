// SPDX-License-Identifier: Apache-2.0
// What is kept of a command, in gcm_command: every beat, with its tag and 16 bytes of its IV.
// Latency: combinational. Throughput: one beat a cycle.
module gcm_command_words_all (
    input  logic         in_valid_i,
    output logic         in_ready_o,
    input  logic [127:0] in_tag_i,
    input  logic [ 15:0] in_iv_bytes_i,
    input  logic [127:0] in_iv_i,
    output logic         keep_o,           // the beat, where there is space
    input  logic         space_i,
    output logic [ 15:0] iv_o,
    output logic [255:0] blocks_o,
    // the oldest
    input  logic         some_i,
    input  logic [ 15:0] iv_i,
    input  logic [255:0] blocks_i,
    output logic         out_valid_o,
    output logic [127:0] out_tag_o,
    output logic [ 15:0] out_iv_bytes_o,
    output logic [127:0] out_iv_o,
    output logic [ 31:0] out_text_beats_o  // not kept
);
  assign keep_o     = in_valid_i;
  assign in_ready_o = space_i;
  assign iv_o       = in_iv_bytes_i;
  assign blocks_o   = {in_tag_i, in_iv_i};

  assign out_valid_o      = some_i;
  assign out_iv_bytes_o   = iv_i;
  assign out_text_beats_o = '0;
  assign {out_tag_o, out_iv_o} = blocks_i;
endmodule
