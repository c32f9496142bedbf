// SPDX-License-Identifier: Apache-2.0
// A table with one port, which writes or reads: LUT RAM holds a third more bits that way than with
// an address of its own for writing.
// Latency: what is read comes with its address. Throughput: one read or one write a cycle.
module ghash_table #(
    parameter int Width = 132,
    parameter int Depth = 32,
    localparam int AddrWidth = $clog2(Depth)
) (
    input  logic                 clk,
    input  logic                 write_i,
    input  logic [AddrWidth-1:0] addr_i,
    input  logic [    Width-1:0] write_data_i,
    output logic [    Width-1:0] read_data_o
);
  logic [Width-1:0] mem_q[0:Depth-1];

  always_ff @(posedge clk) if (write_i) mem_q[addr_i] <= write_data_i;

  assign read_data_o = mem_q[addr_i];
endmodule
