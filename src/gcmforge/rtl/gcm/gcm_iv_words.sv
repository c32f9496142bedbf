// SPDX-License-Identifier: Apache-2.0
// Finds where a command begins and ends: its first word has its fields and up to 16 bytes of its
// IV, each further one 16 bytes more.
// Latency: combinational. Throughput: one word a cycle.
module gcm_iv_words (
    input  logic        clk,
    input  logic        rst,
    input  logic        take_i,      // a word is taken
    input  logic [15:0] iv_bytes_i,  // of the IV, with a first word
    output logic        first_o,     // the next word is a command's first
    output logic        last_o       // it is a command's last
);
  logic first_q;
  logic [11:0] more_q;  // words that are still to come, with none of them the first

  assign first_o = first_q;
  assign last_o  = first_q ? iv_bytes_i <= 16'd16 : more_q == 12'd1;

  always_ff @(posedge clk) begin
    if (rst) first_q <= 1'b1;
    else if (take_i) first_q <= last_o;
    if (take_i) more_q <= first_q ? 12'((iv_bytes_i - 16'd1) >> 4) : more_q - 12'd1;
  end
endmodule
