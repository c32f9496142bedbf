// SPDX-License-Identifier: Apache-2.0
// One seed for simulations of a masked core with a generator, and nothing else: it is known.
// Latency: none. Throughput: five words after a reset, and no more.
module masked_seeds (
    input  logic        clk,
    input  logic        rst,
    output logic        valid_o,
    input  logic        ready_i,
    output logic [31:0] seed_o
);
  logic [2:0] sent_q;

  assign valid_o = sent_q != 3'd5;
  assign seed_o  = 32'h9e3779b9 * {29'd1, sent_q};

  always_ff @(posedge clk) begin
    if (rst) sent_q <= 3'd0;
    else if (valid_o && ready_i) sent_q <= sent_q + 3'd1;
  end
endmodule
