// SPDX-License-Identifier: Apache-2.0
// Satoh 2007, the GHASH part of Fig. 6 and its operation of Fig. 7: q = Lanes multipliers with a
// register each by equation (6), and equation (10) before the data, for a message whose lengths are
// known when it begins. The AES is outside: it gives E(K, Y0) and H when they are asked for.
//
// Steps, by the letters of Fig. 7: (a) RegT takes E(K, Y0), times 1; (b) RegH and RegHq take H;
// (c) to (d) RegHq is squared until it is H^q; (e) RegT takes C_X = Len H + E(K, Y0). Then beats of
// data, (f) the last full one, (g) the last; (h) products that are left; the sum of all registers.
//
// All blocks are multiplied by H once more than equation (6) has it, as Len is in C_X already: the
// last one by H^2, the q-th last by H^(q+1), which is H^q and then H.
// Blocks are polynomials: bit i is the coefficient of x^i.
// Latency: the tag comes in the cycle after the last product. Throughput: a beat a cycle.
module satoh2007 #(
    parameter int Lanes = 4
) (
    input  logic                 clk,
    input  logic                 rst,
    // a message of so many blocks of AAD and text begins
    input  logic                 start_i,
    input  logic [         15:0] blocks_i,
    input  logic [        127:0] enc_y0_i,
    input  logic [        127:0] subkey_i,
    input  logic [        127:0] lengths_i,
    // its blocks, the first on top; what is beyond the message is not read
    input  logic [Lanes*128-1:0] in_data_i,
    output logic                 take_o,
    // what is shown of every cycle
    output logic [          2:0] step_o,
    output logic [        127:0] reg_t_o,
    output logic [        127:0] reg_h_o,
    output logic [        127:0] reg_hq_o,
    output logic [Lanes*128-1:0] registers_o,  // lane 0 on top
    output logic                 tag_valid_o,
    output logic [        127:0] tag_o
);
  localparam int Squares = $clog2(Lanes);
  localparam logic [2:0] IDLE = 3'd0;
  localparam logic [2:0] TAKE_Y0 = 3'd1;    // (a)
  localparam logic [2:0] TAKE_H = 3'd2;     // (b)
  localparam logic [2:0] SQUARE = 3'd3;     // (c) to (d)
  localparam logic [2:0] FOLD = 3'd4;       // (e)
  localparam logic [2:0] MULTIPLY = 3'd5;   // data, (f) to (h)
  localparam logic [2:0] ADD = 3'd6;

  function automatic logic [127:0] product(input logic [127:0] a, input logic [127:0] b);
    logic [127:0] power;
    product = '0;
    power   = b;
    for (int i = 0; i < 128; i++) begin
      product = product ^ (power & {128{a[i]}});
      power   = {power[126:0], 1'b0} ^ (power[127] ? 128'h87 : 128'h0);
    end
  endfunction

  logic [2:0] step_q;
  logic [15:0] left_q;       // blocks that have not come in
  logic [7:0] squared_q;
  logic [127:0] t_q, h_q, hq_q;
  logic [Lanes-1:0] busy;    // a product is left after this cycle
  logic [127:0] shared;      // what the first multiplier makes before the data

  assign take_o  = step_q == MULTIPLY && left_q != '0;
  assign step_o  = step_q;
  assign reg_t_o = t_q;
  assign reg_h_o = h_q;
  assign reg_hq_o = hq_q;

  // one multiplier, that of the first lane, is all that the steps before the data take
  always_comb
    case (step_q)
      TAKE_Y0: shared = product(enc_y0_i, 128'd1);
      TAKE_H: shared = product(subkey_i, 128'd1);
      SQUARE: shared = product(hq_q, hq_q);
      default: shared = product(lengths_i, h_q);
    endcase

  always_ff @(posedge clk)
    if (rst) step_q <= IDLE;
    else
      case (step_q)
        IDLE: if (start_i) step_q <= TAKE_Y0;
        TAKE_Y0: step_q <= TAKE_H;
        TAKE_H: step_q <= Squares == 0 ? FOLD : SQUARE;
        SQUARE: if (squared_q == 8'(Squares - 1)) step_q <= FOLD;
        FOLD: step_q <= left_q == '0 ? ADD : MULTIPLY;
        MULTIPLY: if (left_q <= 16'(Lanes) && busy == '0) step_q <= ADD;
        default: step_q <= IDLE;
      endcase

  always_ff @(posedge clk) begin
    if (step_q == IDLE) left_q <= blocks_i;
    else if (take_o) left_q <= left_q > 16'(Lanes) ? left_q - 16'(Lanes) : '0;
    squared_q <= step_q == SQUARE ? squared_q + 8'd1 : '0;
    if (step_q == TAKE_Y0) t_q <= shared;
    if (step_q == FOLD) t_q <= t_q ^ shared;
    if (step_q == TAKE_H) h_q <= shared;
    if (step_q == TAKE_H || step_q == SQUARE) hq_q <= shared;
  end

  // ---- lanes
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int Low = (Lanes - 1 - l) * 128;
    logic [127:0] sum_q, sum;
    logic [15:0] after;        // blocks of the message after this lane's
    logic [15:0] more_q, more; // products with H that are left
    logic here, ends;

    assign here  = take_o && left_q > 16'(l);
    assign after = left_q - 16'(l + 1);
    assign ends  = here && after < 16'(Lanes);
    assign sum   = sum_q ^ (here ? in_data_i[Low+:128] : 128'b0);

    // a block with k after it gets H^(k+2)
    always_comb begin
      more = more_q == '0 ? '0 : more_q - 16'd1;
      if (ends)
        more = after == 16'(Lanes - 1) ? 16'd1 : after == 16'(Lanes - 2) ? 16'd0 : after + 16'd1;
    end
    assign busy[l] = more != '0;

    always_ff @(posedge clk) begin
      more_q <= step_q == MULTIPLY ? more : '0;
      if (step_q == FOLD) sum_q <= '0;
      else if (here && (!ends || after >= 16'(Lanes - 2))) sum_q <= product(sum, hq_q);
      else if (here || more_q != '0) sum_q <= product(sum, h_q);
    end
    assign registers_o[Low+:128] = sum_q;
  end

  always_comb begin
    tag_o = t_q;
    for (int i = 0; i < Lanes; i++)
      if (blocks_i != '0) tag_o = tag_o ^ registers_o[128*i+:128];
  end
  assign tag_valid_o = step_q == ADD;

  if (Lanes < 2) begin : gen_bad
    $error("satoh2007: Lanes must be at least 2");
  end
endmodule
