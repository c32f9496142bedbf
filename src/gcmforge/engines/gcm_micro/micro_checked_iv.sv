// SPDX-License-Identifier: Apache-2.0
// The IV of a packet as a shift register, with its check byte; all 0 after a key has come, for the
// hash subkey.
// Latency: 1 cycle. Throughput: one word a cycle.
module micro_checked_iv (
    input  logic        clk,
    input  logic        blank_i,  // a word of zeros comes; a key brings at least three
    input  logic        write_i,  // word_i comes
    input  logic [31:0] word_i,
    output logic [95:0] iv_o,
    output logic [ 7:0] sum_o     // of its bytes, as it must be
);
  logic [95:0] iv_q;
  logic [7:0] sum_q, comes, leaves;

  assign iv_o  = iv_q;
  assign sum_o = sum_q;

  micro_byte_sum #(
      .Bytes(4)
  ) u_comes (
      .bytes_i(word_i),
      .sum_o  (comes)
  );

  micro_byte_sum #(
      .Bytes(4)
  ) u_leaves (
      .bytes_i(iv_q[95:64]),
      .sum_o  (leaves)
  );

  always_ff @(posedge clk)
    if (blank_i || write_i) begin
      iv_q  <= {iv_q[63:0], word_i & {32{write_i}}};
      sum_q <= (sum_q ^ comes ^ leaves) & {8{write_i}};
    end
endmodule
