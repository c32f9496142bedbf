// SPDX-License-Identifier: Apache-2.0
// Adds up the bytes of a section and tells when they are above its limit, with no carry on the path
// that is longer than the low bits.
//
// The upper bits change once in 16 steps at most, so what they change to is made beforehand. The sum is
// near its limit when it was less than 4 steps below two cycles ago; whether it is above then shows in the
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

  localparam int Middle = (Upper + 1) / 2;
  localparam logic [Low-1:0] NEAR_LOW = Low'(NEAR);
  localparam logic [Middle-1:0] NEAR_MIDDLE = Middle'(NEAR >> Low);
  localparam logic [Upper-1:0] NEAR_HIGH = Upper'(NEAR >> (Low + Middle));

  logic [Low-1:0] low_q, low_d, left;
  logic [Upper-1:0] upper_q, upper_next, upper_d;
  logic carry, near_q;
  logic low_near_q, middle_near_q, middle_same_q, high_near_q, high_same_q;
  logic [Middle-1:0] middle;
  logic [Upper-1:0] high;

  assign {carry, low_d} = {1'b0, low_q} + (Low + 1)'(step_i);
  assign upper_d = carry ? upper_next : upper_q;
  assign left    = Low'(Max) - low_d;  // its top bit: less than none
  assign sum_o   = 64'({upper_d, low_d});
  assign over_o  = near_q && left[Low-1];

  gcm_increment #(
      .Width(Upper)
  ) u_next (
      .clk    (clk),
      .value_i(upper_q),
      .next_o (upper_next)
  );

  // The comparison with NEAR in parts, put together a cycle later
  assign middle = upper_q[Middle-1:0];
  assign high   = upper_q >> Middle;

  always_ff @(posedge clk) begin
    if (rst || clear_i) begin
      low_q         <= '0;
      upper_q       <= '0;
      low_near_q    <= NEAR_LOW == '0;
      middle_near_q <= 1'b0;
      middle_same_q <= NEAR_MIDDLE == '0;
      high_near_q   <= 1'b0;
      high_same_q   <= NEAR_HIGH == '0;
      near_q        <= NEAR == 64'd0;
    end else begin
      if (add_i) begin
        low_q   <= low_d;
        upper_q <= upper_d;
      end
      low_near_q    <= low_q >= NEAR_LOW;
      middle_near_q <= {1'b0, middle} > {1'b0, NEAR_MIDDLE};
      middle_same_q <= middle == NEAR_MIDDLE;
      high_near_q   <= {1'b0, high} > {1'b0, NEAR_HIGH};
      high_same_q   <= high == NEAR_HIGH;
      near_q <= high_near_q || (high_same_q && (middle_near_q || (middle_same_q && low_near_q)));
    end
  end
endmodule
