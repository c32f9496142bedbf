// SPDX-License-Identifier: Apache-2.0
// Round keys of a key of 128 or 256 bits, a word a cycle (FIPS 197, section 5.2). Words move up by
// one in every cycle, for ever: of five cycles four make a word, and what enters in the fifth is
// not used. So a word meets the one four places before it after one round, and the one eight places
// before it after two, and nothing has to be held.
// Latency: 1 cycle. Throughput: one word a cycle, four in five cycles.
module micro_window_both (
    input  logic        clk,
    input  logic        load_i,   // key_i is the word
    input  logic [31:0] key_i,
    input  logic        start_i,  // a block begins
    input  logic        first_i,  // the first word of a round: boxed_i is added, with a constant
    input  logic        long_i,   // the key has 256 bits
    input  logic        odd_i,    // this round has an odd number: with 256 bits no constant
    input  logic [31:0] boxed_i,
    output logic [31:0] word_o    // the word of the cycle before
);
  logic [319:0] words_q;  // the newest one lowest
  logic [7:0] constant_q;
  logic [31:0] old, made;
  logic constant;

  assign constant = !long_i || !odd_i;
  assign word_o   = words_q[31:0];
  assign old      = long_i ? words_q[319:288] : words_q[159:128];
  assign made     = old
      ^ (first_i ? boxed_i ^ {constant_q & {8{constant}}, 24'h0} : word_o);

  always_ff @(posedge clk) begin
    words_q <= {words_q[287:0], load_i ? key_i : made};
    if (start_i) constant_q <= 8'h01;
    else if (first_i && constant)
      constant_q <= {constant_q[6:0], 1'b0} ^ (constant_q[7] ? 8'h1b : 8'h00);
  end
endmodule
