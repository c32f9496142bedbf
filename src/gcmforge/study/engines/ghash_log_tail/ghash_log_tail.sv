// SPDX-License-Identifier: Apache-2.0
// GHASH in q = Lanes interleaved sums whose tail goes by powers of two (Mozaffari-Kermani and
// Reyhani-Masoleh 2012, Algorithm 1 and Fig. 3); q is a power of two.
// Blocks are polynomials: bit i is the coefficient of x^i.
//
// A lane keeps its newest block until it knows whether another one follows; if so, its register
// takes (register + block) * H^q. A lane's last block, the d-th from the end of the message, has to
// be multiplied by H^d instead: by H^(q/2), .., H^2, H for the ones in d's binary digits and by 1
// for the zeros, or by H^q for d = q. Then the registers are added up: the digest. The powers of H
// come from squarers, gf128_squares.
//
// The paper puts zero blocks in front of a message that q does not divide; for that its length must
// be known before its first block. Here the lanes that the last beat leaves out just wait.
//
// Latency: counted from its first product, a message of n blocks in full beats has its digest after
// n/q + log2 q cycles, n/q rounded up; log2 q + 2 cycles after its last beat. Throughput: one beat
// a cycle inside a message; the next message waits log2 q - 1 cycles. Loading a subkey takes no
// cycle from messages and is done 2 cycles after the subkey.
module ghash_log_tail #(
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
  localparam int Steps = $clog2(Lanes);  // of the tail

  // ---- the beat, dealt out to the lanes; the tail after a message's last one
  logic beat, ends, tail, finishing;
  logic [Lanes-1:0] take;
  logic [Lanes*128-1:0] blocks;
  logic [Lanes*Steps-1:0] distances;
  logic [Steps-1:0] step_q;  // one bit set in the tail, from H^(q/2) on top down to H

  assign tail       = step_q != '0;
  assign finishing  = step_q[0];
  assign in_ready_o = !tail || finishing;
  assign beat       = in_valid_i && in_ready_o;

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

  always_ff @(posedge clk)
    if (rst) step_q <= '0;
    else if (ends) step_q <= Steps'(1) << (Steps - 1);
    else step_q <= step_q >> 1;

  // ---- H, H^2, H^4 .. H^q of each context, H in the low bits
  logic subkey_valid_q;
  logic [ContextWidth-1:0] subkey_context_q;
  logic [127:0] subkey_q;
  logic [Steps*128-1:0] squares;
  logic [(Steps+1)*128-1:0] powers;
  logic [127:0] whole_power, step_power;

  assign subkey_done_o = !subkey_valid_q;

  always_ff @(posedge clk) begin
    subkey_valid_q   <= !rst && subkey_valid_i;
    subkey_context_q <= subkey_context_i;
    if (subkey_valid_i) subkey_q <= subkey_i;
  end

  gf128_squares u_squares (
      .a_i(subkey_q),
      .c_o(squares)
  );
  gcm_ram #(
      .Width((Steps + 1) * 128),
      .Depth(Contexts)
  ) u_powers (
      .clk         (clk),
      .write_i     (subkey_valid_q),
      .write_addr_i(subkey_context_q),
      .write_data_i({squares, subkey_q}),
      .read_i      (beat),
      .read_addr_i (in_context_i),
      .read_data_o (powers)
  );

  assign whole_power = powers[Steps*128+:128];
  always_comb begin
    step_power = '0;
    for (int k = 0; k < Steps; k++)
      step_power = step_power | (powers[k*128+:128] & {128{step_q[k]}});
  end

  // ---- lanes
  logic [Lanes*128-1:0] registers;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic pending_q, fresh_q, multiply;
    logic [Steps-1:0] distance_q;  // of the lane's last block; 0 is q
    logic [127:0] block_q, register_q, factor, product;

    assign multiply = tail || (take[l] && pending_q);

    always_comb begin
      factor = whole_power;
      if ((distance_q & step_q) != '0) factor = step_power;
      else if (tail && (distance_q != '0 || !step_q[Steps-1])) factor = 128'b1;
    end

    gf128_mul u_multiplier (
        .clk(clk),
        .a_i((fresh_q ? 128'b0 : register_q) ^ (pending_q ? block_q : 128'b0)),
        .b_i(factor),
        .c_o(product)
    );

    always_ff @(posedge clk) begin
      if (take[l]) block_q <= blocks[(Lanes-1-l)*128+:128];
      if (ends) distance_q <= distances[l*Steps+:Steps];
      if (multiply) register_q <= product;
    end

    always_ff @(posedge clk) begin
      if (rst) begin
        pending_q <= 1'b0;
        fresh_q   <= 1'b1;
      end else begin
        pending_q <= take[l] || (pending_q && !multiply);
        fresh_q   <= finishing || (fresh_q && !multiply);
      end
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

  if (Lanes < 2 || Lanes != 1 << Steps) begin : gen_bad
    $error("ghash_log_tail: Lanes must be a power of two, and at least 2");
  end
endmodule
