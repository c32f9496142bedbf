// SPDX-License-Identifier: Apache-2.0
// Key expansion (FIPS 197, section 5.2), one word at a time; the key is gone from here when done.
// Registers before and after the S-boxes keep choosing and adding words off their path.
//
// Latency: 4 * (rounds + 1) + 1 cycles, and SubStages + 1 more for each word that passes the
// S-boxes (10, 8 or 13 words for 128, 192 or 256 bits), and the cycles in which it is held.
// Throughput: one key at a time.
module aes_key_expand #(
    parameter bit [2:0] Sizes = 3'b111,  // key sizes built: bit 0 AES-128, 1 AES-192, 2 AES-256
    parameter int SubStages = 1          // of the aes_sbox in the folder
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         start_i,      // takes key and size; only while not busy
    input  logic [255:0] key_i,        // first byte on top, shorter keys left aligned
    input  logic [  1:0] size_i,
    input  logic         hold_i,       // the round key is still needed: no step in this cycle
    output logic         busy_o,
    output logic         key_valid_o,  // one round key a time, in order
    output logic [  3:0] key_round_o,
    output logic [127:0] key_data_o
);
  logic busy_q, key_valid_q;
  localparam int WindowBits = Sizes == 3'b001 ? 128 : 256;

  logic [1:0] size_q, size;
  logic [WindowBits-1:0] window_q;  // the last eight words, or four, the newest at the bottom
  logic [5:0] index_q;  // of the word being made
  logic [2:0] phase_q;  // index modulo the words in the key
  logic first_q;  // the words of the key itself are still passing
  logic substitute_q;  // the word being made passes the S-boxes
  logic made_q;        // it is there: it did not, or it has
  logic [7:0] rcon_q;
  logic [31:0] newest, oldest, sub_in_q, sub_out, sub_q, word_d;
  logic step, end_of_key, end_of_phase, next_substitutes;
  logic [5:0] last_index;
  logic [2:0] last_phase;

  assign size       = Sizes == 3'b001 ? gcm_pkg::KEY_128 : size_q;
  assign newest     = window_q[31:0];
  if (WindowBits == 128) begin : gen_four
    assign oldest = window_q[127:96];
  end else begin : gen_eight
    assign oldest = size == gcm_pkg::KEY_128 ? window_q[127:96]
        : size == gcm_pkg::KEY_192 ? window_q[191:160] : window_q[255:224];
  end
  assign last_phase = size == gcm_pkg::KEY_128 ? 3'd3 : size == gcm_pkg::KEY_192 ? 3'd5 : 3'd7;
  assign last_index = 6'd43 + {1'b0, size, 3'b0};
  assign end_of_key = index_q == last_index;
  assign end_of_phase = phase_q == last_phase;
  assign next_substitutes = end_of_phase
      || (size == gcm_pkg::KEY_256 && phase_q == 3'd3 && !first_q);

  always_comb begin
    word_d = oldest;
    if (!first_q) begin
      if (substitute_q) word_d = word_d ^ sub_q;
      else word_d = word_d ^ newest;
      if (phase_q == '0) word_d = word_d ^ {rcon_q, 24'b0};
    end
  end

  for (genvar b = 0; b < 4; b++) begin : gen_byte
    aes_sbox u_sbox (
        .clk (clk),
        .en_i(1'b1),
        .x_i (sub_in_q[8*b+:8]),
        .y_o (sub_out[8*b+:8])
    );
  end

  // A word that passes the S-boxes waits for their registers and those around them.
  localparam int WAIT = SubStages + 1;
  localparam int WaitWidth = $clog2(WAIT + 1);
  logic [WaitWidth-1:0] wait_q;

  assign step = busy_q && !hold_i && made_q;

  always_ff @(posedge clk) begin
    sub_in_q <= phase_q == '0 ? {newest[23:0], newest[31:24]} : newest;
    sub_q    <= sub_out;
    if (made_q) wait_q <= '0;
    else wait_q <= wait_q + WaitWidth'(1);
  end

  always_ff @(posedge clk) begin
    if (start_i) begin
      size_q   <= size_i;
      window_q <= WindowBits == 128 || size_i == gcm_pkg::KEY_128 ? WindowBits'(key_i[255:128])
                : size_i == gcm_pkg::KEY_192 ? WindowBits'(key_i[255:64]) : WindowBits'(key_i);
    end else if (step) window_q <= {window_q[WindowBits-33:0], word_d};
    else if (!busy_q && !hold_i) window_q <= '0;

    if (start_i) begin
      index_q <= '0;
      phase_q <= '0;
      first_q <= 1'b1;
      rcon_q  <= 8'h01;
      substitute_q <= 1'b0;
      made_q       <= 1'b1;
    end else if (step) begin
      index_q <= index_q + 6'd1;
      phase_q <= end_of_phase ? '0 : phase_q + 3'd1;
      substitute_q <= next_substitutes;
      made_q       <= !next_substitutes;
      if (end_of_phase) first_q <= 1'b0;
      if (!first_q && phase_q == '0) rcon_q <= rcon_q[7] ? 8'h1b : {rcon_q[6:0], 1'b0};
    end else if (wait_q == WaitWidth'(WAIT - 1)) made_q <= 1'b1;
    if (step) key_round_o <= index_q[5:2];
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      busy_q      <= 1'b0;
      key_valid_q <= 1'b0;
    end else begin
      if (start_i) busy_q <= 1'b1;
      else if (step && end_of_key) busy_q <= 1'b0;
      key_valid_q <= step && index_q[1:0] == 2'd3;
    end
  end

  assign busy_o      = busy_q || key_valid_q;
  assign key_valid_o = key_valid_q;
  assign key_data_o  = window_q[127:0];
endmodule
