// SPDX-License-Identifier: Apache-2.0
// The rules of a valid/ready stream, asserted in simulation: a word once offered stays offered, and
// stays what it is, until it is taken. Only rst takes an offer back: a reset, and zeroise at a top
// that has it.
//
// Nothing is asserted of ready, which may rise and fall as it likes, nor of what a word holds: bad
// words have their answer on m_tag. What is unknown in a simulator of four states may wait, and
// stays unknown. Instances stand where synthesis does not look, so that no gate is made of them.
// What waits is remembered only while it waits: a key that was taken is not found here.
// Latency: none. Throughput: one word a cycle; nothing is delayed.
module stream_rules #(
    parameter int Width = 8
) (
    input logic             clk,
    input logic             rst,
    input logic             valid_i,
    input logic             ready_i,
    input logic [Width-1:0] data_i
);
  // synthesis translate_off
  logic waits_q;
  logic [Width-1:0] data_q;

  always_ff @(posedge clk) begin
    waits_q <= !rst && valid_i && !ready_i;
    data_q  <= !rst && valid_i && !ready_i ? data_i : '0;
  end

  always_ff @(posedge clk) begin
    if (!rst && waits_q) begin
      stays_offered : assert (valid_i);
      stays_the_same : assert (!valid_i || data_i === data_q);
    end
  end
  // synthesis translate_on
endmodule
