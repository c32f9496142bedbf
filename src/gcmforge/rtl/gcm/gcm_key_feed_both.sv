// SPDX-License-Identifier: Apache-2.0
// The way of a key into the AES, for an AES that makes its round keys itself, and into a key unit
// that does not: the key goes over to the AES in two parts, and is expanded for the key unit.
// Latency: those of gcm_key_hand_over and of aes_key_expand. Throughput: one key at a time.
module gcm_key_feed_both #(
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
    // to the AES: the first 128 bits of the key as round 0, the rest as round 1
    output logic         round_valid_o,
    output logic [  3:0] round_index_o,
    output logic [127:0] round_key_o,
    // round keys for the key unit, in order; held back by hold_i
    output logic         schedule_valid_o,
    output logic [  3:0] schedule_index_o,
    output logic [127:0] schedule_key_o,
    input  logic         hold_i
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

  aes_key_expand #(
      .Sizes    (Sizes),
      .SubStages(SubStages)
  ) u_expand (
      .clk        (clk),
      .rst        (rst),
      .start_i    (start_i),
      .key_i      (key),
      .size_i     (size_i),
      .hold_i     (hold_i),
      .busy_o     (busy_o),
      .key_valid_o(schedule_valid_o),
      .key_round_o(schedule_index_o),
      .key_data_o (schedule_key_o)
  );
endmodule
