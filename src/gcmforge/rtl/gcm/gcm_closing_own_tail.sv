// SPDX-License-Identifier: Apache-2.0
// When J0 and a packet's end go with a beat, where the length block has a multiplier of its own: J0
// goes with the first beat that leaves the AES a free lane, and the end with the last beat if J0
// has gone by then.
//
// Latency: combinational. Throughput: a beat a cycle.
module gcm_closing_own_tail (
    input  logic text_i,
    input  logic last_i,
    input  logic free_i,      // the last beat, with a lane that J0 may take
    input  logic j0_sent_i,   // with an earlier beat
    output logic j0_here_o,
    output logic j0_first_o,  // in the first lane, whatever the beat has
    output logic closes_o
);
  assign j0_here_o  = !j0_sent_i && (!text_i || free_i);
  assign j0_first_o = !text_i;
  assign closes_o   = last_i && (j0_sent_i || j0_here_o);
endmodule
