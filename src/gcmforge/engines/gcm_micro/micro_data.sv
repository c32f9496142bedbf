// SPDX-License-Identifier: Apache-2.0
// The one block of data of a core: four words that come in at one end, are encrypted or decrypted
// where they stand, and leave at the other. With each byte goes whether it is there, and with each
// word whether it may be shown.
// Latency: combinational. Throughput: one word, or one block, a cycle.
module micro_data (
    input  logic         clk,
    input  logic         rst,
    input  logic         shift_i,   // word_i comes, the first word leaves
    input  logic [ 31:0] word_i,    // its first byte on top
    input  logic [  3:0] keep_i,
    input  logic         show_i,
    input  logic         change_i,  // block_i takes the place of block_o
    input  logic [127:0] block_i,
    output logic [127:0] block_o,
    output logic [ 15:0] keep_o,
    output logic         show_o     // of the first word
);
  logic [127:0] block_q;
  logic [15:0] keep_q;
  logic [3:0] show_q;

  assign block_o = block_q;
  assign keep_o  = keep_q;
  assign show_o  = show_q[3];

  always_ff @(posedge clk) begin
    if (shift_i) block_q <= {block_q[95:0], word_i};
    else if (change_i) block_q <= block_i;
    if (shift_i) show_q <= {show_q[2:0], show_i};
    if (rst) keep_q <= '0;
    else if (shift_i) keep_q <= {keep_q[11:0], keep_i};
  end
endmodule
