// SPDX-License-Identifier: Apache-2.0
// The IV of a packet, with its check byte; all 0 after a key has come, for the hash subkey. With
// its first word the others become 0.
// Latency: 1 cycle. Throughput: one word a cycle.
module micro_checked_iv (
    input  logic        clk,
    input  logic        blank_i,        // word place_i becomes 0
    input  logic        write_i,        // word_i is word place_i
    input  logic [ 1:0] place_i,
    input  logic [31:0] word_i,
    input  logic        blank_again_i,  // the same, for the check byte
    input  logic        write_again_i,
    input  logic [ 1:0] place_again_i,
    output logic [95:0] iv_o,
    output logic [ 7:0] sum_o           // of its bytes, as it must be
);
  logic [95:0] iv_q;
  logic [7:0] sum_q, comes;

  assign iv_o  = iv_q;
  assign sum_o = sum_q;

  micro_byte_sum #(
      .Bytes(4)
  ) u_comes (
      .bytes_i(word_i),
      .sum_o  (comes)
  );

  for (genvar w = 0; w < 3; w++) begin : gen_word
    always_ff @(posedge clk)
      if ((blank_i || write_i) && (place_i == 2'd0 || place_i == 2'(w)))
        iv_q[95-32*w-:32] <= word_i & {32{write_i && place_i == 2'(w)}};
  end

  always_ff @(posedge clk)
    if ((blank_again_i || write_again_i) && place_again_i != 2'd3)
      sum_q <= (comes & {8{write_again_i}}) ^ (sum_q & {8{place_again_i != 2'd0}});
endmodule
