// SPDX-License-Identifier: Apache-2.0
// GHASH for one key on a chain whose last stage leads back to its first, for messages of any length
// (Crenne 2011, section III.C, in Fig. 4). n = Stages messages go round at the same time.
//
//   first <-- X H <--------------------------------- last        + word 1      + word n
//     |                                               ^            |             |
//     +--> X H + word 2 --> X H + word 3 --> ... -----+     (first stage)  (last stage)
//
// A stage multiplies what the stage before it holds by H, in the logic of gf128_fixed, and adds a
// word. A message is its words one after another: AAD, text, the length block, and at last what
// the digest is added to, the pad E(K, J0) or zero. They come in beats of n words, the first on
// top. The last word meets the last stage, so a message whose words do not fill its beats begins
// within its first beat, with zeros on top: they leave zeros in the stages before the one that its
// first word is loaded into.
//
// Blocks are polynomials: bit i is the coefficient of x^i. With in_open_o the beat that is taken
// goes on with the message whose turn it is, else it begins one; in_turn_o is that turn, from 0 to
// n - 1. A message that goes on waits for its beat, and the others stand with it.
// Latency: digest n cycles after the last beat, so n b cycles after the first of b. Throughput:
// one beat a cycle, of n messages in turn; so a message alone has a beat of n words every n cycles.
module ghash_fixed_feedback #(
    parameter int Stages = 4,
    localparam int CountWidth = $clog2(Stages + 1),
    localparam int TurnWidth = Stages > 1 ? $clog2(Stages) : 1
) (
    input  logic                  clk,
    input  logic                  rst,
    // messages, n words a beat, the first on top
    input  logic                  in_valid_i,
    output logic                  in_ready_o,
    input  logic [Stages*128-1:0] in_data_i,
    input  logic [CountWidth-1:0] in_count_i,
    input  logic                  in_last_i,
    output logic                  in_open_o,
    output logic [ TurnWidth-1:0] in_turn_o,
    // one digest a message, in the order of their ends
    output logic                  digest_valid_o,
    output logic [         127:0] digest_o
);
  logic step;                       // everything moves on by a stage
  logic [Stages-1:0] there_q;       // a message is in that stage,
  logic [Stages-1:0] last_q;        // and this beat is its last

  assign in_ready_o     = 1'b1;
  assign in_open_o      = there_q[Stages-1] && !last_q[Stages-1];
  assign digest_valid_o = there_q[Stages-1] && last_q[Stages-1];
  assign step           = in_valid_i || !in_open_o;

  always_ff @(posedge clk)
    if (rst) begin
      there_q   <= '0;
      in_turn_o <= '0;
    end else if (step) begin
      there_q   <= Stages'({there_q, in_valid_i});
      in_turn_o <= in_turn_o == TurnWidth'(Stages - 1) ? '0 : in_turn_o + TurnWidth'(1);
    end

  always_ff @(posedge clk) if (step) last_q <= Stages'({last_q, in_last_i});

  for (genvar s = 0; s < Stages; s++) begin : gen_stage
    localparam int Before = (s + Stages - 1) % Stages;
    logic [127:0] word, held, product, sum_q;

    // word s is needed s cycles after the first
    if (s == 0) begin : gen_first
      assign word = in_data_i[(Stages-1)*128+:128];
      assign held = in_open_o ? gen_stage[Before].sum_q : 128'b0;
    end else begin : gen_wait
      logic [s*128-1:0] wait_q;  // the newest at the bottom
      if (s == 1) begin : gen_one
        always_ff @(posedge clk) if (step) wait_q <= in_data_i[(Stages-2)*128+:128];
      end else begin : gen_more
        always_ff @(posedge clk)
          if (step) wait_q <= {wait_q[(s-1)*128-1:0], in_data_i[(Stages-1-s)*128+:128]};
      end
      assign word = wait_q[(s-1)*128+:128];
      assign held = gen_stage[Before].sum_q;
    end

    gf128_fixed u_multiplier (
        .a_i(held),
        .c_o(product)
    );
    always_ff @(posedge clk) if (step) sum_q <= product ^ word;
  end

  assign digest_o = gen_stage[Stages-1].sum_q;

  if (Stages < 1) begin : gen_bad
    $error("ghash_fixed_feedback: Stages must be at least 1");
  end

  logic unused;
  assign unused = &{1'b0, in_count_i};
endmodule
