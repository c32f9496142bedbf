// SPDX-License-Identifier: Apache-2.0
// First-in first-out queue; the oldest word is at the output before it is asked for.
// Latency: 1 cycle from in to out. Throughput: one word a cycle for Depth of 2 or more.
module gcm_fifo #(
    parameter int Width = 8,
    parameter int Depth = 4,
    // The free word that is next takes whatever is at the input, so that in_valid_i has the
    // pointers to drive and no word. Only where nobody looks at an output that is not valid.
    parameter bit Eager = 1'b0
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             in_valid_i,
    output logic             in_ready_o,
    input  logic [Width-1:0] in_data_i,
    output logic             out_valid_o,
    input  logic             out_ready_i,
    output logic [Width-1:0] out_data_o
);
  localparam int PtrWidth = Depth > 1 ? $clog2(Depth) : 1;
  localparam int CountWidth = $clog2(Depth + 1);
  localparam logic [PtrWidth-1:0] LAST = PtrWidth'(Depth - 1);

  logic [Width-1:0] mem_q[0:Depth-1];
  logic [PtrWidth-1:0] read_q, write_q;
  logic [CountWidth-1:0] count_q;
  logic full_q, some_q;  // what count_q says, without the time to look at it
  logic push, pop;

  assign in_ready_o  = !full_q;
  assign out_valid_o = some_q;
  assign out_data_o  = mem_q[read_q];
  assign push        = in_valid_i && in_ready_o;
  assign pop         = out_valid_o && out_ready_i;

  if (Eager) begin : gen_eager
    always_ff @(posedge clk) if (in_ready_o) mem_q[write_q] <= in_data_i;
  end else begin : gen_pushed
    always_ff @(posedge clk) if (push) mem_q[write_q] <= in_data_i;
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      read_q  <= '0;
      write_q <= '0;
      count_q <= '0;
      full_q  <= 1'b0;
      some_q  <= 1'b0;
    end else begin
      if (push) write_q <= write_q == LAST ? '0 : write_q + PtrWidth'(1);
      if (pop) read_q <= read_q == LAST ? '0 : read_q + PtrWidth'(1);
      if (push && !pop) begin
        count_q <= count_q + CountWidth'(1);
        full_q  <= count_q == CountWidth'(Depth - 1);
        some_q  <= 1'b1;
      end
      if (pop && !push) begin
        count_q <= count_q - CountWidth'(1);
        full_q  <= 1'b0;
        some_q  <= count_q != CountWidth'(1);
      end
    end
  end

  if (Depth < 1) begin : gen_bad
    $error("gcm_fifo: Depth must be at least 1");
  end
endmodule
