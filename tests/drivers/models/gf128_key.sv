// SPDX-License-Identifier: Apache-2.0
// A key in 256 bits that gf128_dot_stored.sv undoes: the key, and over it the key with its two
// lowest bits added everywhere.
// Latency: STAGES - 1 cycles. Throughput: one key a cycle.
module gf128_key (
    input  logic         clk,
    input  logic [127:0] a_i,
    output logic [255:0] k_o
);
  localparam int Stages = STAGES;  // replaced by a number

  logic [Stages*128-1:0] stages_q;
  logic [127:0] late;

  always_ff @(posedge clk) stages_q <= (stages_q << 128) | (Stages * 128)'(a_i);

  if (Stages == 1) begin : gen_none
    assign late = a_i;
  end else begin : gen_late
    assign late = stages_q[(Stages-2)*128+:128];
  end

  assign k_o = {late ^ {64{late[1:0]}}, late};
endmodule
