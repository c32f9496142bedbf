// SPDX-License-Identifier: Apache-2.0
// The direction of a packet in a core that only encrypts. Of a command to decrypt, which is
// refused, the expected tag is still taken from the stream.
// Latency: combinational. Throughput: one byte a cycle.
module nano_direction_encrypts (
    input  logic       clk,
    input  logic       begin_i,     // a command is taken
    input  logic       decrypt_i,   // its first byte asks for decryption
    input  logic       refused_i,   // it asked for the direction that is not built
    input  logic       compare_i,   // a byte of the expected tag is taken
    input  logic       equal_i,     // and it is that of the right tag
    output logic       refuses_o,   // the command's direction is not built
    output logic       decrypts_o,  // what comes in is hashed, and not what leaves
    output logic       expects_o,   // the command has an expected tag
    output logic       differs_o    // that tag is wrong, so far
);
  assign refuses_o  = decrypt_i;
  assign decrypts_o = 1'b0;
  assign expects_o  = refused_i;
  assign differs_o  = 1'b0;

  logic unused;
  assign unused = &{1'b0, clk, begin_i, compare_i, equal_i};
endmodule
