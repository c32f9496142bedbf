// SPDX-License-Identifier: Apache-2.0
// The key of a core that takes keys of 128 bits only, in a ring of 16 bytes.
// Latency: a byte is at head_o 16 cycles after it was written. Throughput: one byte a cycle.
module nano_key_short (
    input  logic       clk,
    input  logic       write_i,  // byte_i is a byte of a key, in the phase of its place
    input  logic [3:0] place_i,  // in its 16 bytes
    input  logic [7:0] byte_i,
    input  logic       last_i,   // and its last one
    output logic       whole_o,  // that makes a key of a size that is built
    output logic       wrong_o,  // a key that has this byte, or ends with it, is none
    output logic       long_o,   // the key has 256 bits
    output logic [7:0] head_o
);
  assign whole_o = place_i == 4'd15;
  assign wrong_o = last_i != whole_o;
  assign long_o  = 1'b0;

  nano_ring u_ring (
      .clk    (clk),
      .write_i(write_i),
      .byte_i (byte_i),
      .head_o (head_o)
  );
endmodule
