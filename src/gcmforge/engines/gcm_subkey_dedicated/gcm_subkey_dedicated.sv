// SPDX-License-Identifier: Apache-2.0
// Hash subkeys on hardware of their own, so that a key takes nothing from packets: E(K, 0^128) on a
// cipher of one column, four S-boxes, next to the key expansion, and the powers of H on a
// multiplier of Digit bits a cycle.
//
// The state turns by a column a cycle, so that the bytes of ShiftRows are always taken at the same
// places. The expansion waits until a round is done.
//
// Latency: 4 + SubStages cycles from a round key to the end of its round, 128 / Digit + 1 from each
// power to the next. Throughput: one key at a time.
module gcm_subkey_dedicated #(
    parameter int Powers = 1,     // H to H^Powers go out, one after another
    parameter int SubStages = 1,  // of the aes_sbox in the folder
    parameter int Digit = 4       // divides 128
) (
    input  logic         clk,
    input  logic         rst,
    // round keys as they are expanded, held back by hold_o
    input  logic         round_valid_i,
    input  logic [  3:0] round_index_i,
    input  logic [127:0] round_key_i,
    input  logic [  1:0] size_i,
    output logic         hold_o,
    // the key's schedule is in place: H is asked for
    input  logic         want_i,
    output logic         taken_o,
    output logic         done_o,           // it and its powers are in place
    // the slot that asks the AES for it, and what comes out
    output logic         slot_want_o,
    input  logic         slot_taken_i,
    input  logic         stream_valid_i,
    input  logic [127:0] stream_i,
    // H, and its powers where GHASH does not make them, in polynomial order
    output logic         subkey_valid_o,
    output logic         subkey_first_o,   // it is H
    output logic [127:0] subkey_o,
    input  logic         powers_done_i
);
  localparam int Steps = 3 + SubStages;  // cycles of a round
  localparam int PhaseWidth = $clog2(Steps);
  localparam int Digits = 128 / Digit;
  localparam int DigitWidth = $clog2(Digits);
  localparam int PowerWidth = $clog2(Powers + 1);

  typedef enum logic [1:0] {
    POWERS_IDLE,
    POWERS_FIRST,  // H goes out
    POWERS_MAKE,
    POWERS_NEXT    // a power goes out
  } state_t;

  state_t powers_q;
  logic first_q;     // H goes out in the cycle after it was asked for
  logic schedule_q;  // a key is being expanded

  // ---- E(K, 0^128), column by column
  logic [127:0] state_q;
  logic [95:0] next_q;  // columns of the next state that are there already
  logic busy_q, last, end_of_round;
  logic [PhaseWidth-1:0] phase_q;
  logic [1:0] column;  // that leaves the S-boxes
  logic [31:0] taken, substituted, mixed, keyed, key_word;

  assign hold_o       = round_valid_i || busy_q;
  assign last         = round_index_i == 4'd10 + {1'b0, size_i, 1'b0};
  assign end_of_round = busy_q && phase_q == PhaseWidth'(Steps - 1);
  assign column       = 2'(phase_q - PhaseWidth'(SubStages - 1));
  assign taken        = {state_q[127-:8], state_q[87-:8], state_q[47-:8], state_q[7-:8]};

  for (genvar b = 0; b < 4; b++) begin : gen_byte
    aes_sbox u_sbox (
        .clk (clk),
        .en_i(1'b1),
        .x_i (taken[8*b+:8]),
        .y_o (substituted[8*b+:8])
    );
  end
  aes_mix_column u_mix (
      .x_i(substituted),
      .y_o(mixed)
  );

  always_comb begin
    key_word = round_key_i[31:0];
    for (int c = 0; c < 3; c++) if (column == 2'(c)) key_word = round_key_i[127-32*c-:32];
  end
  assign keyed = (last ? substituted : mixed) ^ key_word;

  always_ff @(posedge clk) begin
    if (rst) busy_q <= 1'b0;
    else if (round_valid_i && round_index_i != '0) busy_q <= 1'b1;
    else if (end_of_round) busy_q <= 1'b0;
    if (!busy_q) phase_q <= '0;
    else phase_q <= phase_q + PhaseWidth'(1);
  end

  always_ff @(posedge clk) begin
    if (round_valid_i && round_index_i == '0) state_q <= round_key_i;
    else if (end_of_round) state_q <= {next_q, keyed};
    else if (busy_q) state_q <= {state_q[95:0], state_q[127:96]};
    else if (powers_q == POWERS_IDLE && !round_valid_i && !schedule_q) state_q <= '0;
    next_q <= busy_q ? {next_q[63:0], keyed} : '0;
  end

  // ---- powers: the newest one times H, its highest digit first
  logic [127:0] base, left_q, sum_q, sum_d;
  logic [127+Digit:0] wide;
  logic [DigitWidth-1:0] digit_q;
  logic [PowerWidth-1:0] exponent_q;

  for (genvar i = 0; i < 128; i++) begin : gen_reflect
    assign base[i] = state_q[127-i];
  end

  always_comb begin
    wide = (128 + Digit)'(sum_q) << Digit;
    for (int i = 0; i < Digit; i++)
      if (left_q[128-Digit+i]) wide = wide ^ ((128 + Digit)'(base) << i);
    sum_d = wide[127:0];
    for (int i = 0; i < Digit; i++) if (wide[128+i]) sum_d = sum_d ^ (128'h87 << i);
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      powers_q   <= POWERS_IDLE;
      schedule_q <= 1'b0;
    end else begin
      if (round_valid_i && round_index_i == '0) schedule_q <= 1'b1;
      else if (end_of_round && last) schedule_q <= 1'b0;
      case (powers_q)
        POWERS_IDLE: if (end_of_round && last) powers_q <= POWERS_FIRST;
        POWERS_FIRST: powers_q <= !want_i ? POWERS_FIRST : Powers == 1 ? POWERS_IDLE : POWERS_MAKE;
        POWERS_MAKE: if (digit_q == DigitWidth'(Digits - 1)) powers_q <= POWERS_NEXT;
        default: powers_q <= exponent_q == PowerWidth'(Powers) ? POWERS_IDLE : POWERS_MAKE;
      endcase
    end
  end

  always_ff @(posedge clk) begin
    digit_q <= powers_q == POWERS_MAKE ? digit_q + DigitWidth'(1) : '0;
    case (powers_q)
      POWERS_IDLE: begin
        left_q     <= '0;
        sum_q      <= '0;
        exponent_q <= PowerWidth'(1);
      end
      POWERS_FIRST: left_q <= base;
      POWERS_MAKE: begin
        left_q <= left_q << Digit;
        sum_q  <= sum_d;
        if (digit_q == '0) exponent_q <= exponent_q + PowerWidth'(1);
      end
      default: begin
        left_q <= sum_q;
        sum_q  <= '0;
      end
    endcase
  end

  assign taken_o        = powers_q == POWERS_FIRST && want_i;
  assign done_o         = powers_q == POWERS_IDLE && powers_done_i;
  assign slot_want_o    = 1'b0;
  assign subkey_first_o = first_q;
  assign subkey_valid_o = first_q || powers_q == POWERS_NEXT;
  assign subkey_o       = first_q ? left_q : sum_q;

  always_ff @(posedge clk)
    if (rst) first_q <= 1'b0;
    else first_q <= taken_o;

  logic unused;
  assign unused = &{1'b0, slot_taken_i, stream_valid_i, stream_i};

  if (Powers < 1 || Digit < 1 || Digit > 8 || 128 % Digit != 0 || Digit == 128) begin : gen_bad
    $error("gcm_subkey_dedicated: Powers must be at least 1, Digit 1, 2, 4 or 8");
  end
endmodule
