// SPDX-License-Identifier: Apache-2.0
// GHASH of q = Lanes blocks a beat on one sum of q products of p = Stages stages, and no other
// multiplier: p sums go round through it, in a long message with H^(qp).
//
// Blocks are polynomials: bit i is the coefficient of x^i. Every cycle is a turn of the products,
// with a beat or without. A beat waits p - 1 turns before its own, so that it is known how many
// blocks of its message come in them. R is that number and the blocks of the beat itself.
//
// Lane l multiplies by H^(R-l). The sum of the same message from p turns before is added to the
// beat's first block, so that it is multiplied by H^R. When a message has no beat in a turn, the
// sum waits in the accumulator for its next beat. The sums of the last p turns of a message need
// no factor: they add up to the digest in the same accumulator, while the next message begins.
//
// A new power of H is the digest of a message of one block, which is the power before. It takes a
// turn; with PowersGiven the powers come from outside instead.
//
// With many contexts the powers lie in memories, which are read a cycle ahead. A wide choice needs
// a register between R and the powers, and then all turns wait a cycle more: from 32 powers on, and
// from 16 on where there are four stages or more, each of them short.
//
// Latency: digest d = 2p cycles after the last beat, where qp is 32 or more, or 16 and p is 4 or
// more, 2p + 1, with one stage and many contexts 3. Throughput: one beat a cycle. Loading a subkey
// takes qp - 1 of those cycles, d + 1 apart, and is done (qp - 1)(d + 1) + 2 cycles after the
// subkey.
module ghash_aggregated #(
    parameter int Lanes = 1,
    parameter int Stages = 1,  // the gf128_dot in the folder has as many, and as many lanes
    parameter int Contexts = 1,
    parameter bit PowersGiven = 1'b0,  // H to H^(qp) come one after another at the subkey port
    localparam int CountWidth = $clog2(Lanes + 1),
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                    clk,
    input  logic                    rst,
    // messages, up to Lanes blocks a beat, the first blocks on top
    input  logic                    in_valid_i,
    output logic                    in_ready_o,
    output logic                    in_soon_o,         // it is ready in the next cycle
    input  logic [   Lanes*128-1:0] in_data_i,
    input  logic [  CountWidth-1:0] in_count_i,        // 1 to Lanes
    input  logic                    in_last_i,
    input  logic [ContextWidth-1:0] in_context_i,
    // one digest a message, in order
    output logic                    digest_valid_o,
    output logic [           127:0] digest_o,
    // the hash subkey of a context; never replaced while the context is in use
    input  logic                    subkey_valid_i,
    input  logic                    subkey_first_i,    // it is H; other powers follow if given
    input  logic [ContextWidth-1:0] subkey_context_i,
    input  logic [           127:0] subkey_i,
    output logic                    subkey_done_o      // its powers are in place
);
  localparam int Width = Lanes * 128;
  localparam int Powers = Lanes * Stages;
  localparam int ExpWidth = $clog2(Powers + 1);
  localparam int RestWidth = Powers > 1 ? $clog2(Powers) : 1;

  // ---- powers of H: made one after another, each in a stolen turn
  logic [ExpWidth-1:0] power_exp_q;  // of the newest power
  logic [ContextWidth-1:0] power_context_q;
  logic [127:0] power_q, product;
  logic power_turn;  // the newest one goes into the multiplier
  logic power_product, store_power;

  if (Powers > 1 && !PowersGiven) begin : gen_made
    logic due_q, due_d;
    logic wait_q;   // until it comes out
    logic ready_q;  // none is due, a beat may come; for all that waits for it

    assign due_d         = wait_q && store_power && !subkey_valid_i
        && power_exp_q != ExpWidth'(Powers);
    assign power_turn    = due_q;
    assign in_ready_o    = ready_q;
    assign in_soon_o     = !due_d;
    assign subkey_done_o = !due_q && !wait_q && !store_power;

    always_ff @(posedge clk)
      if (rst) begin
        due_q   <= 1'b0;
        wait_q  <= 1'b0;
        ready_q <= 1'b1;
      end else begin
        due_q   <= due_d;
        ready_q <= in_soon_o;
        if (subkey_valid_i || due_q) wait_q <= 1'b1;
        else if (store_power) wait_q <= 1'b0;
      end
  end else begin : gen_given
    assign power_turn    = 1'b0;
    assign in_ready_o    = 1'b1;
    assign in_soon_o     = 1'b1;
    assign subkey_done_o = !store_power;
  end

  always_ff @(posedge clk)
    if (rst) store_power <= 1'b0;
    else store_power <= subkey_valid_i || power_product;

  always_ff @(posedge clk) begin
    if (subkey_valid_i) begin
      power_q         <= subkey_i;
      power_exp_q     <= PowersGiven && !subkey_first_i ? power_exp_q + ExpWidth'(1) : ExpWidth'(1);
      power_context_q <= subkey_context_i;
    end else if (power_product) begin
      power_q     <= product;
      power_exp_q <= power_exp_q + ExpWidth'(1);
    end
  end

  // ---- the turn that comes: a beat, or the newest power as a message of one block
  logic beat, ends;
  logic [RestWidth-1:0] rest;  // R - 1, as far as it is known
  logic [ContextWidth-1:0] context_id;
  logic [Width-1:0] data;

  assign beat       = in_valid_i && !power_turn;
  assign ends       = beat && in_last_i;
  assign context_id = power_turn ? power_context_q : in_context_i;

  if (Lanes == 1) begin : gen_one_block
    assign rest = '0;
    logic unused;
    assign unused = &{1'b0, in_count_i};
  end else begin : gen_blocks
    assign rest = power_turn ? '0 : RestWidth'(in_count_i - CountWidth'(1));
  end
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int Low = (Lanes - 1 - l) * 128;
    if (l == 0) begin : gen_first
      assign data[Low+:128] = power_turn ? power_q : in_data_i[Low+:128];
    end else begin : gen_other
      assign data[Low+:128] = in_count_i > CountWidth'(l) ? in_data_i[Low+:128] : 128'b0;
    end
  end

  // ---- the turn that goes into the multiplier, Line cycles later
  localparam bit ReadAhead = Contexts > 16;
  localparam bit RestAhead = Powers >= (Stages >= 4 ? 16 : 32);
  localparam int RowWords = Lanes + 2 ** RestWidth - 1;
  localparam int CopyWords = RestAhead ? 8 : RowWords;  // moved by one copy of R - 1
  localparam int Copies = (RowWords + CopyWords - 1) / CopyWords;
  // turns that wait
  localparam int Line = RestAhead || (Stages == 1 && ReadAhead) ? Stages : Stages - 1;
  logic next_beat, next_last, next_power;
  logic [RestWidth-1:0] rest_now, rest_early;  // of this turn; of the one before it in the line
  logic [Copies*RestWidth-1:0] next_rest;
  logic [ContextWidth-1:0] next_context;  // of what the powers are read for
  logic [Width-1:0] next_data;

  if (Line == 0) begin : gen_direct
    assign next_beat    = beat;
    assign next_last    = ends;
    assign next_power   = power_turn;
    assign rest_now     = rest;
    assign rest_early   = rest;
    assign next_context = context_id;
    assign next_data    = data;
  end else begin : gen_line
    // Turns that wait, the newest in the low bits; a beat's rest grows until its message ends.
    logic [Line-1:0] beat_q, last_q, power_turn_q, ended_q, ended_d;
    logic [Line*RestWidth-1:0] rest_q, rest_d;
    logic [Line*ContextWidth-1:0] context_q;
    logic [Line*Width-1:0] data_q;
    logic [CountWidth-1:0] count;

    assign count = beat ? in_count_i : '0;

    always_comb begin
      for (int i = 0; i < Line; i++) begin
        ended_d[i] = ended_q[i] || ends;
        rest_d[i*RestWidth+:RestWidth] = rest_q[i*RestWidth+:RestWidth]
            + RestWidth'(ended_q[i] ? '0 : count);
      end
    end

    always_ff @(posedge clk) begin
      if (rst) begin
        beat_q       <= '0;
        power_turn_q <= '0;
      end else begin
        beat_q       <= Line'({beat_q, beat});
        power_turn_q <= Line'({power_turn_q, power_turn});
      end
      last_q    <= Line'({last_q, ends});
      ended_q   <= Line'({ended_d, ends || power_turn || Stages == 1});
      rest_q    <= (Line * RestWidth)'({rest_d, rest});
      context_q <= (Line * ContextWidth)'({context_q, context_id});
      data_q    <= (Line * Width)'({data_q, data});
    end

    assign next_beat    = beat_q[Line-1];
    assign next_last    = next_beat && last_q[Line-1];
    assign next_power   = power_turn_q[Line-1];
    assign rest_now     = rest_d[(Line-1)*RestWidth+:RestWidth];
    if (Line == 1) begin : gen_first
      assign rest_early = rest;
    end else begin : gen_later
      assign rest_early = rest_d[(Line-2)*RestWidth+:RestWidth];
    end
    if (!ReadAhead) begin : gen_context
      assign next_context = context_q[(Line-1)*ContextWidth+:ContextWidth];
    end else if (Line == 1) begin : gen_coming
      assign next_context = context_id;
    end else begin : gen_before
      assign next_context = context_q[(Line-2)*ContextWidth+:ContextWidth];
    end
    logic unused;
    assign unused = &{1'b0, context_q};
    assign next_data    = data_q[(Line-1)*Width+:Width];
  end

  ghash_aggregated_rest u_rest (
      .clk    (clk),
      .early_i(rest_early),
      .now_i  (rest_now),
      .rest_o (next_rest)
  );

  // ---- its factors: a row with q - 1 zeros, H^1, H^2 ... from the low bits on is moved down by
  // R - 1 places, the widest move first, until the q words with H^R for the first lane are left
  logic [RowWords*128-1:0] row;
  logic [Width-1:0] factor_q;

  for (genvar w = 0; w < RowWords; w++) begin : gen_row
    localparam int Exponent = w - Lanes + 2;
    if (Exponent >= 1 && Exponent <= Powers) begin : gen_power
      gcm_ram #(
          .Width       (128),
          .Depth       (Contexts),
          .ReadRegister(ReadAhead)
      ) u_power (
          .clk         (clk),
          .write_i     (store_power && power_exp_q == ExpWidth'(Exponent)),
          .write_addr_i(power_context_q),
          .write_data_i(power_q),
          .read_i      (1'b1),
          .read_addr_i (next_context),
          .read_data_o (row[w*128+:128])
      );
    end else begin : gen_zero
      assign row[w*128+:128] = '0;
    end
  end

  for (genvar k = 0; k < RestWidth; k++) begin : gen_move
    localparam int Step = 2 ** (RestWidth - 1 - k);
    localparam int Words = Lanes + Step - 1;  // as many are still of use
    logic [(Words+Step)*128-1:0] from;
    logic [Words*128-1:0] moved;
    if (k == 0) begin : gen_first
      assign from = row;
    end else begin : gen_next
      assign from = gen_move[k-1].moved;
    end
    for (genvar w = 0; w < Words; w++) begin : gen_word
      assign moved[w*128+:128] = next_rest[w/CopyWords*RestWidth+RestWidth-1-k]
          ? from[(w+Step)*128+:128] : from[w*128+:128];
    end
  end

  always_ff @(posedge clk) factor_q <= gen_move[RestWidth-1].moved;

  // ---- the turns in the multiplier, the newest in the low bits
  logic [Stages-1:0] turn_beat_q, turn_last_q, turn_power_q;
  logic late_beat, late_last;

  always_ff @(posedge clk) begin
    if (rst) begin
      turn_beat_q  <= '0;
      turn_last_q  <= '0;
      turn_power_q <= '0;
    end else begin
      turn_beat_q  <= Stages'({turn_beat_q, next_beat});
      turn_last_q  <= Stages'({turn_last_q, next_last});
      turn_power_q <= Stages'({turn_power_q, next_power});
    end
  end

  assign late_beat     = turn_beat_q[Stages-1];
  assign late_last     = turn_last_q[Stages-1];
  assign power_product = turn_power_q[Stages-1];

  // ---- sums: into the first block of the message's next beat, or to the accumulator
  logic open, taken, fresh_q, digest_valid_q;
  logic [127:0] sum, accumulator_q;
  logic [Width-1:0] operand_q;

  assign open  = !(|turn_last_q);  // all these turns are of the message of the next beat, if any
  assign taken = next_beat && open;
  assign sum   = (late_beat ? product : 128'b0) ^ (fresh_q ? 128'b0 : accumulator_q);

  always_ff @(posedge clk)
    operand_q <= next_data ^ (Width'(taken ? sum : 128'b0) << (Width - 128));

  always_ff @(posedge clk) accumulator_q <= sum;
  always_ff @(posedge clk) begin
    if (rst) begin
      fresh_q        <= 1'b1;
      digest_valid_q <= 1'b0;
    end else begin
      fresh_q        <= taken || late_last;
      digest_valid_q <= late_last;
    end
  end

  gf128_dot u_dot (
      .clk(clk),
      .a_i(operand_q),
      .b_i(factor_q),
      .c_o(product)
  );

  assign digest_valid_o = digest_valid_q;
  assign digest_o       = accumulator_q;

  if (Lanes < 1 || Stages < 1) begin : gen_bad
    $error("ghash_aggregated: Lanes and Stages must be at least 1");
  end
endmodule
