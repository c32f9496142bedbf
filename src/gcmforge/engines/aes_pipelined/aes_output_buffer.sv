// SPDX-License-Identifier: Apache-2.0
// The end of a pipeline of AES rounds whose taker may pause at any time: it knows which places hold
// a beat, buffers what leaves the last round, and stops all places while the buffer is full.
//
// Latency: 1 cycle from the last place to the taker. Throughput: one beat a cycle.
module aes_output_buffer #(
    parameter int Lanes = 1,
    parameter int Places = 11  // from a beat's first to its last
) (
    input  logic                 clk,
    input  logic                 rst,
    output logic                 advance_o,   // all places move
    input  logic                 in_valid_i,  // a beat comes to the first place
    input  logic [Lanes*128-1:0] state_i,     // at the last place, after the last round
    output logic                 out_valid_o,
    input  logic                 out_ready_i,
    output logic [Lanes*128-1:0] out_blocks_o
);
  logic [Places-1:0] valid_q;

  always_ff @(posedge clk)
    if (rst) valid_q <= '0;
    else if (advance_o) valid_q <= {valid_q[Places-2:0], in_valid_i};

  axis_skid #(
      .Width(Lanes * 128)
  ) u_output (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (valid_q[Places-1]),
      .in_ready_o (advance_o),
      .in_data_i  (state_i),
      .out_valid_o(out_valid_o),
      .out_ready_i(out_ready_i),
      .out_data_o (out_blocks_o)
  );
endmodule
