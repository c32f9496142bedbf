// SPDX-License-Identifier: Apache-2.0
// A gcm_ram whose words lie side by side, so that properties around it can name them: what is read
// is what was written last. gcm_ram itself is proven to do this (properties/gcm_ram.sv).
module gcm_ram #(
    parameter int Width = 128,
    parameter int Depth = 1,
    parameter bit ReadRegister = 1'b1,
    localparam int AddrWidth = Depth > 1 ? $clog2(Depth) : 1
) (
    input  logic                 clk,
    input  logic                 write_i,
    input  logic [AddrWidth-1:0] write_addr_i,
    input  logic [    Width-1:0] write_data_i,
    input  logic                 read_i,
    input  logic [AddrWidth-1:0] read_addr_i,
    output logic [    Width-1:0] read_data_o
);
  (* anyseq *) logic [Width-1:0] anything;  // at an address beyond the last word
  logic [Depth*Width-1:0] words_q;
  logic [Width-1:0] word;

  always_comb begin
    word = anything;
    for (int i = 0; i < Depth; i++)
      if (Depth == 1 || read_addr_i == AddrWidth'(i)) word = words_q[Width*i+:Width];
  end

  for (genvar i = 0; i < Depth; i++) begin : gen_word
    always_ff @(posedge clk)
      if (write_i && (Depth == 1 || write_addr_i == AddrWidth'(i)))
        words_q[Width*i+:Width] <= write_data_i;
  end

  if (Depth > 1 && ReadRegister) begin : gen_register
    logic [Width-1:0] read_q;
    always_ff @(posedge clk) if (read_i) read_q <= word;
    assign read_data_o = read_q;
  end else begin : gen_through
    assign read_data_o = word;
  end
endmodule
