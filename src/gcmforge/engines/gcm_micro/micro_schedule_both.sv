// SPDX-License-Identifier: Apache-2.0
// The key of a core that takes keys of 128 and of 256 bits, and its round keys, made forwards from
// it again with every block (FIPS 197, section 5.2): a step makes four words, through four S-boxes.
// Latency: key_o has round key 0 after load_i, and round key n in the n-th cycle after that.
// Throughput: one round key a cycle.
module micro_schedule_both (
    input  logic         clk,
    input  logic         rst,
    input  logic         write_i,  // word_i is word place_i of the key
    input  logic [  3:0] place_i,
    input  logic [ 31:0] word_i,
    input  logic         last_i,   // and its last one
    output logic         whole_o,  // that makes a key of a size that is built
    output logic         long_o,   // the key has 256 bits
    input  logic         load_i,
    output logic [127:0] key_o
);
  logic [255:0] key_q;
  logic [127:0] this_q;   // this round key
  logic [127:0] after_q;  // with 256 bits the next one; its last word is the newest with both
  logic [7:0] constant_q;
  logic long_q;
  logic turns_q;  // the new words have a constant, and their word for the S-boxes is rotated
  logic [127:0] made;

  assign whole_o = place_i == 4'd3 || place_i == 4'd7;
  assign long_o  = long_q;

  for (genvar w = 0; w < 8; w++) begin : gen_word
    always_ff @(posedge clk)
      if (write_i && place_i[2:0] == 3'(w)) key_q[255-32*w-:32] <= word_i;
  end
  always_ff @(posedge clk)
    if (rst) long_q <= 1'b0;
    else if (write_i && last_i) long_q <= place_i[2];

  assign key_o = this_q;

  micro_words u_words (
      .clk       (clk),
      .old_i     (this_q),
      .newest_i  (after_q[31:0]),
      .turns_i   (turns_q),
      .constant_i(constant_q),
      .made_o    (made)
  );

  always_ff @(posedge clk) begin
    this_q  <= load_i ? key_q[255:128] : long_q ? after_q : made;
    after_q <= load_i ? {key_q[127:32], long_q ? key_q[31:0] : key_q[159:128]} : made;
    turns_q <= load_i || !long_q || !turns_q;
    if (load_i) constant_q <= 8'h01;
    else if (turns_q)
      constant_q <= {constant_q[6:0], 1'b0} ^ (constant_q[7] ? 8'h1b : 8'h00);
  end
endmodule
