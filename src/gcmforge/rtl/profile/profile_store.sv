// SPDX-License-Identifier: Apache-2.0
// A word for each context, such as the salt that came with its key.
// Latency: none from address to word; a word written is there one cycle later. Throughput: one read
// and one write a cycle. A context that does not exist has no word: its commands are refused anyway.
module profile_store #(
    parameter int Width = 96,
    parameter int Contexts = 1,
    localparam int AddrWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                 clk,
    input  logic                 write_i,
    input  logic [AddrWidth-1:0] write_at_i,
    input  logic [    Width-1:0] write_data_i,
    input  logic [AddrWidth-1:0] read_at_i,
    output logic [    Width-1:0] read_data_o
);
  logic exists;
  assign exists = {1'b0, write_at_i} < (AddrWidth + 1)'(Contexts);

  gcm_ram #(
      .Width       (Width),
      .Depth       (Contexts),
      .ReadRegister(1'b0)
  ) u_ram (
      .clk         (clk),
      .write_i     (write_i && exists),
      .write_addr_i(write_at_i),
      .write_data_i(write_data_i),
      .read_i      (1'b1),
      .read_addr_i (read_at_i),
      .read_data_o (read_data_o)
  );
endmodule
