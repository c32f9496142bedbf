// SPDX-License-Identifier: Apache-2.0
// Where one segment meets its key stream: adds them for the text that leaves, gives GHASH
// ciphertext or AAD, and gcm_tag E(K, J0) and the expected tag.
// Latency: combinational. Throughput: one segment a cycle.
module segments_join #(
    parameter int Blocks = 1
) (
    input  logic [    Blocks*128-1:0] data_i,     // first block on top
    input  logic [(Blocks+1)*128-1:0] stream_i,   // E(K, J0) in the low bits
    input  logic [     Blocks*16-1:0] keep_i,     // bit i for byte i
    input  logic [             127:0] tag_i,
    input  logic                      text_i,
    input  logic                      decrypt_i,
    input  logic                      good_i,     // its packet has no error so far
    output logic [    Blocks*128-1:0] out_o,
    output logic [    Blocks*128-1:0] hash_o,
    output logic [             127:0] mask_o
);
  logic [Blocks*128-1:0] mask, mixed;

  for (genvar b = 0; b < Blocks * 16; b++) begin : gen_byte
    assign mask[Blocks*128-1-8*b-:8] = {8{keep_i[b]}};
  end

  // Registered outside, so nothing but text may be seen here: what AAD adds to the key stream would
  // show it.
  assign mixed  = (data_i ^ stream_i[(Blocks+1)*128-1:128]) & mask;
  assign out_o  = text_i && good_i ? mixed : '0;
  assign hash_o = text_i && !decrypt_i ? mixed : data_i & mask;
  assign mask_o = stream_i[127:0] ^ (decrypt_i ? tag_i : '0);
endmodule
