// SPDX-License-Identifier: Apache-2.0
// The IV of a packet in a core that takes IVs of any length. Its bytes are added to the digest, a
// block is multiplied when it is full, and the lengths follow: J0 is the digest then (SP 800-38D,
// section 7.1). An IV of 12 bytes is not multiplied, and gets a 1 as the block's last byte. J0 goes
// into the AES and out again without a key, as that puts its bytes in the counter block's order.
// Latency: of an IV of 12 bytes 48 cycles from phase 0 to done_o; of n bytes, else, in b blocks
// 192 + 144 * b. Throughput: one byte a cycle, and a block in 144.
module nano_iv_any (
    input  logic       clk,
    input  logic       rst,
    input  logic [3:0] phase_i,
    input  logic       active_i,     // the packet's IV is to come, or to be worked on
    input  logic       taken_i,      // byte_i is taken
    input  logic [7:0] byte_i,
    input  logic       last_i,       // and is the last one
    input  logic [3:0] place_i,      // bytes taken before it, modulo 16
    input  logic       full_i,       // those are as many as there may be
    input  logic       hash_busy_i,
    input  logic       aes_done_i,
    input  logic [7:0] stream_i,     // what the AES gives
    output logic       opens_o,      // a command may be taken, so that its IV follows
    output logic       ready_o,      // a byte is waited for
    output logic       wrong_o,      // an IV that has byte_i, or ends with it, is none
    output logic       done_o,       // the counter block is there in the next cycle
    output logic       begins_o,     // and the AES is to begin with it at once
    output logic       write_o,      // block_o is the counter block's byte that has this phase
    output logic [7:0] block_o,
    output logic       count_o,      // the counter is to go up by one
    output logic       clear_o,      // the digest becomes hashed_o
    output logic [7:0] hashed_o,     // added to the digest
    output logic       lengths_o,    // the block of lengths is added to the digest
    output logic       hash_o,       // the digest is multiplied
    output logic       load_o,       // the AES takes the digest in the next 16 cycles
    output logic       passes_o      // it does, and gives it in the 16 after these, not encrypted
);
  // FIRST, MORE: in the first block, and after it. ENDS: all bytes are there, FILLED: and are
  // multiplied; SUMMED: the digest is J0, or will be; PASSES: it goes through the AES.
  localparam logic [2:0] FIRST = 3'd0, MORE = 3'd1, ENDS = 3'd2, FILLED = 3'd3, SUMMED = 3'd4,
      PASSES = 3'd5;

  logic [2:0] state_q;
  logic fresh_q;  // in the first turn
  logic short_q;  // the IV has 12 bytes
  logic turn_ends, turn_free, takes;

  assign turn_ends = phase_i == 4'd15;
  assign turn_free = turn_ends && !hash_busy_i;
  assign takes     = state_q == FIRST || state_q == MORE;

  assign opens_o   = turn_ends;
  assign ready_o   = takes && phase_i == place_i && !hash_busy_i;
  assign wrong_o   = full_i;
  assign done_o    = state_q == PASSES && turn_ends && aes_done_i;
  assign begins_o  = done_o && short_q;
  assign write_o   = state_q == PASSES && aes_done_i;
  assign block_o   = stream_i;
  assign count_o   = state_q == PASSES && turn_ends && !aes_done_i;
  assign clear_o   = state_q == PASSES || (active_i && fresh_q);
  assign hashed_o  = taken_i ? byte_i : {7'b0, state_q == SUMMED && short_q && turn_ends};
  assign lengths_o = state_q == FILLED && !hash_busy_i;
  assign hash_o    = (turn_ends && (taken_i || state_q == ENDS))
      || (state_q == FILLED && turn_free);
  assign load_o    = state_q == SUMMED && turn_free;
  assign passes_o  = state_q == PASSES;

  always_ff @(posedge clk) begin
    fresh_q <= !active_i || (fresh_q && !turn_ends);
    if (taken_i) short_q <= last_i && place_i == 4'd11 && state_q != MORE;
    case (state_q)
      ENDS: if (turn_ends) state_q <= FILLED;
      FILLED: if (turn_free) state_q <= SUMMED;
      SUMMED: if (turn_free) state_q <= PASSES;
      PASSES: if (done_o) state_q <= FIRST;
      default:
      if (taken_i && last_i)
        state_q <= place_i == 4'd11 && state_q != MORE ? SUMMED : turn_ends ? FILLED : ENDS;
      else if (turn_ends && taken_i) state_q <= MORE;
    endcase
    if (rst) state_q <= FIRST;
  end
endmodule
