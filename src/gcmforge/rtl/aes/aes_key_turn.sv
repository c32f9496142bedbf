// SPDX-License-Identifier: Apache-2.0
// One step of a key schedule that goes round a loop with the data (FIPS 197, section 5.2): from a
// window that begins with one round key to the one that begins with the next. In a pipeline
// aes_key_step does this, and knows its place in the schedule; here the size and the step that come
// with the window tell it.
//
// Latency: that of the aes_sbox in the folder, one cycle less than its stages. Throughput: one
// window a cycle.
module aes_key_turn #(
    parameter bit [2:0] Sizes = 3'b111,  // key sizes built: bit 0 AES-128, 1 AES-192, 2 AES-256
    parameter int MaxRounds = 14,        // of the largest of them
    parameter int SubStages = 1,         // of the aes_sbox in the folder
    localparam int Bits = 32 * (MaxRounds - 6),
    localparam int Width = 2 + 2 + 8 + Bits
) (
    input  logic             clk,
    input  logic             en_i,
    input  logic [Width-1:0] turn_i,  // size, step modulo its period, round constant, window
    output logic [Width-1:0] turn_o
);
  typedef struct packed {
    logic [1:0]      size;
    logic [1:0]      step;
    logic [7:0]      rcon;
    logic [Bits-1:0] window;
  } turn_t;

  localparam bit Only = $onehot(Sizes);

  turn_t early, old, next;  // as it came, and when its word leaves the S-boxes
  logic [255:0] early_words, words;

  assign early  = turn_i;
  assign turn_o = next;

  if (SubStages == 1) begin : gen_direct
    assign old = early;
  end else begin : gen_delay
    for (genvar d = 1; d < SubStages; d++) begin : gen_stage
      logic [Width-1:0] stage_q;
      if (d == 1) begin : gen_first
        always_ff @(posedge clk) if (en_i) stage_q <= turn_i;
      end else begin : gen_later
        always_ff @(posedge clk) if (en_i) stage_q <= gen_stage[d-1].stage_q;
      end
    end
    assign old = gen_stage[SubStages-1].stage_q;
  end

  assign early_words[255-:Bits] = early.window;
  assign words[255-:Bits]       = old.window;
  if (Bits < 256) begin : gen_short
    assign early_words[255-Bits:0] = '0;
    assign words[255-Bits:0]       = '0;
  end

  // ---- the word that passes the S-boxes
  logic is_192, was_192, is_256, was_256;
  logic [31:0] last_early, newest, sub_in, sub_out, last;

  assign is_192  = Sizes[1] && (Only || early.size == gcm_pkg::KEY_192);
  assign is_256  = Sizes[2] && (Only || early.size == gcm_pkg::KEY_256);
  assign was_192 = Sizes[1] && (Only || old.size == gcm_pkg::KEY_192);
  assign was_256 = Sizes[2] && (Only || old.size == gcm_pkg::KEY_256);

  assign last_early = is_256 ? early_words[31:0]
      : is_192 ? early_words[95:64] : early_words[159:128];
  assign last       = was_256 ? words[31:0] : was_192 ? words[95:64] : words[159:128];
  // With six words the third new word may need the second before it is there.
  assign newest = is_192 && early.step == 2'd1
      ? last_early ^ early_words[255-:32] ^ early_words[223-:32] : last_early;
  assign sub_in = is_256 && early.step == 2'd1 ? newest : {newest[23:0], newest[31:24]};

  for (genvar b = 0; b < 4; b++) begin : gen_byte
    aes_sbox u_sbox (
        .clk (clk),
        .en_i(en_i),
        .x_i (sub_in[8*b+:8]),
        .y_o (sub_out[8*b+:8])
    );
  end

  // ---- four new words: sums of old ones from the top, and what came before the first or the third
  logic constant, third, none;  // the word has a round constant; it makes the third word, or no one
  logic [31:0] made_in, before_first, before_third;
  logic [127:0] sums, made;

  assign constant     = !was_256 || old.step == 2'd0;
  assign third        = was_192 && old.step == 2'd1;
  assign none         = was_192 && old.step == 2'd2;
  assign made_in      = sub_out ^ {constant ? old.rcon : 8'h00, 24'h0};
  assign before_first = third || none ? last : made_in;
  assign before_third = third ? made_in : before_first ^ sums[95-:32];

  assign sums[127-:32] = words[255-:32];
  assign sums[95-:32]  = words[223-:32] ^ words[255-:32];
  assign sums[63-:32]  = words[191-:32];
  assign sums[31:0]    = words[159-:32] ^ words[191-:32];
  assign made = sums ^ {before_first, before_first, before_third, before_third};

  logic [255:0] window;
  assign window = was_256 ? {words[127:0], made}
      : was_192 ? {words[127:64], made, 64'b0} : {made, 128'b0};

  assign next.size   = old.size;
  assign next.window = window[255-:Bits];
  assign next.step   = was_256 ? {1'b0, !old.step[0]}
      : was_192 && old.step != 2'd2 ? old.step + 2'd1 : 2'd0;
  assign next.rcon   = none || !constant ? old.rcon
      : old.rcon[7] ? 8'h1b : {old.rcon[6:0], 1'b0};

  logic unused;
  assign unused = &{1'b0, early.rcon, early.size, early.step, early_words, window};
endmodule
