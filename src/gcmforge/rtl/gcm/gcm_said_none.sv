// SPDX-License-Identifier: Apache-2.0
// A core in which commands do not announce how much text will come: every beat of text has a key
// stream, and none is left over.
//
// Latency: none. Throughput: a beat a cycle.
module gcm_said_none (
    output logic has_stream_o,
    output logic more_streams_o,
    output logic wrong_o,
    output logic drains_o,
    output logic cut_o
);
  assign has_stream_o   = 1'b1;
  assign more_streams_o = 1'b0;
  assign wrong_o        = 1'b0;
  assign drains_o       = 1'b0;
  assign cut_o          = 1'b0;
endmodule
