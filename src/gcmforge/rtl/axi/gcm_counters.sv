// SPDX-License-Identifier: Apache-2.0
// Counters that are taken all at once: in one cycle every count moves to where it can be read, and
// begins again. Nothing is lost between two takings and nothing is counted twice.
//
// The low part of each changes in every cycle; the upper one changes with its carry, which comes
// once in 16 cycles at most, so what it changes to is made beforehand.
// Latency: 2 cycles from an event to its count. Throughput: one event a counter and cycle.
module gcm_counters #(
    parameter int Count = 8,
    parameter int Width = 64,
    parameter int AddWidth = 9
) (
    input  logic                      clk,
    input  logic                      rst,
    input  logic [Count*AddWidth-1:0] add_i,   // counter 0 in the low bits
    input  logic                      take_i,
    output logic [   Count*Width-1:0] taken_o  // zero until the first taking
);
  localparam int Low = AddWidth + 4;
  localparam int Upper = Width - Low;

  logic [Count*AddWidth-1:0] add_q;
  logic [Count*Width-1:0] taken_q, sum;

  assign taken_o = taken_q;

  for (genvar c = 0; c < Count; c++) begin : gen_counter
    logic [Low-1:0] low_q, low_d;
    logic [Upper-1:0] upper_q, upper_d, upper_next;
    logic carry;

    assign {carry, low_d} = {1'b0, low_q} + (Low + 1)'(add_q[AddWidth*c+:AddWidth]);
    assign upper_d = carry ? upper_next : upper_q;

    assign sum[Width*c+:Width] = {upper_d, low_d};

    gcm_increment #(
        .Width(Upper)
    ) u_next (
        .clk    (clk),
        .value_i(upper_q),
        .next_o (upper_next)
    );

    always_ff @(posedge clk) begin
      low_q   <= rst || take_i ? '0 : low_d;
      upper_q <= rst || take_i ? '0 : upper_d;
    end
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      add_q   <= '0;
      taken_q <= '0;
    end else begin
      add_q <= add_i;
      if (take_i) taken_q <= sum;
    end
  end
endmodule
