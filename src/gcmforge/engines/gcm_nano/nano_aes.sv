// SPDX-License-Identifier: Apache-2.0
// AES-128 with one S-box, a byte a cycle, on rings that never stand still. Cell 4 * row + column of
// the key's ring has a byte. A round is 16 steps in which every byte of the state goes through the
// S-box, and 4 in which each row of each ring turns by itself: MixColumns takes a column each, and
// the S-box works for the next round's key. Around a memory, cells of the key change a cycle later.
// Latency: 240 cycles from start_i, in phase 15, until done_o: 16 to load, 10 * 20, 16 for the last
// key and 8 until the phase is 0 again. Throughput: a block in 240 cycles.
module nano_aes #(
    parameter bit InMemory = 1'b0  // the S-box is a memory
) (
    input  logic       clk,
    input  logic       rst,
    input  logic [3:0] phase_i,
    input  logic       start_i,   // the 16 cycles from the next one on load block_i
    input  logic       pass_i,    // what was loaded is given as it is, 16 cycles after start_i
    input  logic [7:0] block_i,   // the byte of this phase: column phase mod 4, row phase / 4
    input  logic [7:0] key_i,     // the same of the key
    output logic       done_o,    // stream_o is there
    output logic [7:0] stream_o   // byte phase_i of the block that was encrypted, or loaded
);
  localparam logic [3:0] LOAD = 4'd0, LAST = 4'd11, REST = 4'd12;

  logic [3:0] round_q;
  logic [4:0] step_q;
  logic load, rests, last, ciphers, mixes, ends;
  logic [1:0] column;
  logic [127:0] key_q;
  logic [7:0] head, next_key, added, boxed, source, constant, change;
  logic [15:0][7:0] key;  // what the cells have
  logic [3:0] changes;  // cells of the key whose bytes change with boxed

  // ---- rounds and steps

  assign load    = round_q == LOAD;
  assign last    = round_q == LAST;
  assign rests   = round_q == REST;
  assign ciphers = !load && !last && !rests;
  assign mixes   = step_q[4];
  assign column  = step_q[1:0];
  assign ends    = load ? step_q == 5'd15 : step_q == (last ? 5'd23 : 5'd19);
  assign done_o  = rests;

  always_ff @(posedge clk) begin
    if (rst) round_q <= REST;
    else if (start_i) round_q <= LOAD;
    else if (ends) round_q <= load && pass_i ? REST : round_q + 4'd1;
    if (rst || start_i || ends || rests) step_q <= '0;
    else step_q <= step_q + 5'd1;
  end

  // ---- state

  assign added = (load ? block_i : head) ^ (load || rests ? 8'h00 : next_key);

  aes_sbox u_sbox (
      .clk (clk),
      .en_i(1'b1),
      .x_i (mixes ? source : added),
      .y_o (boxed)
  );

  nano_state #(
      .InMemory(InMemory)
  ) u_state (
      .clk      (clk),
      .phase_i  (phase_i),
      .ciphers_i(ciphers),
      .step_i   (step_q),
      .unmixed_i(!ciphers || round_q == LAST - 4'd1),
      .byte_i   (added),
      .boxed_i  (boxed),
      .head_o   (head),
      .stream_o (stream_o)
  );

  // ---- key: its first column changes while MixColumns works, the others as they pass

  assign changes = mixes ? 4'd1 << column : 4'd0;

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

  if (InMemory) begin : gen_later
    logic [3:0] changes_q;
    logic constant_q;

    always_ff @(posedge clk) begin
      changes_q  <= changes;
      constant_q <= column == 2'd0;
    end
    assign change = boxed ^ (constant_q ? constant : 8'h00);
    for (genvar i = 0; i < 16; i++) begin : gen_cell
      if (i % 3 == 0 && i > 0 && i < 15) begin : gen_changed
        assign key[i] = key_q[8*i+:8] ^ (changes_q[i/3-1] ? change : 8'h00);
      end else begin : gen_kept
        assign key[i] = key_q[8*i+:8];
      end
    end
  end else begin : gen_at_once
    assign change = boxed ^ (column == 2'd0 ? constant : 8'h00);
    assign key    = key_q;
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
endmodule
