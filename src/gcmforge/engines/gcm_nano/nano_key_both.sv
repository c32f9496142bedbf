// SPDX-License-Identifier: Apache-2.0
// The key of a core that takes keys of 128 and of 256 bits, in two rings of 16 bytes. The AES takes
// the second half of a long key while it loads a block, and the first half, or a short key, after.
// Latency: a byte is at head_o 16 cycles after it was written, and a half in the 16 cycles after
// load_i. Throughput: one byte a cycle.
module nano_key_both (
    input  logic       clk,
    input  logic       rst,
    input  logic       write_i,  // byte_i is a byte of a key, in the phase of its place
    input  logic [3:0] place_i,  // in its 16 bytes, or in a half of 32
    input  logic [7:0] byte_i,
    input  logic       last_i,   // and its last one
    output logic       whole_o,  // that makes a key of a size that is built
    output logic       wrong_o,  // a key that has this byte, or ends with it, is none
    output logic       long_o,   // the key has 256 bits
    input  logic       turn_ends_i,  // the phase is 15
    input  logic       load_i,   // the next 16 cycles load a block; in phase 15
    output logic [7:0] head_o
);
  logic half_q;    // 16 bytes of the key have come
  logic second_q;  // the second half is asked for
  logic [7:0] head, second;

  assign whole_o = place_i == 4'd15;
  assign wrong_o = last_i ? !whole_o : whole_o && half_q;

  always_ff @(posedge clk) begin
    if (rst || (write_i && last_i)) half_q <= 1'b0;
    else if (write_i && whole_o) half_q <= 1'b1;
    if (rst) long_o <= 1'b0;
    else if (write_i && last_i) long_o <= half_q;
    second_q <= load_i || (second_q && !turn_ends_i);
  end

  nano_ring u_ring (
      .clk    (clk),
      .write_i(write_i && !half_q),
      .byte_i (byte_i),
      .head_o (head)
  );

  nano_ring u_second (
      .clk    (clk),
      .write_i(write_i && half_q),
      .byte_i (byte_i),
      .head_o (second)
  );

  assign head_o = second_q ? second : head;
endmodule
