// SPDX-License-Identifier: Apache-2.0
// A key of 256 bits in one transfer becomes the bytes that gcm_nano takes: 16 of them, or 32 where
// these are built. A size that is not built becomes one byte, which is no key; a context that does
// not exist becomes nothing.
// Latency: 1 cycle. Throughput: one byte a cycle.
module nano_wide_key_sized #(
    parameter int KeyBits = 128  // of the longest key: 128, or 256 with both
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         open_i,  // a transfer may be taken
    output logic         busy_o,
    input  logic         key_valid_i,
    output logic         key_ready_o,
    input  logic [255:0] key_data_i,
    input  logic [  1:0] key_size_i,
    input  logic         key_context_i,
    output logic         byte_valid_o,
    input  logic         byte_ready_i,
    output logic [  7:0] byte_o,
    output logic         byte_last_o
);
  localparam int LeftWidth = $clog2(KeyBits / 8);
  logic [KeyBits-1:0] key_q;
  logic [LeftWidth-1:0] left_q;

  assign key_ready_o  = open_i && !busy_o;
  assign byte_valid_o = busy_o;
  assign byte_o       = key_q[7:0];
  assign byte_last_o  = left_q == '0;

  always_ff @(posedge clk) begin
    if (key_ready_o) begin
      key_q  <= key_data_i[KeyBits-1:0];
      left_q <= key_size_i == 2'd0 ? LeftWidth'(15)
          : KeyBits == 256 && key_size_i == 2'd2 ? LeftWidth'(31) : '0;
    end else if (byte_ready_i) begin
      key_q  <= key_q >> 8;
      left_q <= left_q - LeftWidth'(1);
    end
    if (rst) busy_o <= 1'b0;
    else if (key_ready_o) busy_o <= key_valid_i && !key_context_i;
    else if (byte_ready_i && byte_last_o) busy_o <= 1'b0;
  end

  logic unused;
  assign unused = &{1'b0, key_data_i};
endmodule
