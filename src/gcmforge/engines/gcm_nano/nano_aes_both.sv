// SPDX-License-Identifier: Apache-2.0
// AES with keys of 128 and of 256 bits and one S-box, a byte a cycle, on rings that never stand
// still. A round is 16 steps in which every byte of the state goes through the S-box, and 4 in
// which MixColumns takes a column each and the S-box works for the next round's key.
// Latency: from start_i, in phase 15, until done_o 240 cycles, with a key of 256 bits 320: 16 to
// load, 20 a round (10, or 14), 16 for the last key and 8 until the phase is 0 again. Throughput: a
// block in 240 or 320 cycles.
module nano_aes_both #(
    parameter bit InMemory = 1'b0  // the S-box is a memory
) (
    input  logic       clk,
    input  logic       rst,
    input  logic [3:0] phase_i,
    input  logic       long_i,    // the key has 256 bits
    input  logic       start_i,   // the 16 cycles from the next one on load block_i
    input  logic       pass_i,    // what was loaded is given as it is, 16 cycles after start_i
    input  logic [7:0] block_i,   // the byte of this phase: column phase mod 4, row phase / 4
    input  logic [7:0] key_i,     // the same of the key; of its second half while block_i is loaded
    output logic       done_o,    // stream_o is there
    output logic [7:0] stream_o   // byte phase_i of the block that was encrypted, or loaded
);
  localparam logic [4:0] LOAD = 5'd0, LAST = 5'd15, REST = 5'd16;

  logic [4:0] round_q;
  logic [4:0] step_q;
  logic load, rests, last, ciphers, final_round, ends;
  logic [7:0] head, key, added, boxed, source;

  assign load        = round_q == LOAD;
  assign last        = round_q == LAST;
  assign rests       = round_q == REST;
  assign ciphers     = !load && !last && !rests;
  assign final_round = round_q == (long_i ? 5'd14 : 5'd10);
  assign ends        = load ? step_q == 5'd15 : step_q == (last ? 5'd23 : 5'd19);
  assign done_o      = rests;

  always_ff @(posedge clk) begin
    if (rst) round_q <= REST;
    else if (start_i) round_q <= LOAD;
    else if (ends) round_q <= load && pass_i ? REST : final_round ? LAST : round_q + 5'd1;
    if (rst || start_i || ends || rests) step_q <= '0;
    else step_q <= step_q + 5'd1;
  end

  assign added = (load ? block_i : head) ^ (load || rests ? 8'h00 : key);

  aes_sbox u_sbox (
      .clk (clk),
      .en_i(1'b1),
      .x_i (step_q[4] ? source : added),
      .y_o (boxed)
  );

  nano_state #(
      .InMemory(InMemory)
  ) u_state (
      .clk      (clk),
      .phase_i  (phase_i),
      .ciphers_i(ciphers),
      .step_i   (step_q),
      .unmixed_i(!ciphers || final_round),
      .byte_i   (added),
      .boxed_i  (boxed),
      .head_o   (head),
      .stream_o (stream_o)
  );

  nano_schedule_both #(
      .InMemory(InMemory)
  ) u_schedule (
      .clk     (clk),
      .long_i  (long_i),
      .round_i (round_q),
      .mixes_i (step_q[4]),
      .column_i(step_q[1:0]),
      .key_i   (key_i),
      .boxed_i (boxed),
      .source_o(source),
      .key_o   (key)
  );
endmodule
