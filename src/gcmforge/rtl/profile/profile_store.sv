// SPDX-License-Identifier: Apache-2.0
// A word for each context, such as the salt that came with its key. After a reset, and whenever
// clear_i is high, all words are erased, and none may be written meanwhile.
// Latency: none from address to word; a word written is there one cycle later; busy for Contexts
// cycles after the last one with reset or clear_i. Throughput: one read and one write a cycle. A
// context that does not exist has no word, and none has one while it is busy: zeros are read. Such
// commands are refused anyway.
module profile_store #(
    parameter int Width = 96,
    parameter int Contexts = 1,
    localparam int AddrWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                 clk,
    input  logic                 rst,
    input  logic                 clear_i,
    output logic                 busy_o,
    input  logic                 write_i,
    input  logic [AddrWidth-1:0] write_at_i,
    input  logic [    Width-1:0] write_data_i,
    input  logic [AddrWidth-1:0] read_at_i,
    output logic [    Width-1:0] read_data_o
);
  logic exists, read_exists, busy_q;
  logic [Width-1:0] word;
  logic [AddrWidth-1:0] erase_q;

  assign exists      = {1'b0, write_at_i} < (AddrWidth + 1)'(Contexts);
  assign read_exists = {1'b0, read_at_i} < (AddrWidth + 1)'(Contexts);
  assign read_data_o = busy_q || !read_exists ? '0 : word;
  assign busy_o      = busy_q;

  always_ff @(posedge clk) begin
    if (rst || clear_i) begin
      busy_q  <= 1'b1;
      erase_q <= '0;
    end else if (busy_q) begin
      busy_q  <= erase_q != AddrWidth'(Contexts - 1);
      erase_q <= erase_q + AddrWidth'(1);
    end
  end

  gcm_ram #(
      .Width       (Width),
      .Depth       (Contexts),
      .ReadRegister(1'b0)
  ) u_ram (
      .clk         (clk),
      .write_i     (busy_q || (write_i && exists)),
      .write_addr_i(busy_q ? erase_q : write_at_i),
      .write_data_i(busy_q ? '0 : write_data_i),
      .read_i      (1'b1),
      .read_addr_i (read_at_i),
      .read_data_o (word)
  );
endmodule
