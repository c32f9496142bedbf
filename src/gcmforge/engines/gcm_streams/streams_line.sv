// SPDX-License-Identifier: Apache-2.0
// Words that come out as many steps later as they went in: a ring in a memory, where gcm_line moves
// every word in every step.
// Latency: Depth steps. Throughput: one word a step.
module streams_line #(
    parameter int Width = 8,
    parameter int Depth = 12,
    localparam int AddrWidth = $clog2(Depth)
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             step_i,
    input  logic [Width-1:0] word_i,
    output logic [Width-1:0] word_o
);
  localparam logic [AddrWidth-1:0] LAST = AddrWidth'(Depth - 1);

  logic [AddrWidth-1:0] write_q, read_q;  // read_q is the place after write_q, the oldest word

  always_ff @(posedge clk)
    if (rst) begin
      write_q <= '0;
      read_q  <= AddrWidth'(1);
    end else if (step_i) begin
      write_q <= read_q;
      read_q  <= read_q == LAST ? '0 : read_q + AddrWidth'(1);
    end

  gcm_ram #(
      .Width(Width),
      .Depth(Depth)
  ) u_words (
      .clk         (clk),
      .write_i     (step_i),
      .write_addr_i(write_q),
      .write_data_i(word_i),
      .read_i      (step_i),
      .read_addr_i (read_q),
      .read_data_o (word_o)
  );

  if (Depth < 2) begin : gen_bad
    $error("streams_line: Depth must be at least 2");
  end
endmodule
