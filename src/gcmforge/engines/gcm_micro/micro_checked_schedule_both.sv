// SPDX-License-Identifier: Apache-2.0
// The key of a core that takes keys of 128 and of 256 bits, and its round keys, as in
// micro_schedule_both, with two parity bits for each word. Each half of the key is a shift
// register.
// Latency: key_o has round key 0 after load_i, and round key n in the n-th cycle after that; bad_o
// 1 cycle. Throughput: one round key a cycle.
module micro_checked_schedule_both (
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

  logic [127:0] first_q, second_q;    // of the key
  logic [127:0] this_q;               // this round key
  logic [127:0] after_q;              // as in micro_schedule_both
  logic [7:0] first_parity_q, second_parity_q, made_parity, now;  // word 0 on top
  logic [7:0] this_parity_q, after_parity_q;  // of new words less what the S-boxes added
  logic [7:0] this_parity, after_parity;
  logic made_q;
  logic [1:0] comes_odd, change_odd;
  logic [127:0] made;
  logic boxes_bad;
  logic [7:0] first_sum_q, second_sum_q, comes;  // of the bytes of both halves of the key
  logic loaded_q, second_loaded_q;               // one of these is the round key now

  micro_byte_sum #(
      .Bytes(4)
  ) u_comes (
      .bytes_i(word_i),
      .sum_o  (comes)
  );

  always_ff @(posedge clk) begin
    if (write_i && !place_i[2]) first_q <= {first_q[95:0], word_i};
    if (write_i && place_i[2]) second_q <= {second_q[95:0], word_i};
    if (write_again_i && !place_again_i[2]) begin
      first_parity_q <= {first_parity_q[5:0], comes_odd};
      first_sum_q    <= comes ^ (first_sum_q & {8{place_again_i[1:0] != 2'd0}});
    end
    if (write_again_i && place_again_i[2]) begin
      second_parity_q <= {second_parity_q[5:0], comes_odd};
      second_sum_q    <= comes ^ (second_sum_q & {8{place_again_i[1:0] != 2'd0}});
    end
  end

  assign key_o = this_q;

  micro_checked_words u_words (
      .clk         (clk),
      .old_i       (this_q),
      .old_parity_i(this_parity),
      .newest_i    (after_q[31:0]),
      .turns_i     (turns_i),
      .constant_i  (constant_i),
      .odd_i       (odd_i),
      .made_o      (made),
      .parity_o    (made_parity),
      .change_odd_o(change_odd),
      .bad_o       (boxes_bad)
  );

  always_ff @(posedge clk) begin
    this_q         <= load_i ? first_q : long_i ? after_q : made;
    this_parity_q  <= load_again_i ? first_parity_q : long_again_i ? after_parity : made_parity;
    after_q        <= load_i ? {second_q[127:32], long_i ? second_q[31:0] : first_q[31:0]} : made;
    after_parity_q <= load_again_i
        ? {second_parity_q[7:2], long_again_i ? second_parity_q[1:0] : first_parity_q[1:0]}
        : made_parity;
    made_q          <= !load_again_i;
    loaded_q        <= load_again_i;
    second_loaded_q <= loaded_q && !load_again_i && long_again_i;
  end

  assign this_parity  = this_parity_q ^ {4{change_odd & {2{made_q && !long_again_i}}}};
  assign after_parity = after_parity_q ^ {4{change_odd & {2{made_q}}}};
  assign comes_odd    = {^(word_i & ODD), ^(word_i & ~ODD)};

  for (genvar w = 0; w < 4; w++) begin : gen_now
    assign now[2*w+:2] = {^(this_q[32*w+:32] & ODD), ^(this_q[32*w+:32] & ~ODD)};
  end
  assign bad_o = boxes_bad || (loaded_q && key_sum_i != first_sum_q)
      || (second_loaded_q && key_sum_i != second_sum_q) || now != this_parity
      || {^(after_q[31:0] & ODD), ^(after_q[31:0] & ~ODD)} != after_parity[1:0];

  logic unused;
  assign unused = &{1'b0, place_i[1:0]};
endmodule
