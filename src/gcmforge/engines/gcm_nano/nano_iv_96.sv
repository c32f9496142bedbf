// SPDX-License-Identifier: Apache-2.0
// The IV of a packet in a core whose IVs all have 96 bits: its bytes go into the counter block,
// each in the phase of its place there.
// Latency: combinational. Throughput: four bytes in 16 cycles.
module nano_iv_96 (
    input  logic [3:0] phase_i,
    input  logic       active_i,   // the packet's IV is to come, or to be worked on
    input  logic       taken_i,    // byte_i is taken
    input  logic [7:0] byte_i,
    input  logic       last_i,     // and is the last one
    input  logic [3:0] place_i,    // bytes taken before it, modulo 16
    output logic       opens_o,    // a command may be taken, so that its IV follows
    output logic       ready_o,    // a byte is waited for
    output logic       wrong_o,    // an IV that has byte_i, or ends with it, is none
    output logic       done_o,     // the counter block is there in the next cycle
    output logic       begins_o,   // and the AES is to begin with it at once
    output logic       write_o,    // block_o is the byte of the counter block that has this phase
    output logic [7:0] block_o,
    output logic       count_o,    // the counter is to go up by one
    output logic       clear_o,    // the digest becomes hashed_o
    output logic [7:0] hashed_o,   // added to the digest
    output logic       lengths_o,  // the block of lengths is added to the digest
    output logic       hash_o,     // the digest is multiplied
    output logic       load_o,     // the AES takes the digest in the next 16 cycles
    output logic       passes_o    // it does, and gives it in the 16 after these, not encrypted
);
  assign opens_o   = phase_i[0];
  assign ready_o   = phase_i == {place_i[1:0], place_i[3:2]};
  assign wrong_o   = last_i != (place_i == 4'd11);
  assign done_o    = taken_i && last_i;
  assign begins_o  = 1'b0;
  assign write_o   = taken_i;
  assign block_o   = byte_i;
  assign count_o   = 1'b0;
  assign clear_o   = active_i;
  assign hashed_o  = 8'h00;
  assign lengths_o = 1'b0;
  assign hash_o    = 1'b0;
  assign load_o    = 1'b0;
  assign passes_o  = 1'b0;
endmodule
