// SPDX-License-Identifier: Apache-2.0
// The counters of a beat, lane by lane: bytes 12 to 15 of its counter blocks. Every lane keeps byte
// 15 of its own counter; bytes 12 to 14 are kept once, and a lane knows whether they are one more
// in it.
//
// An AES with shared counters builds once what the blocks of a beat have in common: bytes 0 to 11
// are the same in all of them, and bytes 12 to 14 have at most two values, that of the first lane
// and, after a carry out of byte 15, that of the last.
//
// Latency: combinational, from registers; the upper part of the counter stands for two cycles at
// least. Throughput: a beat a cycle.
module gcm_lane_counters (
    input  logic                         clk,
    input  logic                         start_i,     // J0 ends in one: count from two
    input  logic                         j0_there_i,  // or from j0_i on,
    input  logic [                 31:0] j0_i,
    input  logic                         first_i,     // to which one is added in this cycle
    input  logic                         next_i,      // a beat of text passes
    output logic [gcm_pkg::LANES*32-1:0] counters_o
);
  localparam int Lanes = gcm_pkg::LANES;

  logic [23:0] upper_q, upper_next;  // of the first lane, and one more
  logic [Lanes-1:0] carries;         // byte 15 carries on its way to the next beat
  logic [Lanes-1:0] carried;         // byte 15 has, in this lane or in one before it

  gcm_increment #(
      .Width(24)
  ) u_upper_next (
      .clk    (clk),
      .value_i(upper_q),
      .next_o (upper_next)
  );

  always_ff @(posedge clk)
    if (start_i) upper_q <= '0;
    else if (j0_there_i) upper_q <= j0_i[31:8];
    else if ((first_i || next_i) && carries[0]) upper_q <= upper_next;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int Low = (Lanes - 1 - l) * 32;
    logic [7:0] low_q, low_d;

    assign {carries[l], low_d} = {1'b0, low_q} + (first_i ? 9'(l + 1) : 9'(Lanes));

    always_ff @(posedge clk)
      if (start_i) low_q <= 8'(l + 2);
      else if (j0_there_i) low_q <= j0_i[7:0];
      else if (first_i || next_i) low_q <= low_d;

    if (l == 0) begin : gen_first
      assign carried[l] = 1'b0;
    end else begin : gen_later
      logic carried_q;
      assign carried[l] = carried_q;
      always_ff @(posedge clk)
        if (start_i || j0_there_i) carried_q <= 1'b0;
        else if (first_i || next_i) carried_q <= (carried_q || carries[l]) && !carries[0];
    end

    assign counters_o[Low+:32] = {carried[l] ? upper_next : upper_q, low_q};
  end
endmodule
