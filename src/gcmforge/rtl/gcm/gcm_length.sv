// SPDX-License-Identifier: Apache-2.0
// Adds up the bytes of a section and tells when they are above its limit, with no carry on the path
// that is longer than the low bits.
//
// The upper bits change once in 16 steps at most, so their next value is made beforehand, and a
// carry takes it a cycle later. A register tells that the sum was less than 4 steps below the limit
// three cycles ago or fewer. Only then does it matter whether the limit is passed, and the low bits
// of what is left decide it: they count 16 steps, and cannot wrap between 5 steps below the limit
// and one above.
// Latency: 1 cycle to the sum. Throughput: one step a cycle.
module gcm_length #(
    parameter longint unsigned Max = 64'd68719476704,
    parameter int Step = 16,  // bytes added at once, at most
    localparam int StepWidth = $clog2(Step + 1)
) (
    input  logic                 clk,
    input  logic                 rst,
    input  logic                 add_i,
    input  logic                 end_i,    // with it or instead: the next step begins a packet
    input  logic [StepWidth-1:0] step_i,
    output logic [         63:0] sum_o,    // of the steps before, until a new packet begins
    output logic                 over_o    // with this step it is above Max: add none after it
);
  localparam int Low = $clog2(Step) + 4;
  localparam int Needed = $clog2(Max + 64'(2 * Step) + 64'd1);
  localparam int Upper = Needed > Low ? Needed - Low : 1;
  localparam longint unsigned NEAR = Max > 64'(4 * Step) ? Max - 64'(4 * Step) : 64'd0;

  localparam int Middle = (Upper + 1) / 2;
  localparam logic [Low-1:0] NEAR_LOW = Low'(NEAR);
  localparam logic [Middle-1:0] NEAR_MIDDLE = Middle'(NEAR >> Low);
  localparam logic [Upper-1:0] NEAR_HIGH = Upper'(NEAR >> (Low + Middle));

  // left: of Max, in as many bits; its top one: less than none
  logic [Low-1:0] low_q, left_q, left_d;
  logic [Low:0] low_d;
  logic [Upper-1:0] upper_q, upper_next;
  logic first_q;  // the next step begins a packet
  logic carry_q;  // the upper bits are one more than upper_q
  logic near_q;   // the sum is NEAR at least; what follows says so of its parts
  logic low_near_q, middle_near_q, middle_same_q, high_near_q, high_same_q;
  logic [Middle-1:0] middle;
  logic [Upper-1:0] high;

  assign low_d  = {1'b0, first_q ? Low'(0) : low_q} + (Low + 1)'(step_i);
  assign left_d = left_q - Low'(step_i);
  assign sum_o  = 64'({carry_q ? upper_next : upper_q, low_q});
  assign over_o = (NEAR == 64'd0 || (near_q && !first_q)) && left_d[Low-1];

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

  always_ff @(posedge clk)
    if (rst) first_q <= 1'b1;
    else if (end_i) first_q <= 1'b1;
    else if (add_i) first_q <= 1'b0;

  always_ff @(posedge clk)
    if (rst || end_i) left_q <= Low'(Max);
    else if (add_i) left_q <= left_d;

  always_ff @(posedge clk) begin
    if (add_i) low_q <= low_d[Low-1:0];
    if (add_i && first_q) upper_q <= '0;
    else if (carry_q) upper_q <= upper_next;
  end

  always_ff @(posedge clk)
    if (rst) carry_q <= 1'b0;
    else carry_q <= add_i && low_d[Low];

  always_ff @(posedge clk) begin
    if (first_q) begin
      low_near_q    <= NEAR_LOW == '0;
      middle_near_q <= 1'b0;
      middle_same_q <= NEAR_MIDDLE == '0;
      high_near_q   <= 1'b0;
      high_same_q   <= NEAR_HIGH == '0;
      near_q        <= NEAR == 64'd0;
    end else begin
      low_near_q    <= low_q >= NEAR_LOW;
      middle_near_q <= {1'b0, middle} > {1'b0, NEAR_MIDDLE};
      middle_same_q <= middle == NEAR_MIDDLE;
      high_near_q   <= {1'b0, high} > {1'b0, NEAR_HIGH};
      high_same_q   <= high == NEAR_HIGH;
      if (high_near_q || (high_same_q && (middle_near_q || (middle_same_q && low_near_q))))
        near_q <= 1'b1;
    end
  end
endmodule
