// SPDX-License-Identifier: Apache-2.0
// The way of a key into the AES, for an AES that makes its round keys itself and encrypts the zero
// block for the hash subkey, too: the key goes over in two parts, and nothing is expanded here.
// Latency: that of gcm_key_hand_over. Throughput: one key at a time.
module gcm_key_feed_handed #(
    parameter bit [2:0] Sizes = 3'b111  // key sizes built: bit 0 AES-128, 1 AES-192, 2 AES-256
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         take_i,            // a key comes
    input  logic [255:0] key_i,             // first byte on top, left aligned
    input  logic [  1:0] size_i,            // of the key that was taken
    input  logic         keep_i,            // it waits for the packets before it
    input  logic         start_i,           // they are done
    output logic         busy_o,
    // to the AES: the first 128 bits of the key as round 0, the rest as round 1
    output logic         round_valid_o,
    output logic [  3:0] round_index_o,
    output logic [127:0] round_key_o,
    // round keys for a key unit of its own: none
    output logic         schedule_valid_o,
    output logic [  3:0] schedule_index_o,
    output logic [127:0] schedule_key_o
);
  logic [255:0] key;

  gcm_key_hand_over #(
      .Sizes(Sizes)
  ) u_hand_over (
      .clk          (clk),
      .rst          (rst),
      .take_i       (take_i),
      .key_i        (key_i),
      .keep_i       (keep_i),
      .start_i      (start_i),
      .size_i       (size_i),
      .key_o        (key),
      .round_valid_o(round_valid_o),
      .round_index_o(round_index_o),
      .round_key_o  (round_key_o)
  );

  assign busy_o           = 1'b0;
  assign schedule_valid_o = 1'b0;
  assign schedule_index_o = '0;
  assign schedule_key_o   = '0;

  logic unused;
  assign unused = &{1'b0, key};
endmodule
