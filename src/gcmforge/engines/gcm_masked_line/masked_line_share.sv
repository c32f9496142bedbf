// SPDX-License-Identifier: Apache-2.0
// One share of the eleven round keys, and what is linear in ten rounds of AES. It knows nothing of
// the other share. Byte n of a block is in bits 8 * n and up.
// Latency: none; a key is where it is used 11 keys later. Throughput: one block a cycle.
module masked_line_share (
    input  logic          clk,
    input  logic          load_i,      // new_i is the first round key,
    input  logic [ 127:0] new_i,
    input  logic          expand_i,    // or the S-boxes 0 to 3 have what makes the next
    input  logic          feed_i,      // they take it of the latest key
    input  logic [   7:0] constant_i,
    input  logic [ 127:0] mask_i,      // added to both shares of each key
    input  logic [ 127:0] block_i,
    input  logic [1279:0] box_i,       // from the S-boxes, the first round lowest
    output logic [1279:0] box_o,       // into them
    output logic [ 127:0] stream_o     // the block that leaves
);
  localparam int Keys = 11;
  localparam int Rounds = 10;

  // Key k is in bits 128 * k and up. A new one goes in at the top, and all move down. They have no
  // enable: without a mask they are what they were.
  logic [128*Keys-1:0] keys_q, moved, masks;
  logic [127:0] last, later;

  assign last  = keys_q[128*(Keys-1)+:128];

  // What moves a key down sees the same bit of two neighbours. Every second key takes the halves of
  // the mask the other way round: their sum is as new in each cycle as each of them.
  for (genvar n = 0; n < Keys; n++) begin : gen_mask
    assign masks[128*n+:128] = n % 2 == 1 ? {mask_i[63:0], mask_i[127:64]} : mask_i;
  end

  always_comb begin
    later[31:0]   = last[31:0] ^ box_i[31:0] ^ {24'b0, constant_i};
    later[63:32]  = last[63:32] ^ later[31:0];
    later[95:64]  = last[95:64] ^ later[63:32];
    later[127:96] = last[127:96] ^ later[95:64];
  end

  assign moved = load_i || expand_i ? {load_i ? new_i : later, keys_q[128*Keys-1:128]} : keys_q;

  always_ff @(posedge clk) keys_q <= moved ^ masks;

  // ---- ShiftRows, MixColumns, AddRoundKey

  logic [127:0] first;

  // A key's last word, turned by a byte, goes into the S-boxes 0 to 3 of the first round.
  assign first        = block_i ^ keys_q[127:0];
  assign box_o[127:0] = {first[127:32], feed_i ? {last[103:96], last[127:104]} : first[31:0]};

  for (genvar n = 1; n <= Rounds; n++) begin : gen_round
    logic [127:0] boxed, shifted;

    assign boxed = box_i[128*(n-1)+:128];
    for (genvar b = 0; b < 16; b++) begin : gen_byte
      assign shifted[8*b+:8] = boxed[8*((5*b)%16)+:8];
    end

    if (n < Rounds) begin : gen_mix
      logic [127:0] mixed;

      for (genvar c = 0; c < 4; c++) begin : gen_column
        logic [31:0] column, out;

        for (genvar r = 0; r < 4; r++) begin : gen_row
          assign column[31-8*r-:8]  = shifted[32*c+8*r+:8];
          assign mixed[32*c+8*r+:8] = out[31-8*r-:8];
        end

        aes_mix_column u_mix (
            .x_i(column),
            .y_o(out)
        );
      end

      assign box_o[128*n+:128] = mixed ^ keys_q[128*n+:128];
    end else begin : gen_last
      assign stream_o = shifted ^ keys_q[128*n+:128];
    end
  end
endmodule
