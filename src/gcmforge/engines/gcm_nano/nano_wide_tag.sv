// SPDX-License-Identifier: Apache-2.0
// The bytes of gcm_nano's answer become one transfer.
// Latency: 1 cycle after the last byte. Throughput: one answer at a time.
module nano_wide_tag #(
    parameter int StatusBits = 3
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         byte_valid_i,
    output logic         byte_ready_o,
    input  logic [  7:0] byte_i,
    input  logic [StatusBits-1:0] byte_status_i,
    input  logic         byte_last_i,
    output logic         tag_valid_o,
    input  logic         tag_ready_i,
    output logic [127:0] tag_o,
    output logic [StatusBits-1:0] tag_status_o
);
  logic [3:0] place_q;

  assign byte_ready_o = !tag_valid_o;

  always_ff @(posedge clk) begin
    if (rst || (tag_valid_o && tag_ready_i)) begin
      tag_valid_o <= 1'b0;
      place_q     <= '0;
      tag_o       <= '0;
    end else if (byte_valid_i && byte_ready_o) begin
      tag_o[8*place_q+:8] <= byte_i;
      tag_status_o        <= byte_status_i;
      tag_valid_o         <= byte_last_i;
      place_q             <= place_q + 4'd1;
    end
  end
endmodule
