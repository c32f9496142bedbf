// SPDX-License-Identifier: Apache-2.0
// Yang 2005, Fig. 5, put together from this project's modules: one pipelined AES-128 of ten stages,
// one GHASH multiplier, one packet after another. The round keys are there before the packets.
//
// A packet is its IV (96 bits, on top), its AAD, then its text, a block a beat. Y0 goes into the AES
// with the IV, a counter block with each block of text, which waits in a FIFO for its key stream.
// There is text in every packet.
// When the lengths have gone into the GHASH, the next packet may begin.
//
// LengthFirst is the paper's equation (3): the lengths are hashed between AAD and text, while the AES
// fills. Its tags are not those of SP 800-38D.
//
// Latency: text 11 cycles after it came in. Throughput: a packet of n blocks of text takes n + 12
// cycles, n + 11 with LengthFirst.
module yang2005 #(
    parameter bit LengthFirst = 1'b0
) (
    input  logic          clk,
    input  logic          rst,
    input  logic [1407:0] keys_i,        // round key 0 on top
    input  logic          subkey_valid_i,
    input  logic [ 127:0] subkey_i,      // in polynomial order
    // packets
    input  logic          in_valid_i,
    output logic          in_ready_o,
    input  logic [   1:0] in_kind_i,     // 0 IV, 1 AAD, 2 text
    input  logic          in_last_i,     // the packet's last beat
    input  logic [ 127:0] in_data_i,
    input  logic [ 127:0] in_mask_i,     // which of its bits are there
    input  logic [ 127:0] in_lengths_i,  // with the IV: bits of AAD and of text
    // encrypted text, and tags
    output logic          out_valid_o,
    output logic [ 127:0] out_data_o,
    output logic          tag_valid_o,
    output logic [ 127:0] tag_o
);
  localparam int Rounds = 10;
  localparam logic [1:0] KIND_IV = 2'd0;
  localparam logic [1:0] KIND_AAD = 2'd1;
  localparam logic [1:0] KIND_TEXT = 2'd2;

  // ---- one packet at a time: the next IV waits until this packet's last block is hashed
  logic open_q, fed_q;  // a packet is under way, and is all in
  logic beat, take_iv, take_text, hash_last;

  assign in_ready_o = in_kind_i == KIND_IV ? !open_q : open_q && !fed_q;
  assign beat       = in_valid_i && in_ready_o;
  assign take_iv    = beat && in_kind_i == KIND_IV;
  assign take_text  = beat && in_kind_i == KIND_TEXT;

  always_ff @(posedge clk)
    if (rst) {open_q, fed_q} <= '0;
    else if (hash_last) {open_q, fed_q} <= '0;
    else if (take_iv) {open_q, fed_q} <= {1'b1, in_last_i};
    else if (beat && in_last_i) fed_q <= 1'b1;

  // ---- counters into ten rounds; the first addition of a key is in the first round
  logic [95:0] iv_q;
  logic [31:0] counter_q;
  logic [127:0] counter;
  logic [127:0] lengths_q;
  logic [Rounds-1:0] text_q, iv_stage_q;  // what each round holds

  assign counter = take_iv ? {in_data_i[127:32], 32'd1} : {iv_q, counter_q};

  always_ff @(posedge clk) begin
    if (take_iv) begin
      iv_q      <= in_data_i[127:32];
      lengths_q <= in_lengths_i;
    end
    if (take_iv) counter_q <= 32'd2;
    else if (take_text) counter_q <= counter_q + 32'd1;
    text_q     <= rst ? '0 : {text_q[Rounds-2:0], take_text};
    iv_stage_q <= rst ? '0 : {iv_stage_q[Rounds-2:0], take_iv};
  end

  for (genvar r = 1; r <= Rounds; r++) begin : gen_round
    logic [127:0] state, shifted, mixed, state_q;

    if (r == 1) begin : gen_first
      assign state = counter ^ keys_i[1407-:128];
    end else begin : gen_next
      assign state = gen_round[r-1].state_q;
    end
    aes_sub_shift u_sub_shift (
        .clk    (clk),
        .en_i   (1'b1),
        .state_i(state),
        .state_o(shifted)
    );
    aes_mix_columns u_mix_columns (
        .state_i(shifted),
        .state_o(mixed)
    );
    always_ff @(posedge clk)
      state_q <= (r == Rounds ? shifted : mixed) ^ keys_i[1407-128*r-:128];
  end

  // ---- the FIFO: ten blocks of text and their masks, as long under way as their counters
  logic [Rounds*128-1:0] data_q, mask_q;
  logic [Rounds-1:0] end_q;
  always_ff @(posedge clk) begin
    data_q <= {data_q[(Rounds-1)*128-1:0], in_data_i};
    mask_q <= {mask_q[(Rounds-1)*128-1:0], in_mask_i};
    end_q  <= rst ? '0 : {end_q[Rounds-2:0], beat && in_last_i};
  end

  // ---- stream, text, E(K, Y0)
  logic [127:0] stream, text, e_y0_q;
  logic text_now, ends_now;
  assign stream   = gen_round[Rounds].state_q;
  assign text_now = text_q[Rounds-1];
  assign ends_now = end_q[Rounds-1];
  assign text     = (data_q[(Rounds-1)*128+:128] ^ stream) & mask_q[(Rounds-1)*128+:128];

  always_ff @(posedge clk) begin
    if (iv_stage_q[Rounds-1]) e_y0_q <= stream;
    out_valid_o <= !rst && text_now;
    out_data_o  <= text;
  end

  // ---- into the GHASH: AAD as it comes, text as it is made, the lengths in a cycle of their own
  logic hash_aad, hash_text, hash_length, length_wait_q, ended_q;
  logic [127:0] hash_block, hash_poly, digest, digest_poly;

  assign hash_aad    = beat && in_kind_i == KIND_AAD;
  assign hash_text   = text_now;
  assign hash_length = LengthFirst ? length_wait_q && take_text : ended_q;
  assign hash_last   = LengthFirst ? ends_now : ended_q;
  assign hash_block  = hash_aad ? in_data_i & in_mask_i : hash_length ? lengths_q : text;

  always_ff @(posedge clk) begin
    ended_q       <= !rst && ends_now;
    length_wait_q <= !rst && (take_iv || (length_wait_q && !hash_length));
  end

  for (genvar i = 0; i < 128; i++) begin : gen_reflect
    assign hash_poly[i] = hash_block[127-i];
    assign digest[i]    = digest_poly[127-i];
  end

  ghash_serial u_ghash (
      .clk             (clk),
      .rst             (rst),
      .in_valid_i      (hash_aad || hash_text || hash_length),
      .in_ready_o      (),
      .in_data_i       (hash_poly),
      .in_count_i      (1'b1),
      .in_last_i       (hash_last),
      .in_context_i    (1'b0),
      .digest_valid_o  (tag_valid_o),
      .digest_o        (digest_poly),
      .subkey_valid_i  (subkey_valid_i),
      .subkey_context_i(1'b0),
      .subkey_i        (subkey_i),
      .subkey_done_o   ()
  );
  assign tag_o = digest ^ e_y0_q;
endmodule
