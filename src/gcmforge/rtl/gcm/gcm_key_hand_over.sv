// SPDX-License-Identifier: Apache-2.0
// A key that waits for its turn and is then given to the AES in two parts, for an AES that makes
// its round keys itself. The key is gone from here after that.
//
// The last word of a key that is shorter than the longest built goes over once more, as the lowest
// word of the second part that is in use: aes_key_step has it there.
//
// Latency: the first 128 bits in the cycle of start_i, the rest in the next. Throughput: one key at
// a time.
module gcm_key_hand_over #(
    parameter bit [2:0] Sizes = 3'b111  // key sizes built: bit 0 AES-128, 1 AES-192, 2 AES-256
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         take_i,         // a key comes
    input  logic [255:0] key_i,          // first byte on top, left aligned
    input  logic         keep_i,         // it waits
    input  logic         start_i,        // it waits no more
    input  logic [  1:0] size_i,         // its size
    output logic [255:0] key_o,          // all of it, until the cycle of start_i
    output logic         round_valid_o,  // a part, as round 0 or 1
    output logic [  3:0] round_index_o,
    output logic [127:0] round_key_o
);
  localparam int KeyBits = Sizes == 3'b001 ? 128 : 256;  // that are kept

  logic [KeyBits-1:0] key_q;
  logic [127:0] rest;
  logic rest_q;  // the second part goes over

  assign key_o         = 256'(key_q) << (256 - KeyBits);
  assign round_valid_o = start_i || rest_q;
  assign round_index_o = {3'b0, rest_q};
  assign round_key_o   = key_o[255:128];

  always_comb begin
    rest = key_o[127:0];
    if (Sizes[2]) begin
      if (size_i == gcm_pkg::KEY_128) rest[31:0] = key_o[159:128];
      else if (size_i == gcm_pkg::KEY_192) rest[31:0] = key_o[95:64];
    end else rest[63:32] = size_i == gcm_pkg::KEY_128 ? key_o[159:128] : key_o[95:64];
  end

  always_ff @(posedge clk)
    if (take_i) key_q <= key_i[255-:KeyBits];
    else if (start_i) key_q <= KeyBits'({rest, 128'b0} >> (256 - KeyBits));
    else if (!keep_i) key_q <= '0;

  always_ff @(posedge clk)
    if (rst) rest_q <= 1'b0;
    else rest_q <= start_i;

  logic unused;  // the lower part of a longer key
  assign unused = &{1'b0, key_i};
endmodule
