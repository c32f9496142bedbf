// SPDX-License-Identifier: Apache-2.0
// The key of a core that takes keys of 128 bits only, and its round keys, as in
// micro_schedule_short, with a parity bit for each word. The key is a shift register.
// Latency: key_o has round key 0 after load_i, and round key n in the n-th cycle after that; bad_o
// 1 cycle. Throughput: one round key a cycle.
module micro_checked_schedule_short (
    input  logic         clk,
    input  logic         write_i,     // word_i is the next word of the key
    input  logic         second_i,    // of its second half
    input  logic [ 31:0] word_i,
    input  logic         long_i,      // the key has 256 bits
    input  logic         turns_i,     // as in micro_checked_words
    input  logic [  7:0] constant_i,
    input  logic         odd_i,
    input  logic         load_i,
    output logic [127:0] key_o,
    output logic         bad_o        // of no meaning before there is a key
);
  logic [127:0] key_q, this_q, made;
  logic [3:0] key_parity_q, this_parity_q, made_parity, now;
  logic boxes_bad;

  always_ff @(posedge clk)
    if (write_i) begin
      key_q        <= {key_q[95:0], word_i};
      key_parity_q <= {key_parity_q[2:0], ^word_i};
    end

  assign key_o = this_q;

  micro_checked_words u_words (
      .clk         (clk),
      .old_i       (this_q),
      .old_parity_i(this_parity_q),
      .newest_i    (this_q[31:0]),
      .turns_i     (turns_i),
      .constant_i  (constant_i),
      .odd_i       (odd_i),
      .made_o      (made),
      .parity_o    (made_parity),
      .bad_o       (boxes_bad)
  );

  always_ff @(posedge clk) begin
    this_q        <= load_i ? key_q : made;
    this_parity_q <= load_i ? key_parity_q : made_parity;
  end

  for (genvar w = 0; w < 4; w++) begin : gen_now
    assign now[w] = ^this_q[32*w+:32];
  end
  assign bad_o = boxes_bad || now != this_parity_q;

  logic unused;
  assign unused = &{1'b0, second_i, long_i};
endmodule
