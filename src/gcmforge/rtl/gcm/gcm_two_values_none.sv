// SPDX-License-Identifier: Apache-2.0
// A core whose lanes share nothing of their counters, or whose J0 never goes with text: a carry
// within a beat keeps J0 from no place.
//
// Latency: none. Throughput: a beat a cycle.
module gcm_two_values_none (
    output logic two_values_o
);
  assign two_values_o = 1'b0;
endmodule
