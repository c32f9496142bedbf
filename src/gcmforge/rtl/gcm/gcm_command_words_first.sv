// SPDX-License-Identifier: Apache-2.0
// What is kept of a command, in gcm_command, where key stream is made ahead: its first beat, with
// its tag, an IV of 96 bits and in how many beats its text will come. The command waits until the
// last beat of its IV has come.
// Latency: combinational. Throughput: one beat a cycle.
module gcm_command_words_first (
    input  logic         in_valid_i,
    output logic         in_ready_o,
    input  logic         in_first_i,       // the next beat begins a command
    input  logic [127:0] in_tag_i,
    input  logic [ 15:0] in_iv_bytes_i,
    input  logic [127:0] in_iv_i,
    input  logic [ 31:0] in_text_beats_i,
    output logic         keep_o,           // the beat, where there is space
    input  logic         space_i,
    output logic         iv_o,             // it has 96 bits
    output logic [255:0] blocks_o,
    // the oldest
    input  logic         some_i,
    input  logic         two_i,            // there is one after it
    input  logic         iv_i,
    input  logic [255:0] blocks_i,
    output logic         out_valid_o,
    output logic [127:0] out_tag_o,
    output logic [ 15:0] out_iv_bytes_o,   // 12, or 0 for every other length
    output logic [127:0] out_iv_o,
    output logic [ 31:0] out_text_beats_o
);
  assign keep_o     = in_valid_i && in_first_i;
  assign in_ready_o = space_i || !in_first_i;
  assign iv_o       = in_iv_bytes_i == 16'd12;
  assign blocks_o   = {in_tag_i, in_iv_i[127:32], in_text_beats_i};

  assign out_valid_o    = some_i && (in_first_i || two_i);
  assign out_iv_bytes_o = iv_i ? 16'd12 : '0;
  assign out_iv_o[31:0] = '0;
  assign {out_tag_o, out_iv_o[127:32], out_text_beats_o} = blocks_i;

  logic unused;
  assign unused = &{1'b0, in_iv_i[31:0]};
endmodule
