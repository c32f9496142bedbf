// SPDX-License-Identifier: Apache-2.0
// Words of which several are read in one cycle: kept once, with a choice of words for each reader.
// Latency: read data with its address. Throughput: one write and Reads reads a cycle.
module segments_store #(
    parameter int Width = 128,
    parameter int Depth = 4,
    parameter int Reads = 2,
    localparam int AddrWidth = Depth > 1 ? $clog2(Depth) : 1
) (
    input  logic                       clk,
    input  logic                       write_i,
    input  logic [      AddrWidth-1:0] write_addr_i,
    input  logic [          Width-1:0] write_data_i,
    input  logic [Reads*AddrWidth-1:0] read_addr_i,
    output logic [    Reads*Width-1:0] read_data_o
);
  if (Reads == 1) begin : gen_one
    gcm_ram #(
        .Width       (Width),
        .Depth       (Depth),
        .ReadRegister(1'b0)
    ) u_ram (
        .clk         (clk),
        .write_i     (write_i),
        .write_addr_i(write_addr_i),
        .write_data_i(write_data_i),
        .read_i      (1'b1),
        .read_addr_i (read_addr_i),
        .read_data_o (read_data_o)
    );
  end else begin : gen_more
    logic [Depth*Width-1:0] words_q;

    for (genvar d = 0; d < Depth; d++) begin : gen_word
      always_ff @(posedge clk)
        if (write_i && (Depth == 1 || write_addr_i == AddrWidth'(d)))
          words_q[d*Width+:Width] <= write_data_i;
    end

    // The word at the address that is read comes through, by AND and OR: fewer gates than choices
    // of two.
    for (genvar r = 0; r < Reads; r++) begin : gen_read
      logic [Width-1:0] word;
      always_comb begin
        word = '0;
        for (int d = 0; d < Depth; d++)
          word = word | (words_q[d*Width+:Width]
              & {Width{Depth == 1 || read_addr_i[r*AddrWidth+:AddrWidth] == AddrWidth'(d)}});
      end
      assign read_data_o[r*Width+:Width] = word;
    end
  end
endmodule
