// SPDX-License-Identifier: Apache-2.0
// Words that move one place on in every enabled cycle: a delay, not a queue.
// Latency: Depth enabled cycles. Throughput: one word an enabled cycle.
module gcm_line #(
    parameter int Width = 8,
    parameter int Depth = 1
) (
    input  logic             clk,
    input  logic             en_i,
    input  logic [Width-1:0] word_i,
    output logic [Width-1:0] word_o
);
  logic [Depth*Width-1:0] words_q;  // the newest in the low bits

  if (Depth == 1) begin : gen_one
    always_ff @(posedge clk) if (en_i) words_q <= word_i;
  end else begin : gen_more
    always_ff @(posedge clk) if (en_i) words_q <= {words_q[(Depth-1)*Width-1:0], word_i};
  end

  assign word_o = words_q[(Depth-1)*Width+:Width];
endmodule
