// SPDX-License-Identifier: Apache-2.0
// AES-128 with one S-box, a byte a cycle, on rings that never stand still. Cell 4 * row + column
// has a byte of the state, or of the key. A round is 16 steps in which every byte goes through the
// S-box, and 4 in which each row turns by itself: MixColumns takes the four heads of the rows, and
// the S-box works for the next round's key.
// An S-box that is a memory answers a cycle later, and nothing waits for it: the memory's register
// stands for the cell that its byte belongs in, in the one cycle until the byte moves on from
// there, and cells of the key change a cycle later.
// Latency: 240 cycles from start_i, in phase 15, until done_o: 16 to load, 10 * 20, 16 for the last
// key and 8 until the phase is 0 again. Throughput: a block in 240 cycles.
module nano_aes #(
    parameter bit InMemory = 1'b0  // the S-box is a memory
) (
    input  logic       clk,
    input  logic       rst,
    input  logic [3:0] phase_i,
    input  logic       start_i,   // the 16 cycles from the next one on load block_i
    input  logic [7:0] block_i,   // the byte of this phase: column phase mod 4, row phase / 4
    input  logic [7:0] key_i,     // the same of the key
    output logic       done_o,    // stream_o is there
    output logic [7:0] stream_o   // byte phase_i of the block that was encrypted
);
  localparam logic [3:0] LOAD = 4'd0, LAST = 4'd11, REST = 4'd12;

  logic [3:0] round_q;
  logic [4:0] step_q;
  logic load, rests, last, ciphers, mixes, ends, late;
  logic [1:0] row, column;
  logic [2:0] passes;  // a byte goes into cell 14, 13 or 12, and the cells above keep theirs
  logic [127:0] state_q, key_q;
  logic [31:0] heads, mixed;
  logic [7:0] next_key, added, entered, boxed, source, constant, change;
  logic [15:0][7:0] state, key;  // what the cells have
  logic [3:0] changes;  // cells of the key whose bytes change with boxed

  // ---- rounds and steps

  assign load    = round_q == LOAD;
  assign last    = round_q == LAST;
  assign rests   = round_q == REST;
  assign ciphers = !load && !last && !rests;
  assign mixes   = step_q[4];
  assign row     = step_q[3:2];
  assign column  = step_q[1:0];
  assign ends    = load ? step_q == 5'd15 : step_q == (last ? 5'd23 : 5'd19);
  assign done_o  = rests;

  always_ff @(posedge clk) begin
    if (rst) round_q <= REST;
    else if (start_i) round_q <= LOAD;
    else if (ends) round_q <= round_q + 4'd1;
    if (rst || start_i || ends || rests) step_q <= '0;
    else step_q <= step_q + 5'd1;
  end

  // ---- state: ShiftRows lets the first bytes of a row wait where they came in; the others pass

  assign late    = ciphers && !mixes && column >= row;
  assign passes  = {late && row == 2'd1, late && row == 2'd2, late && row == 2'd3};
  assign added   = (load ? block_i : state_q[7:0]) ^ (load || rests ? 8'h00 : next_key);
  assign changes = mixes ? 4'd1 << column : 4'd0;

  if (InMemory) begin : gen_later
    logic [3:0] boxed_q, changes_q;  // cells that boxed is of: of the state from 12 on, of the key
    logic constant_q;

    always_ff @(posedge clk) begin
      boxed_q    <= !ciphers || mixes ? 4'd0 : passes != '0 ? {1'b0, passes} : 4'd8;
      changes_q  <= changes;
      constant_q <= column == 2'd0;
    end
    assign entered = added;
    assign change  = boxed ^ (constant_q ? constant : 8'h00);
    for (genvar i = 0; i < 16; i++) begin : gen_cell
      if (i < 12) begin : gen_plain
        assign state[i] = state_q[8*i+:8];
      end else begin : gen_boxed
        assign state[i] = boxed_q[i-12] ? boxed : state_q[8*i+:8];
      end
      if (i % 3 == 0 && i > 0 && i < 15) begin : gen_changed
        assign key[i] = key_q[8*i+:8] ^ (changes_q[i/3-1] ? change : 8'h00);
      end else begin : gen_kept
        assign key[i] = key_q[8*i+:8];
      end
    end
  end else begin : gen_at_once
    assign entered = ciphers ? boxed : added;
    assign change  = boxed ^ (column == 2'd0 ? constant : 8'h00);
    assign state   = state_q;
    assign key     = key_q;
  end

  aes_sbox u_sbox (
      .clk (clk),
      .en_i(1'b1),
      .x_i (mixes ? source : added),
      .y_o (boxed)
  );

  for (genvar r = 0; r < 4; r++) begin : gen_heads
    assign heads[31-8*r-:8] = state[4*r];
  end

  aes_mix_column u_mix (
      .x_i(heads),
      .y_o(mixed)
  );

  for (genvar i = 0; i < 16; i++) begin : gen_state
    logic [7:0] onward;  // in this cell next, if the rows do not turn
    if (i < 12) begin : gen_on
      assign onward = state[i+1];
    end else if (i < 15) begin : gen_passed
      assign onward = passes[i-12] ? entered : |(passes & 3'((1 << (i - 12)) - 1))
          ? state[i] : state[i+1];
    end else begin : gen_in
      assign onward = |passes ? state[i] : entered;
    end
    if (i % 4 == 3) begin : gen_tail
      always_ff @(posedge clk)
        state_q[8*i+:8] <= !mixes ? onward
            : ciphers && round_q != LAST - 4'd1 ? mixed[31-2*(i-3)-:8] : state[i-3];
    end else begin : gen_cell
      always_ff @(posedge clk) state_q[8*i+:8] <= onward;
    end
  end

  // ---- key: its first column changes while MixColumns works, the others as they pass

  always_comb begin
    next_key = key_q[7:0] ^ (column == 2'd0 ? 8'h00 : key_q[127:120]);
    if (round_q == 4'd1) next_key = key_i;
  end

  always_comb begin
    case (column)
      2'd0: source = key_q[8*7+:8];
      2'd1: source = key_q[8*10+:8];
      2'd2: source = key_q[8*13+:8];
      default: source = key_q[7:0];
    endcase
    case (round_q)
      4'd9: constant = 8'h1b;
      4'd10: constant = 8'h36;
      default: constant = 8'h01 << (round_q[2:0] - 3'd1);
    endcase
  end

  for (genvar i = 0; i < 16; i++) begin : gen_key
    logic [7:0] incoming;
    if (i % 4 == 3) begin : gen_tail
      logic [7:0] onward;
      if (i == 15) begin : gen_in
        assign onward = next_key;
      end else begin : gen_on
        assign onward = key[i+1];
      end
      assign incoming = mixes ? key[i-3] : onward;
    end else begin : gen_cell
      assign incoming = key[i+1];
    end
    if (i % 3 == 0 && i > 0 && i < 15 && !InMemory) begin : gen_changed
      always_ff @(posedge clk) key_q[8*i+:8] <= incoming ^ (changes[i/3-1] ? change : 8'h00);
    end else begin : gen_kept
      always_ff @(posedge clk) key_q[8*i+:8] <= incoming;
    end
  end

  // ---- byte 4 * column + row of the state, in the phase of that number

  always_comb begin
    case (3'({1'b0, phase_i[1:0]}) - 3'({1'b0, phase_i[3:2]}))
      3'd1: stream_o = state_q[8*3+:8];
      3'd2: stream_o = state_q[8*6+:8];
      3'd3: stream_o = state_q[8*9+:8];
      3'd5: stream_o = state_q[8*7+:8];   // -3
      3'd6: stream_o = state_q[8*10+:8];  // -2
      3'd7: stream_o = state_q[8*13+:8];  // -1
      default: stream_o = state_q[7:0];
    endcase
  end
endmodule
