// SPDX-License-Identifier: Apache-2.0
// Counters that are taken all at once: in one cycle every count moves to where it can be read, and
// begins again. Nothing is lost between two takings and nothing is counted twice.
//
// Each is three parts. The low one changes in every cycle; the others change with its carry, which
// comes once in 16 cycles at most, so what they change to is made beforehand and no carry is long.
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
  localparam int Middle = (Width - Low) / 2;
  localparam int High = Width - Low - Middle;

  logic [Count*AddWidth-1:0] add_q;
  logic [Count*Width-1:0] taken_q, sum;

  assign taken_o = taken_q;

  for (genvar c = 0; c < Count; c++) begin : gen_counter
    logic [Low-1:0] low_q, low_d;
    logic [Middle-1:0] middle_q, middle_d, middle_next_q;
    logic [High-1:0] high_q, high_d, high_next_q;
    logic carry, middle_full_q;

    assign {carry, low_d} = {1'b0, low_q} + (Low + 1)'(add_q[AddWidth*c+:AddWidth]);
    assign middle_d = carry ? middle_next_q : middle_q;
    assign high_d   = carry && middle_full_q ? high_next_q : high_q;

    assign sum[Width*c+:Width] = {high_d, middle_d, low_d};

    always_ff @(posedge clk) begin
      low_q         <= rst || take_i ? '0 : low_d;
      middle_q      <= rst || take_i ? '0 : middle_d;
      high_q        <= rst || take_i ? '0 : high_d;
      middle_next_q <= middle_q + Middle'(1);
      middle_full_q <= middle_q == '1;
      high_next_q   <= high_q + High'(1);
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
