// SPDX-License-Identifier: Apache-2.0
// GHASH in q = Lanes interleaved sums, each times H^q a block (Satoh 2007, equation (6) and Fig.
// 2). Blocks are polynomials: bit i is the coefficient of x^i.
//
// A lane keeps its newest block until it knows whether another one follows. If so, its register
// (Reg1 to Reg4 in the paper) takes (register + block) * H^q. A lane's last block, with d - 1
// blocks of the message after it, has to be multiplied by H^d instead: by H^q once if d is q, else
// by H in d cycles. When all lanes have done so, the registers are added up: the digest.
//
// Latency: counted from its first product, a message of n blocks in full beats has its digest after
// n/q + q - 1 cycles (q divides n). In general the tail, the cycles from the last beat to the last
// product, is max(min(c, q - 1), min(n, q - 1) - 1) for c blocks in the last beat, and the digest
// comes tail + 2 cycles after that beat.
// Throughput: one beat a cycle inside a message; the next message waits tail - 1 cycles. Loading a
// subkey takes q - 1 cycles of the multipliers, after the tail that it meets, and is done in the
// second cycle after them.
module ghash_interleaved #(
    parameter int Lanes = 2,
    parameter int Contexts = 1,
    localparam int CountWidth = $clog2(Lanes + 1),
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                    clk,
    input  logic                    rst,
    // messages, up to Lanes blocks a beat, the first blocks on top
    input  logic                    in_valid_i,
    output logic                    in_ready_o,
    input  logic [   Lanes*128-1:0] in_data_i,
    input  logic [  CountWidth-1:0] in_count_i,        // 1 to Lanes
    input  logic                    in_last_i,
    input  logic [ContextWidth-1:0] in_context_i,
    // one digest a message, in order
    output logic                    digest_valid_o,
    output logic [           127:0] digest_o,
    // the hash subkey of a context; never replaced while the context is in use
    input  logic                    subkey_valid_i,
    input  logic [ContextWidth-1:0] subkey_context_i,
    input  logic [           127:0] subkey_i,
    output logic                    subkey_done_o      // its powers are in place
);
  localparam int PlaceWidth = $clog2(Lanes);

  // ---- the beat, dealt out to the lanes
  logic beat, ends;
  logic [Lanes-1:0] take;
  logic [Lanes*128-1:0] blocks;
  logic [Lanes*PlaceWidth-1:0] distances;

  ghash_deal #(
      .Lanes(Lanes)
  ) u_deal (
      .clk       (clk),
      .rst       (rst),
      .beat_i    (beat),
      .data_i    (in_data_i),
      .count_i   (in_count_i),
      .last_i    (in_last_i),
      .take_o    (take),
      .block_o   (blocks),
      .end_o     (ends),
      .distance_o(distances)
  );

  // ---- the tail: products left to do in some lane
  logic tail_q, finishing, power_turn, power_wait;
  logic [Lanes-1:0] going;  // lanes with more than one product left

  assign finishing  = tail_q && going == '0;
  assign in_ready_o = (!tail_q || finishing) && !power_wait;
  assign beat       = in_valid_i && in_ready_o;

  always_ff @(posedge clk)
    if (rst) tail_q <= 1'b0;
    else if (ends) tail_q <= 1'b1;
    else if (finishing) tail_q <= 1'b0;

  // ---- H and H^q of each context
  logic [ContextWidth-1:0] power_context_q;
  logic [PlaceWidth-1:0] power_left_q;  // products to H^q
  logic power_busy_q, store_power;
  logic [127:0] base_q, power_q, power_product;
  logic [127:0] h, h_q;

  assign power_wait    = power_busy_q && power_left_q != '0;
  assign power_turn    = power_wait && !tail_q;
  assign store_power   = power_busy_q && power_left_q == '0;
  assign subkey_done_o = !power_busy_q;

  always_ff @(posedge clk)
    if (rst) power_busy_q <= 1'b0;
    else if (subkey_valid_i) power_busy_q <= 1'b1;
    else if (store_power) power_busy_q <= 1'b0;

  always_ff @(posedge clk) begin
    if (subkey_valid_i) begin
      base_q          <= subkey_i;
      power_q         <= subkey_i;
      power_left_q    <= PlaceWidth'(Lanes - 1);
      power_context_q <= subkey_context_i;
    end else if (power_turn) begin
      power_q      <= power_product;
      power_left_q <= power_left_q - PlaceWidth'(1);
    end
  end

  gcm_ram #(
      .Width(256),
      .Depth(Contexts)
  ) u_powers (
      .clk         (clk),
      .write_i     (store_power),
      .write_addr_i(power_context_q),
      .write_data_i({power_q, base_q}),
      .read_i      (beat),
      .read_addr_i (in_context_i),
      .read_data_o ({h_q, h})
  );

  // ---- lanes
  logic [Lanes*128-1:0] registers;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic pending_q, fresh_q, whole_q, multiply;
    logic [PlaceWidth-1:0] left_q, left_d, distance;  // left: products still to do in the tail
    logic [127:0] block_q, register_q, sum, factor, product;

    assign distance = distances[l*PlaceWidth+:PlaceWidth];
    // Before the tail: when another block comes, or none will.
    assign multiply = left_q != '0 || (take[l] && pending_q) || (ends && !take[l] && !tail_q);
    assign going[l] = left_q > PlaceWidth'(1);
    assign sum      = (fresh_q ? 128'b0 : register_q) ^ (pending_q ? block_q : 128'b0);

    always_comb begin
      factor = h_q;
      if (left_q != '0 ? !whole_q : !take[l] && distance != '0) factor = h;
    end

    always_ff @(posedge clk) begin
      if (take[l]) block_q <= blocks[(Lanes-1-l)*128+:128];
      if (ends) whole_q <= distance == '0;
      if (multiply) register_q <= product;
    end

    // A lane without a block in the message multiplies nothing, once, and its register is zero: as
    // the message ends, or one cycle later where the message before it has still to be added up.
    always_comb begin
      left_d = left_q == '0 ? '0 : left_q - PlaceWidth'(1);
      if (ends && take[l]) left_d = distance == '0 ? PlaceWidth'(1) : distance;
      else if (ends && tail_q) left_d = PlaceWidth'(1);
      else if (ends && pending_q && distance != '0) left_d = distance - PlaceWidth'(1);
    end

    always_ff @(posedge clk) begin
      if (rst) begin
        pending_q <= 1'b0;
        left_q    <= '0;
        fresh_q   <= 1'b1;
      end else begin
        pending_q <= take[l] || (pending_q && !multiply);
        left_q    <= left_d;
        fresh_q <= finishing || (fresh_q && !multiply);
      end
    end

    if (l == 0) begin : gen_power
      gf128_mul u_multiplier (
          .clk(clk),
          .a_i(power_turn ? power_q : sum),
          .b_i(power_turn ? base_q : factor),
          .c_o(product)
      );
      assign power_product = product;
    end else begin : gen_plain
      gf128_mul u_multiplier (
          .clk(clk),
          .a_i(sum),
          .b_i(factor),
          .c_o(product)
      );
    end
    assign registers[l*128+:128] = register_q;
  end

  // ---- the digest
  logic sum_valid_q, digest_valid_q;
  logic [127:0] digest_d, digest_q;

  always_comb begin
    digest_d = '0;
    for (int l = 0; l < Lanes; l++) digest_d = digest_d ^ registers[l*128+:128];
  end
  always_ff @(posedge clk) if (sum_valid_q) digest_q <= digest_d;
  always_ff @(posedge clk) begin
    sum_valid_q    <= !rst && finishing;
    digest_valid_q <= !rst && sum_valid_q;
  end

  assign digest_valid_o = digest_valid_q;
  assign digest_o       = digest_q;

  if (Lanes < 2) begin : gen_bad
    $error("ghash_interleaved: Lanes must be at least 2");
  end
endmodule
