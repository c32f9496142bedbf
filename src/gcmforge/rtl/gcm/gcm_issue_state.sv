// SPDX-License-Identifier: Apache-2.0
// Where a packet is: its IV, if that has to be hashed, its data, its end. One bit a state, because
// whether a beat passes depends on one of them, and has to know it early.
//
// Latency: the state of the next cycle. Throughput: a packet may begin in the cycle in which the
// one before it ends.
module gcm_issue_state (
    input  logic clk,
    input  logic rst,
    // a command is taken: its IV has 12 bytes; is one that this core takes; has more than 16 bytes
    input  logic start_i,
    input  logic iv_short_i,
    input  logic iv_taken_i,
    input  logic iv_long_i,
    input  logic iv_last_i,     // at most 16 bytes of it are left
    input  logic iv_beat_i,     // a beat of the IV would pass
    input  logic command_i,     // and is there
    input  logic iv_slot_i,     // a slot of the IV passes
    input  logic j0_valid_i,    // its hash is there
    input  logic last_beat_i,   // the last beat of data passes
    input  logic close_here_i,  // and takes the packet's end along
    input  logic closing_i,     // the packet ends
    output logic idle_o,
    output logic iv_o,          // blocks of an IV into GHASH
    output logic iv_length_o,   // and its length block
    output logic iv_wait_o,     // for J0
    output logic iv_count_o,    // from J0 to the first counter
    output logic iv_drop_o,     // the beats of an IV that this core does not take
    output logic data_o,
    output logic close_o        // a slot of its own for the end of the packet
);
  localparam bit AnyIv = gcm_pkg::ANY_IV;
  localparam bit Ahead = gcm_pkg::AHEAD;
  localparam int States = 9;
  localparam int IDLE = 0;
  localparam int IV = 1;
  localparam int IV_LENGTH = 2;
  localparam int IV_WAIT = 3;
  localparam int IV_STEP = 4;  // J0's upper 24 bits and one are made
  localparam int IV_COUNT = 5;
  localparam int IV_DROP = 6;
  localparam int DATA = 7;
  localparam int CLOSE = 8;

  logic [States-1:0] state_q, state_d, follows;
  logic leave;  // the state is left

  assign idle_o      = state_q[IDLE];
  assign iv_o        = state_q[IV];
  assign iv_length_o = state_q[IV_LENGTH];
  assign iv_wait_o   = state_q[IV_WAIT];
  assign iv_count_o  = state_q[IV_COUNT];
  assign iv_drop_o   = state_q[IV_DROP];
  assign data_o      = state_q[DATA];
  assign close_o     = state_q[CLOSE];

  always_comb begin
    leave   = 1'b0;
    follows = States'(1) << IDLE;
    if (state_q[IV]) begin
      leave   = iv_beat_i && iv_last_i;
      follows = States'(1) << IV_LENGTH;
    end
    if (state_q[IV_LENGTH]) begin
      leave   = iv_slot_i;
      follows = States'(1) << IV_WAIT;
    end
    if (state_q[IV_WAIT]) begin
      leave   = j0_valid_i || !AnyIv;
      follows = States'(1) << IV_STEP;
    end
    if (state_q[IV_STEP]) begin
      leave   = 1'b1;
      follows = States'(1) << IV_COUNT;
    end
    if (state_q[IV_COUNT] || (!Ahead && state_q[IV_DROP])) begin
      leave   = state_q[IV_COUNT] || (command_i && iv_last_i);
      follows = States'(1) << DATA;
    end
    if (state_q[DATA]) begin
      leave   = last_beat_i;
      follows = States'(1) << (close_here_i ? IDLE : CLOSE);
    end
    if (state_q[CLOSE]) leave = closing_i;
    state_d = leave ? follows : state_q;
    if (start_i) begin
      if (iv_short_i) state_d = States'(1) << DATA;
      else if (AnyIv && iv_taken_i) state_d = States'(1) << IV;
      else state_d = States'(1) << (!Ahead && iv_long_i ? IV_DROP : DATA);
    end
  end

  always_ff @(posedge clk)
    if (rst) state_q <= States'(1) << IDLE;
    else state_q <= state_d;
endmodule
