// SPDX-License-Identifier: Apache-2.0
// When a packet's end goes with its last beat, where the key stream is made before the text: J0
// comes after the text's blocks, in every lane, so only a last beat without text can take it along.
//
// Latency: combinational. Throughput: a beat a cycle.
module gcm_closing_ahead (
    input  logic text_i,
    input  logic short_i,     // the last beat, with a free last lane
    input  logic more_i,      // key stream is left over
    output logic j0_here_o,
    output logic j0_first_o,  // in the first lane, whatever the beat has
    output logic closes_o
);
  assign j0_here_o  = short_i && !text_i && !more_i;
  assign j0_first_o = 1'b0;
  assign closes_o   = j0_here_o;
endmodule
