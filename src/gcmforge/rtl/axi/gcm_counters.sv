// SPDX-License-Identifier: Apache-2.0
// Counters that are taken all at once: in one cycle every count moves to where it can be read, and
// begins again. Nothing is lost between two takings and nothing is counted twice.
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
  logic [Count*AddWidth-1:0] add_q;
  logic [Count*Width-1:0] count_q, taken_q, sum;

  assign taken_o = taken_q;

  for (genvar c = 0; c < Count; c++) begin : gen_counter
    assign sum[Width*c+:Width] = count_q[Width*c+:Width] + Width'(add_q[AddWidth*c+:AddWidth]);
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      add_q   <= '0;
      count_q <= '0;
      taken_q <= '0;
    end else begin
      add_q   <= add_i;
      count_q <= take_i ? '0 : sum;
      if (take_i) taken_q <= sum;
    end
  end
endmodule
