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

    // A choice of two at each bit of the address, the lowest first.
    for (genvar r = 0; r < Reads; r++) begin : gen_read
      logic [2**AddrWidth*Width-1:0] level0;
      assign level0 = (2 ** AddrWidth * Width)'(words_q);
      for (genvar b = 0; b < AddrWidth; b++) begin : gen_bit
        localparam int Left = 2 ** (AddrWidth - 1 - b);
        logic [2*Left*Width-1:0] from;
        logic [Left*Width-1:0] kept;
        logic unused;  // words that are not there
        assign unused = &{1'b0, from, read_addr_i};
        if (b == 0) begin : gen_first
          assign from = level0;
        end else begin : gen_next
          assign from = gen_bit[b-1].kept;
        end
        for (genvar w = 0; w < Left; w++) begin : gen_pair
          if ((2 * w + 1) << b >= Depth) begin : gen_none
            assign kept[w*Width+:Width] = from[2*w*Width+:Width];
          end else begin : gen_two
            assign kept[w*Width+:Width] = read_addr_i[r*AddrWidth+b]
                ? from[(2*w+1)*Width+:Width] : from[2*w*Width+:Width];
          end
        end
      end
      assign read_data_o[r*Width+:Width] = gen_bit[AddrWidth-1].kept;
    end
  end
endmodule
