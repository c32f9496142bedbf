// SPDX-License-Identifier: Apache-2.0
// When a packet's end goes with its last beat, where J0 has a lane of its own in the AES and the
// length block a multiplier of its own: always.
//
// Latency: combinational. Throughput: a beat a cycle.
module gcm_closing_own_j0 (
    input  logic last_i,
    output logic j0_here_o,
    output logic j0_first_o,
    output logic closes_o
);
  assign j0_here_o  = last_i;
  assign j0_first_o = 1'b0;
  assign closes_o   = last_i;
endmodule
