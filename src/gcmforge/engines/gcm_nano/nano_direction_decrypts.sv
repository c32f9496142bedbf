// SPDX-License-Identifier: Apache-2.0
// The direction of a packet, and the comparison of its tag, in a core that only decrypts. A command
// to encrypt is refused, and has no expected tag.
// Latency: 1 cycle; differs_o with the byte that is compared. Throughput: one byte a cycle.
module nano_direction_decrypts (
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
  logic differs_q;

  assign refuses_o  = !decrypt_i;
  assign decrypts_o = 1'b1;
  assign expects_o  = !refused_i;
  assign differs_o  = differs_q || !equal_i;

  always_ff @(posedge clk) begin
    if (begin_i) differs_q <= 1'b0;
    else if (compare_i) differs_q <= differs_o;
  end
endmodule
