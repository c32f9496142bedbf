// SPDX-License-Identifier: Apache-2.0
// Compares a tag in two shares with the expected one, byte after byte, and never has it in the
// clear: whether all bytes so far were equal is a bit in two shares, too. These are added once, at
// the end, for the verdict.
// Latency: 6 cycles from the last byte to settle_i at the earliest. Throughput: one byte a cycle.
module masked_tag (
    input  logic       clk,
    input  logic       go_i,
    input  logic       clear_i,   // nothing has been compared yet
    input  logic       take_i,    // a byte to compare
    input  logic [7:0] byte0_i,   // shares of its difference
    input  logic [7:0] byte1_i,
    input  logic [7:0] random_i,  // new in every cycle
    input  logic       settle_i,  // the verdict is due
    output logic       equal_o    // after that
);
  logic [7:0] byte0_q, byte1_q;
  logic all0, all1, equal0_q, equal1_q;

  masked_match u_match (
      .clk (clk),
      .en_i(go_i),
      .x0_i(byte0_q),
      .x1_i(byte1_q),
      .r0_i(random_i[3:0]),
      .r1_i(random_i[5:4]),
      .r2_i(random_i[6]),
      .a0_i(all0 || clear_i),
      .a1_i(all1 && !clear_i),
      .r3_i(random_i[7]),
      .z0_o(all0),
      .z1_o(all1)
  );

  always_ff @(posedge clk) begin
    if (go_i) begin
      byte0_q <= take_i ? byte0_i : 8'h00;
      byte1_q <= take_i ? byte1_i : 8'h00;
      if (settle_i) begin
        equal0_q <= all0;
        equal1_q <= all1;
      end
    end
  end

  assign equal_o = equal0_q ^ equal1_q;
endmodule
