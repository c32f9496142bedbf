// SPDX-License-Identifier: Apache-2.0
// One write port, one read port, registered or not. With the read register, a word that is read in
// the cycle in which it is written is read as it was before. A compiled memory in place of this
// module has to give the old word or the new one then, and nothing else: streams_keys needs one of
// both. A single word needs no read register: it is shown as it stands, so that a write is seen a
// cycle earlier than with the register, and its readers take either.
// Latency: read data one enabled cycle after its address, or with it without the read register.
// Throughput: one read and one write a cycle.
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
  if (Depth > 1) begin : gen_memory
    logic [Width-1:0] mem_q[0:Depth-1];

    always_ff @(posedge clk) if (write_i) mem_q[write_addr_i] <= write_data_i;

    if (ReadRegister) begin : gen_register
      logic [Width-1:0] read_q;
      always_ff @(posedge clk) if (read_i) read_q <= mem_q[read_addr_i];
      assign read_data_o = read_q;
    end else begin : gen_through
      logic unused;
      assign unused      = &{1'b0, read_i};
      assign read_data_o = mem_q[read_addr_i];
    end
  end else begin : gen_word
    logic [Width-1:0] word_q;
    logic unused;

    assign read_data_o = word_q;
    assign unused      = &{1'b0, write_addr_i, read_i, read_addr_i};

    always_ff @(posedge clk) if (write_i) word_q <= write_data_i;
  end
endmodule
