// SPDX-License-Identifier: Apache-2.0
// The key of a core that takes keys of 128 bits only, and its round keys, as in
// micro_schedule_short, with two parity bits for each word. The key is a shift register.
// Latency: key_o has round key 0 after load_i, and round key n in the n-th cycle after that; bad_o
// 1 cycle. Throughput: one round key a cycle.
module micro_checked_schedule_short (
    input  logic         clk,
    input  logic         write_i,     // word_i is word place_i of the key
    input  logic [  2:0] place_i,
    input  logic [ 31:0] word_i,
    input  logic         write_again_i,  // the same, for what is checked
    input  logic [  2:0] place_again_i,
    input  logic         long_again_i,
    input  logic         load_again_i,
    input  logic [  7:0] key_sum_i,   // of the bytes of key_o
    input  logic         long_i,      // the key has 256 bits
    input  logic         turns_i,     // as in micro_checked_words
    input  logic [  7:0] constant_i,
    input  logic [  1:0] odd_i,
    input  logic         load_i,
    output logic [127:0] key_o,
    output logic         bad_o        // of no meaning before there is a key
);
  localparam logic [31:0] ODD = 32'haaaaaaaa;  // odd bits of a word

  logic [127:0] key_q, this_q, made;
  logic [7:0] key_parity_q, made_parity, now;  // word 0 on top
  logic [7:0] this_parity_q;  // of new words less what the S-boxes added
  logic [7:0] this_parity;
  logic [1:0] comes_odd, change_odd;
  logic boxes_bad;

  logic [7:0] key_sum_q, comes;  // of the bytes of the key
  logic loaded_q;                // it is the round key now

  micro_byte_sum #(
      .Bytes(4)
  ) u_comes (
      .bytes_i(word_i),
      .sum_o  (comes)
  );

  always_ff @(posedge clk) begin
    if (write_i) key_q <= {key_q[95:0], word_i};
    if (write_again_i) begin
      key_parity_q <= {key_parity_q[5:0], comes_odd};
      key_sum_q    <= comes ^ (key_sum_q & {8{place_again_i[1:0] != 2'd0}});
    end
  end

  assign key_o = this_q;

  micro_checked_words u_words (
      .clk         (clk),
      .old_i       (this_q),
      .old_parity_i(this_parity),
      .newest_i    (this_q[31:0]),
      .turns_i     (turns_i),
      .constant_i  (constant_i),
      .odd_i       (odd_i),
      .made_o      (made),
      .parity_o    (made_parity),
      .change_odd_o(change_odd),
      .bad_o       (boxes_bad)
  );

  always_ff @(posedge clk) begin
    this_q        <= load_i ? key_q : made;
    this_parity_q <= load_again_i ? key_parity_q : made_parity;
    loaded_q      <= load_again_i;
  end

  assign this_parity = this_parity_q ^ {4{change_odd & {2{!loaded_q}}}};
  assign comes_odd   = {^(word_i & ODD), ^(word_i & ~ODD)};

  for (genvar w = 0; w < 4; w++) begin : gen_now
    assign now[2*w+:2] = {^(this_q[32*w+:32] & ODD), ^(this_q[32*w+:32] & ~ODD)};
  end
  assign bad_o = boxes_bad || (loaded_q && key_sum_i != key_sum_q) || now != this_parity;

  logic unused;
  assign unused = &{1'b0, place_i, place_again_i, long_i, long_again_i};
endmodule
