// SPDX-License-Identifier: Apache-2.0
// The direction of a command in a core that has both.
// Latency: combinational. Throughput: one command a cycle.
module streams_direction_both (
    input  logic                             decrypt_i,  // as the command says
    input  logic [gcm_pkg::STATUS_WIDTH-1:0] status_i,   // what else is wrong with it
    output logic                             decrypt_o,  // its packet is decrypted
    output logic [gcm_pkg::STATUS_WIDTH-1:0] status_o
);
  assign decrypt_o = decrypt_i;
  assign status_o  = status_i;
endmodule
