// SPDX-License-Identifier: Apache-2.0
// IVs of 96 bits, in gcm_issue, where a command is one beat: none of a longer IV comes here.
// Latency: none. Throughput: a command a cycle.
module gcm_issue_iv_short (
    input  logic         start_i,    // a command is taken
    input  logic [ 15:0] bytes_i,    // of its IV
    output logic         taken_o,    // the core takes an IV of that length
    output logic         passes_o,   // the command passes
    output logic         at_once_o,  // the packet's data may begin in the next cycle
    output logic         done_o,
    output logic         hash_o,     // none of it is hashed
    output logic         length_o,
    output logic [127:0] block_o,
    output logic         wait_o,
    output logic         count_o
);
  assign taken_o   = bytes_i == 16'd12;
  assign passes_o  = start_i;
  assign at_once_o = 1'b1;
  assign {done_o, hash_o, length_o, wait_o, count_o} = '0;
  assign block_o   = '0;
endmodule
