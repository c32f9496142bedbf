// SPDX-License-Identifier: Apache-2.0
// Finds where a command begins and ends: its first word has its fields and up to 16 bytes of its IV,
// each further one 16 bytes more.
// Latency: combinational. Throughput: one word a cycle.
module gcm_iv_words (
    input  logic        clk,
    input  logic        rst,
    input  logic        take_i,      // a word is taken
    input  logic [15:0] iv_bytes_i,  // of the IV, with a first word
    output logic        first_o,     // the next word is a command's first
    output logic        last_o       // it is a command's last
);
  logic [11:0] more_q;  // words that are still to come
  logic [12:0] words;

  assign words   = 13'((17'(iv_bytes_i) + 17'd15) >> 4);
  assign first_o = more_q == '0;
  assign last_o  = first_o ? words <= 13'd1 : more_q == 12'd1;

  always_ff @(posedge clk)
    if (rst) more_q <= '0;
    else if (take_i)
      more_q <= !first_o ? more_q - 12'd1 : words > 13'd1 ? 12'(words - 13'd1) : '0;
endmodule
