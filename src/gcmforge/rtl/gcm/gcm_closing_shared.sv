// SPDX-License-Identifier: Apache-2.0
// When a packet's end goes with its last beat, where J0 and the length block use the lanes of the
// text: when that beat leaves one free.
//
// Latency: combinational. Throughput: a beat a cycle.
module gcm_closing_shared (
    input  logic free_i,      // the last beat, with a lane that J0 may take
    output logic j0_here_o,
    output logic j0_first_o,  // in the first lane, whatever the beat has
    output logic closes_o
);
  assign j0_here_o  = free_i;
  assign j0_first_o = 1'b0;
  assign closes_o   = free_i;
endmodule
