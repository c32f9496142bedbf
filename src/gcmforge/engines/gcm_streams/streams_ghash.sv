// SPDX-License-Identifier: Apache-2.0
// GHASH of many packets at once, whose beats follow one another in any order, and the tag of each.
//
// A product takes Stages cycles, so one stream has that many partial digests, and its blocks go to
// them in turn: block i to partial digest i mod Stages, P <- (P + block) * H^Stages. Whoever needs
// a partial digest again comes Stages cycles later at the earliest, which is when it is there.
// Nobody ever waits. With L for the block of lengths, a packet's last block X closes like this:
//
//     one stage     T = ((P + X) * H + L) * H
//     two           T = (P + X) * H^2 + (Q + L) * H               Q: of the block before
//     three         T = (P + X) * H^2 + Q + (R + L) * H           R: of the one before that
//
// so that the last block of three stages has H^2 in place of H^3, and a second multiplier makes the
// product with H. A partial digest that no block has come to is zero. When a last beat without a
// block tells that X was the last one, (P + X) * H^Stages has been made of it. With one stage and
// with two that is what it takes; with three the last P + X of each stream is kept for it.
//
// Latency: from in_valid_i to the tag End + 2 cycles, 3, 4 or 6. Throughput: one beat a cycle, of
// any stream; nothing here waits.
module streams_ghash #(
    parameter int Streams = 4,
    parameter int Stages = 1,
    localparam int TidWidth = Streams > 1 ? $clog2(Streams) : 1,
    localparam int ContextWidth = gcm_pkg::CONTEXT_WIDTH
) (
    input  logic                    clk,
    input  logic                    rst,
    // a beat
    input  logic                    in_valid_i,
    input  logic [    TidWidth-1:0] in_tid_i,
    input  logic [ContextWidth-1:0] in_context_i,
    input  logic                    in_block_i,    // it has a block
    input  logic                    in_close_i,    // its packet ends
    input  logic [             1:0] in_turn_i,     // blocks before it, modulo Stages
    input  logic [             1:0] in_number_i,   // blocks before it, 3 for more
    input  logic [           127:0] in_data_i,
    input  logic [           127:0] in_expected_i, // a tag to be added to the packet's
    input  logic [           127:0] in_lengths_i,
    // a packet's first: E(K, J0). It may close the packet before, whose mask is of no use then.
    input  logic                    in_opens_i,
    input  logic [           127:0] in_mask_i,
    // T + E(K, J0) + what was expected, of each that closes
    output logic                    tag_valid_o,
    output logic [           127:0] tag_o,
    // powers of H, one after the other, the first one first
    input  logic                    subkey_valid_i,
    input  logic                    subkey_first_i,
    input  logic [ContextWidth-1:0] subkey_context_i,
    input  logic [           127:0] subkey_i       // polynomial order
);
  localparam int TailAt = Stages < 3 ? 1 : 2;  // when the second product begins
  localparam int End = TailAt + Stages - 1;    // and when it is there

  function automatic logic [127:0] reflect(input logic [127:0] word);
    for (int i = 0; i < 128; i++) reflect[i] = word[127-i];
  endfunction

  // ---- slots before the one that comes, the newest first: whose product is still under way
  logic [Stages-1:0] block_q;
  logic [Stages-1:0][TidWidth-1:0] tid_q;
  logic [Stages-1:0][1:0] turn_q;
  logic [Stages:1] same;  // the one so many before is of its stream
  logic [1:0] back_1, back_2;  // the turns before its own, with three of them

  always_ff @(posedge clk)
    if (rst) block_q <= '0;
    else block_q <= Stages'({block_q, in_valid_i && in_block_i});

  always_ff @(posedge clk)
    for (int k = 0; k < Stages; k++) begin
      tid_q[k]  <= k == 0 ? in_tid_i : tid_q[k > 0 ? k-1 : 0];
      turn_q[k] <= k == 0 ? in_turn_i : turn_q[k > 0 ? k-1 : 0];
    end

  for (genvar k = 1; k <= Stages; k++) begin : gen_same
    assign same[k] = block_q[k-1] && tid_q[k-1] == in_tid_i;
  end

  assign back_1 = in_turn_i == 2'd0 ? 2'(Stages - 1) : in_turn_i - 2'd1;
  assign back_2 = back_1 == 2'd0 ? 2'(Stages - 1) : back_1 - 2'd1;

  // ---- what is added to the sum, and to what is multiplied by H: which turns, if any
  logic [1:0] sum_turn, tail_turn;
  logic sum_has, tail_has;

  if (Stages == 1) begin : gen_one
    assign sum_turn  = 2'd0;
    assign sum_has   = 1'b0;
    assign tail_turn = 2'd0;
    assign tail_has  = !in_block_i && in_number_i != 2'd0;
  end else if (Stages == 2) begin : gen_two
    assign sum_turn  = back_1;
    assign sum_has   = !in_block_i && in_number_i != 2'd0;
    assign tail_turn = in_block_i ? back_1 : in_turn_i;
    assign tail_has  = in_number_i >= (in_block_i ? 2'd1 : 2'd2);
  end else begin : gen_three
    assign sum_turn  = in_block_i ? back_1 : back_2;
    assign sum_has   = in_number_i >= (in_block_i ? 2'd1 : 2'd2);
    assign tail_turn = in_block_i ? back_2 : in_turn_i;
    assign tail_has  = in_number_i >= (in_block_i ? 2'd2 : 2'd3);
  end

  // ---- the beat, and where its partial digests are: in memory, just there, or on their way
  logic valid_q, close_q, has_block_q, again_q;
  logic own_has_q, own_here_q, sum_has_q, sum_here_q, tail_has_q, tail_here_q;
  logic [1:0] sum_turn_q, tail_turn_q;
  logic [Stages-1:0] sum_late, tail_late, sum_late_q, tail_late_q;  // comes in so many cycles
  logic [127:0] data_q, expected_q, lengths_q;

  always_comb begin
    sum_late  = '0;
    tail_late = '0;
    for (int k = 1; k < Stages; k++) begin
      sum_late[Stages-k]  = in_close_i && sum_has && same[k] && turn_q[k-1] == sum_turn;
      tail_late[Stages-k] = in_close_i && tail_has && same[k] && turn_q[k-1] == tail_turn;
    end
  end

  always_ff @(posedge clk)
    if (rst) valid_q <= 1'b0;
    else valid_q <= in_valid_i;

  always_ff @(posedge clk) begin
    close_q     <= in_close_i;
    has_block_q <= in_block_i;
    again_q     <= same[1];
    own_has_q   <= in_number_i >= 2'(Stages);
    own_here_q  <= same[Stages] && turn_q[Stages-1] == in_turn_i;
    sum_has_q   <= in_close_i && sum_has && sum_late == '0;
    sum_here_q  <= same[Stages] && turn_q[Stages-1] == sum_turn;
    sum_turn_q  <= sum_turn;
    sum_late_q  <= sum_late;
    tail_has_q  <= in_close_i && tail_has && tail_late == '0;
    tail_here_q <= same[Stages] && turn_q[Stages-1] == tail_turn;
    tail_turn_q <= tail_turn;
    tail_late_q <= tail_late;
    data_q      <= reflect(in_data_i);
    expected_q  <= reflect(in_expected_i);
    lengths_q   <= reflect(in_lengths_i);
  end

  // ---- partial digests, a memory for each turn
  logic [Stages-1:0][127:0] partial;
  logic [127:0] product, product_q, own, sum_part, tail_part, mask;

  for (genvar j = 0; j < Stages; j++) begin : gen_partial
    gcm_ram #(
        .Width(128),
        .Depth(Streams)
    ) u_partial (
        .clk         (clk),
        .write_i     (block_q[Stages-1] && turn_q[Stages-1] == 2'(j)),
        .write_addr_i(tid_q[Stages-1]),
        .write_data_i(product),
        .read_i      (1'b1),
        .read_addr_i (in_tid_i),
        .read_data_o (partial[j])
    );
  end

  always_comb begin
    own       = '0;
    sum_part  = '0;
    tail_part = '0;
    for (int j = 0; j < Stages; j++) begin
      if (turn_q[0] == 2'(j)) own = partial[j];
      if (sum_turn_q == 2'(j)) sum_part = partial[j];
      if (tail_turn_q == 2'(j)) tail_part = partial[j];
    end
    if (own_here_q) own = product_q;
    if (sum_here_q) sum_part = product_q;
    if (tail_here_q) tail_part = product_q;
    if (!own_has_q) own = '0;
    if (!sum_has_q) sum_part = '0;
    if (!tail_has_q) tail_part = '0;
  end

  gcm_ram #(
      .Width(128),
      .Depth(Streams)
  ) u_masks (
      .clk         (clk),
      .write_i     (in_valid_i && in_opens_i),
      .write_addr_i(in_tid_i),
      .write_data_i(reflect(in_mask_i)),
      .read_i      (1'b1),
      .read_addr_i (in_tid_i),
      .read_data_o (mask)
  );

  // ---- powers of H: the highest for blocks, H for the second product, and H^2 of three stages
  logic [1:0] exponent_q, exponent;  // of the power that comes, less one
  logic [Stages-1:0][127:0] power;
  logic [TailAt-1:0][ContextWidth-1:0] context_q;
  logic [127:0] factor, operand, tail_factor;
  logic multiplies;  // the product counts for the packet that closes

  assign exponent = subkey_first_i ? 2'd0 : exponent_q;
  always_ff @(posedge clk) if (subkey_valid_i) exponent_q <= exponent + 2'd1;

  always_ff @(posedge clk)
    for (int s = 0; s < TailAt; s++)
      context_q[s] <= s == 0 ? in_context_i : context_q[s > 0 ? s-1 : 0];

  for (genvar e = 0; e < Stages; e++) begin : gen_power
    logic [ContextWidth-1:0] asked;
    // The second product of several stages begins later than the first.
    if (e == 0 && Stages > 1) begin : gen_later
      assign asked = context_q[TailAt-1];
    end else begin : gen_now
      assign asked = in_context_i;
    end
    gcm_ram #(
        .Width(128),
        .Depth(gcm_pkg::CONTEXTS)
    ) u_power (
        .clk         (clk),
        .write_i     (subkey_valid_i && exponent == 2'(e)),
        .write_addr_i(subkey_context_i),
        .write_data_i(subkey_i),
        .read_i      (1'b1),
        .read_addr_i (asked),
        .read_data_o (power[e])
    );
  end

  if (Stages == 3) begin : gen_kept
    logic [127:0] kept, kept_q;  // the last block of a stream, with what it was added to
    gcm_ram #(
        .Width(128),
        .Depth(Streams)
    ) u_kept (
        .clk         (clk),
        .write_i     (block_q[0]),
        .write_addr_i(tid_q[0]),
        .write_data_i(operand),
        .read_i      (1'b1),
        .read_addr_i (in_tid_i),
        .read_data_o (kept)
    );
    always_ff @(posedge clk) kept_q <= operand;

    logic has_kept_q;
    always_ff @(posedge clk) has_kept_q <= in_number_i != 2'd0;
    assign operand    = has_block_q ? data_q ^ own : again_q ? kept_q : kept;
    assign factor     = close_q ? power[1] : power[2];
    assign multiplies = close_q && (has_block_q || has_kept_q);
  end else begin : gen_plain
    assign operand    = data_q ^ own;
    assign factor     = power[Stages-1];
    assign multiplies = close_q && has_block_q;
    logic unused;
    assign unused = again_q;
  end

  if (Stages == 1) begin : gen_same_factor
    logic [127:0] factor_q;
    always_ff @(posedge clk) factor_q <= factor;
    assign tail_factor = factor_q;
  end else begin : gen_own_factor
    assign tail_factor = power[0];
  end

  gf128_mul u_block (
      .clk(clk),
      .a_i(operand),
      .b_i(factor),
      .c_o(product)
  );
  always_ff @(posedge clk) product_q <= product;

  // ---- what closes, a stage a cycle: a sum, and what is multiplied by H. Products of the blocks
  // before it, and its own, are added as they come.
  logic [End:1] valid_s;
  logic [End:1][127:0] sum_s, sum_now;
  logic [TailAt:1][127:0] tail_s, tail_now;
  logic [End:1][Stages:0] sum_add_s, tail_add_s;
  logic [127:0] tail;

  always_ff @(posedge clk)
    if (rst) valid_s <= '0;
    else valid_s <= End'({valid_s, valid_q && close_q});

  for (genvar s = 1; s <= End; s++) begin : gen_stage
    if (s == 1) begin : gen_first
      always_ff @(posedge clk) begin
        sum_s[1]      <= mask ^ expected_q ^ sum_part;
        tail_s[1]     <= lengths_q ^ tail_part;
        sum_add_s[1]  <= {Stages > 1 && multiplies, sum_late_q};
        tail_add_s[1] <= {Stages == 1 && multiplies, tail_late_q};
      end
    end else begin : gen_next
      always_ff @(posedge clk) begin
        sum_s[s]      <= sum_now[s-1];
        sum_add_s[s]  <= sum_add_s[s-1];
        tail_add_s[s] <= tail_add_s[s-1];
      end
      if (s <= TailAt) begin : gen_tail
        always_ff @(posedge clk) tail_s[s] <= tail_now[s-1];
      end
    end
    if (s <= Stages) begin : gen_add
      assign sum_now[s] = sum_s[s] ^ (sum_add_s[s][s] ? product_q : '0);
    end else begin : gen_keep
      assign sum_now[s] = sum_s[s];
    end
    if (s <= TailAt) begin : gen_tail_add
      assign tail_now[s] = tail_s[s] ^ (tail_add_s[s][s] ? product_q : '0);
    end
  end

  gf128_mul u_tail (
      .clk(clk),
      .a_i(tail_now[TailAt]),
      .b_i(tail_factor),
      .c_o(tail)
  );

  logic tag_valid_q;
  logic [127:0] tag_q;
  always_ff @(posedge clk) tag_valid_q <= !rst && valid_s[End];
  always_ff @(posedge clk) tag_q <= reflect(sum_now[End] ^ tail);
  assign tag_valid_o = tag_valid_q;
  assign tag_o       = tag_q;

  logic unused_ahead;
  assign unused_ahead = &{1'b0, back_2, context_q, sum_has_q, sum_add_s, tail_add_s};

  if (Stages < 1 || Stages > 3) begin : gen_bad
    $error("streams_ghash: Stages must be 1, 2 or 3");
  end
endmodule
