// SPDX-License-Identifier: Apache-2.0
// A core without lanes for AAD: none comes with a beat of text.
//
// Latency: none. Throughput: none.
module gcm_side_none (
    output logic                               any_o,
    output logic                               bad_o,
    output logic [    gcm_pkg::SIDE_WIDTH-1:0] bytes_o,
    output logic [gcm_pkg::SIDE_LANES*128-1:0] data_o
);
  assign any_o   = 1'b0;
  assign bad_o   = 1'b0;
  assign bytes_o = '0;
  assign data_o  = '0;
endmodule
