// SPDX-License-Identifier: Apache-2.0
// What a GHASH of q = Lanes blocks a beat that looks products up in tables needs with the
// tables: the running sum of a message, its digest, and the order in which the tables of a new key
// are filled. How tables are made and read is the engine's (ghash_window, ghash_residues).
//
// Running sum: a beat of m blocks leaves here in the last m lanes, the sum of the message so far
// added to its first block, so that lane l always multiplies by H^(q-l). The engine gives the sum
// of all lanes' products back in the next cycle.
//
// Load: the tables of H, H^2 .. H^q are filled one after another. Each takes a cycle to begin, and
// then entries until the engine tells that it writes the last. Between two of them there is a turn,
// in which the engine multiplies the power by H, and the next power is the product that comes back.
//
// Latency: digest 2 cycles after a message's last beat; operand_o is combinational. Throughput: one
// beat a cycle. A load of entries of e cycles a power is done q (e + 2) cycles after the subkey.
module ghash_lookup #(
    parameter int Lanes = 1,
    parameter int Contexts = 1,
    parameter int PowerLane = 0,  // in which a power is looked up
    localparam int CountWidth = $clog2(Lanes + 1),
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                    clk,
    input  logic                    rst,
    // a beat that is taken in this cycle, its first block on top
    input  logic                    beat_i,
    input  logic [   Lanes*128-1:0] data_i,
    input  logic [  CountWidth-1:0] count_i,          // 1 to Lanes
    input  logic                    last_i,
    // blocks to be looked up, lane 0 on top: of the beat, or the power, or zeros
    input  logic                    power_i,          // the power; no beat in this cycle
    output logic [   Lanes*128-1:0] operand_o,
    input  logic [           127:0] product_i,        // of the operand of the cycle before
    // one digest a message, in order
    output logic                    digest_valid_o,
    output logic [           127:0] digest_o,
    // the hash subkey of a context
    input  logic                    subkey_valid_i,
    input  logic [ContextWidth-1:0] subkey_context_i,
    input  logic [           127:0] subkey_i,
    output logic                    subkey_done_o,    // its tables are in place
    // the load of H^exp into the tables of this context
    output logic                    load_entries_o,
    input  logic                    load_last_i,      // with its last entry
    output logic                    load_turn_o,      // the power is multiplied by H
    output logic [  CountWidth-1:0] load_exp_o,
    output logic [ContextWidth-1:0] load_context_o,
    output logic                    power_next_o,     // in the next cycle the power is a new one
    output logic [           127:0] power_o
);
  // ---- the running sum: into the first block of the message's next beat, or to the digest
  logic turn_beat_q, turn_last_q, fresh_q, digest_valid_q;
  logic taken;  // the sum, by a beat of its own message
  logic [127:0] sum, accumulator_q, power_q;
  logic [Lanes-1:0] first;  // the lane of the beat's first block

  assign taken = beat_i && !turn_last_q;
  assign sum   = (turn_beat_q ? product_i : 128'b0) ^ (fresh_q ? 128'b0 : accumulator_q);

  for (genvar l = 0; l < Lanes; l++) begin : gen_operand
    logic [127:0] operand;
    assign first[l] = beat_i && count_i == CountWidth'(Lanes - l);

    always_comb begin
      operand = '0;
      for (int f = 0; f <= l; f++)
        operand = operand ^ (first[f] ? data_i[(Lanes-1-l+f)*128+:128] : 128'b0);
      operand = operand ^ (first[l] && !turn_last_q ? sum : 128'b0);
      if (l == PowerLane && power_i) operand = power_q;
    end
    assign operand_o[(Lanes-1-l)*128+:128] = operand;
  end

  always_ff @(posedge clk) accumulator_q <= sum;
  always_ff @(posedge clk) begin
    if (rst) begin
      turn_beat_q    <= 1'b0;
      turn_last_q    <= 1'b0;
      fresh_q        <= 1'b1;
      digest_valid_q <= 1'b0;
    end else begin
      turn_beat_q    <= beat_i;
      turn_last_q    <= beat_i && last_i;
      fresh_q        <= taken || turn_last_q;
      digest_valid_q <= turn_last_q;
    end
  end

  assign digest_valid_o = digest_valid_q;
  assign digest_o       = accumulator_q;

  // ---- the load
  typedef enum logic [1:0] {
    LOAD_IDLE,
    LOAD_BEGIN,    // the product of a turn arrives
    LOAD_ENTRIES,
    LOAD_TURN
  } load_state_t;
  load_state_t load_state_q;
  logic [CountWidth-1:0] load_exp_q;
  logic [ContextWidth-1:0] load_context_q;
  logic product_next;

  assign subkey_done_o  = load_state_q == LOAD_IDLE;
  assign load_entries_o = load_state_q == LOAD_ENTRIES;
  assign load_turn_o    = load_state_q == LOAD_TURN;
  assign load_exp_o     = load_exp_q;
  assign load_context_o = load_context_q;
  assign power_o        = power_q;
  assign product_next   = load_state_q == LOAD_BEGIN && load_exp_q != CountWidth'(1);
  assign power_next_o   = subkey_valid_i || product_next;

  always_ff @(posedge clk) begin
    if (rst) load_state_q <= LOAD_IDLE;
    else
      case (load_state_q)
        LOAD_IDLE: if (subkey_valid_i) load_state_q <= LOAD_BEGIN;
        LOAD_BEGIN: load_state_q <= LOAD_ENTRIES;
        LOAD_ENTRIES:
        if (load_last_i) load_state_q <= load_exp_q == CountWidth'(Lanes) ? LOAD_IDLE : LOAD_TURN;
        default: load_state_q <= LOAD_BEGIN;
      endcase
  end

  always_ff @(posedge clk) begin
    if (subkey_valid_i) begin
      power_q        <= subkey_i;
      load_exp_q     <= CountWidth'(1);
      load_context_q <= subkey_context_i;
    end else if (product_next) power_q <= product_i;
    else if (load_turn_o) load_exp_q <= load_exp_q + CountWidth'(1);
  end

  if (Lanes < 1 || PowerLane < 0 || PowerLane >= Lanes) begin : gen_bad
    $error("ghash_lookup: Lanes must be at least 1, and PowerLane one of them");
  end
endmodule
