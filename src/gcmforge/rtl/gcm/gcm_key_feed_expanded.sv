// SPDX-License-Identifier: Apache-2.0
// The way of a key into the AES, for an AES that stores its round keys: the key is expanded, and
// the round keys go to the AES and to a key unit of its own, where there is one.
//
// Latency: that of aes_key_expand. Throughput: one key at a time.
module gcm_key_feed_expanded #(
    parameter bit [2:0] Sizes = 3'b111,  // key sizes built: bit 0 AES-128, 1 AES-192, 2 AES-256
    parameter int SubStages = 1          // of the aes_sbox in the folder
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         take_i,            // a key comes
    input  logic [255:0] key_i,             // first byte on top, left aligned
    input  logic [  1:0] size_i,            // of the key that was taken
    input  logic         keep_i,            // it waits for the packets before it
    input  logic         start_i,           // they are done
    output logic         busy_o,            // it is being expanded
    // round keys to the AES, in order
    output logic         round_valid_o,
    output logic [  3:0] round_index_o,
    output logic [127:0] round_key_o,
    // the same for a key unit of its own; held back by hold_i
    output logic         schedule_valid_o,
    output logic [  3:0] schedule_index_o,
    output logic [127:0] schedule_key_o,
    input  logic         hold_i
);
  localparam int KeyBits = Sizes == 3'b001 ? 128 : 256;  // that are kept

  logic [KeyBits-1:0] key_q;

  always_ff @(posedge clk)
    if (take_i) key_q <= key_i[255-:KeyBits];
    else if (!keep_i) key_q <= '0;

  aes_key_expand #(
      .Sizes    (Sizes),
      .SubStages(SubStages)
  ) u_expand (
      .clk        (clk),
      .rst        (rst),
      .start_i    (start_i),
      .key_i      (256'(key_q) << (256 - KeyBits)),
      .size_i     (size_i),
      .hold_i     (hold_i),
      .busy_o     (busy_o),
      .key_valid_o(schedule_valid_o),
      .key_round_o(schedule_index_o),
      .key_data_o (schedule_key_o)
  );

  assign round_valid_o = schedule_valid_o;
  assign round_index_o = schedule_index_o;
  assign round_key_o   = schedule_key_o;

  logic unused;  // the lower part of a longer key
  assign unused = &{1'b0, key_i};
endmodule
