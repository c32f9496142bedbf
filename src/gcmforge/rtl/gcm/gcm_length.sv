// SPDX-License-Identifier: Apache-2.0
// Adds up the bytes of a section and tells when they are above its limit, with no carry on the path
// that is longer than the low bits.
//
// The upper bits change once in 16 steps at most, so what they change to is made beforehand. The sum is
// near its limit when it was less than 4 steps below a cycle ago; whether it is above then shows in the
// low bits, where the way from 5 steps below to one above does not wrap.
// Latency: combinational. Throughput: one step a cycle.
module gcm_length #(
    parameter longint unsigned Max = 64'd68719476704,
    parameter int Step = 16,  // bytes added at once, at most
    localparam int StepWidth = $clog2(Step + 1)
) (
    input  logic                 clk,
    input  logic                 rst,
    input  logic                 add_i,
    input  logic                 clear_i,  // instead: the packet ends
    input  logic [StepWidth-1:0] step_i,
    output logic [         63:0] sum_o,    // with this step
    output logic                 over_o    // it is above Max; not told again once it was added
);
  localparam int Low = $clog2(Step) + 4;
  localparam int Needed = $clog2(Max + 64'(2 * Step) + 64'd1);
  localparam int Upper = Needed > Low ? Needed - Low : 1;
  localparam longint unsigned NEAR = Max > 64'(4 * Step) ? Max - 64'(4 * Step) : 64'd0;

  logic [Low-1:0] low_q, low_d, left;
  logic [Upper-1:0] upper_q, next_q, upper_d;
  logic carry, near_q;

  assign {carry, low_d} = {1'b0, low_q} + (Low + 1)'(step_i);
  assign upper_d = carry ? next_q : upper_q;
  assign left    = Low'(Max) - low_d;  // its top bit: less than none
  assign sum_o   = 64'({upper_d, low_d});
  assign over_o  = near_q && left[Low-1];

  always_ff @(posedge clk) begin
    if (rst || clear_i) begin
      low_q   <= '0;
      upper_q <= '0;
      near_q  <= NEAR == 64'd0;
    end else begin
      if (add_i) begin
        low_q   <= low_d;
        upper_q <= upper_d;
      end
      near_q <= 64'({upper_q, low_q}) >= NEAR;
    end
    next_q <= upper_q + Upper'(1);
  end
endmodule
