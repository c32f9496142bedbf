// SPDX-License-Identifier: Apache-2.0
// A command in one transfer becomes the bytes that gcm_nano takes: what it is, the IV, and when
// decrypting the tag. Of an IV that is not 12 bytes nothing is sent; its further words are taken.
// Latency: 1 cycle. Throughput: one byte a cycle.
module nano_wide_command (
    input  logic         clk,
    input  logic         rst,
    input  logic         open_i,  // a transfer may be taken
    output logic         busy_o,
    input  logic         command_valid_i,
    output logic         command_ready_o,
    input  logic         command_context_i,
    input  logic         command_decrypt_i,
    input  logic [127:0] command_tag_i,
    input  logic [  4:0] command_tag_bytes_i,
    input  logic [ 15:0] command_iv_bytes_i,
    input  logic [127:0] command_iv_i,
    output logic         byte_valid_o,
    input  logic         byte_ready_i,
    output logic [  7:0] byte_o,
    output logic         byte_last_o
);
  localparam int Bytes = 1 + 12 + 16;

  logic [8*Bytes-1:0] bytes_q;
  logic [4:0] sent_q;
  logic [4:0] tag_bytes_q;
  logic [11:0] words_q;  // of the IV, still to come
  logic decrypt_q, short_q, first;
  logic goes, ends, begins;

  assign first           = !busy_o;
  assign command_ready_o = first ? open_i : words_q != '0;
  assign begins          = first && command_ready_o;
  assign goes            = byte_valid_o && byte_ready_i;
  assign byte_valid_o    = busy_o && words_q == '0;
  assign byte_o          = bytes_q[7:0];
  assign ends            = sent_q == 5'd28
      || (sent_q > 5'd12 && 6'(sent_q) == 6'd12 + 6'(tag_bytes_q));
  assign byte_last_o     = sent_q == 5'd12 || ends;

  always_ff @(posedge clk) begin
    if (begins) begin
      bytes_q <= {command_tag_i, command_iv_i[95:0],
                  command_decrypt_i, 1'b0, command_context_i, command_tag_bytes_i};
      sent_q <= command_iv_bytes_i == 16'd12 ? 5'd0 : 5'd12;
      short_q <= command_iv_bytes_i != 16'd12;
      words_q <= command_iv_bytes_i == '0 ? '0 : 12'((command_iv_bytes_i - 16'd1) >> 4);
      decrypt_q <= command_decrypt_i;
      tag_bytes_q <= command_tag_bytes_i;
    end else begin
      if (command_valid_i && words_q != '0) words_q <= words_q - 12'd1;
      if (goes) begin
        bytes_q <= short_q && sent_q == 5'd12 ? bytes_q >> 104 : bytes_q >> 8;
        sent_q  <= sent_q + 5'd1;
        short_q <= 1'b0;
      end
    end
    if (rst) busy_o <= 1'b0;
    else if (begins) busy_o <= command_valid_i;
    else if (goes && (ends || (sent_q == 5'd12 && !decrypt_q))) busy_o <= 1'b0;
  end

  logic unused;
  assign unused = &{1'b0, command_iv_i[127:96]};
endmodule
