// SPDX-License-Identifier: Apache-2.0
// One share of the round keys, and what is linear in AES between two passes of the S-boxes. It
// knows nothing of the other share. Byte n of a block is in bits 8 * n and up.
// Latency: none; a key that goes into the ring is at its head 11 cycles later.
// Throughput: one block a cycle.
module masked_fast_share (
    input  logic         clk,
    input  logic         key_i,       // new_i is the first round key,
    input  logic [127:0] new_i,
    input  logic         expand_i,    // or the S-boxes 0 to 3 have what makes the next
    input  logic [  7:0] constant_i,
    input  logic [127:0] mask_i,      // added to both shares of the key that goes in
    input  logic         begin_i,     // block_i begins
    input  logic [127:0] block_i,
    input  logic [127:0] box_i,       // from the S-boxes
    output logic [127:0] box_o,       // into them
    output logic [127:0] stream_o     // the block that leaves, in the step of key 10
);
  localparam int Keys = 11;
  localparam int Made = 3;  // where a key is 8 cycles after it went in

  // Key k of the ring is in bits 128 * k and up; 0 is the head.
  logic [128*Keys-1:0] ring_q;
  logic [127:0] head, earlier, later, put;

  assign head   = ring_q[127:0];
  assign earlier = ring_q[128*Made+:128];

  always_comb begin
    later[31:0]   = earlier[31:0] ^ box_i[31:0] ^ {24'b0, constant_i};
    later[63:32]  = earlier[63:32] ^ later[31:0];
    later[95:64]  = earlier[95:64] ^ later[63:32];
    later[127:96] = earlier[127:96] ^ later[95:64];
  end

  assign put = (key_i ? new_i : expand_i ? later : head) ^ mask_i;

  always_ff @(posedge clk) ring_q <= {put, ring_q[128*Keys-1:128]};

  // ---- ShiftRows, MixColumns, AddRoundKey

  logic [127:0] shifted, mixed;

  for (genvar c = 0; c < 4; c++) begin : gen_column
    logic [31:0] column, out;

    for (genvar r = 0; r < 4; r++) begin : gen_row
      assign shifted[32*c+8*r+:8] = box_i[32*((c+r)%4)+8*r+:8];
      assign column[31-8*r-:8]    = shifted[32*c+8*r+:8];
      assign mixed[32*c+8*r+:8]   = out[31-8*r-:8];
    end

    aes_mix_column u_mix (
        .x_i(column),
        .y_o(out)
    );
  end

  assign stream_o = shifted ^ head;

  // A key's last word, turned by a byte, goes into the S-boxes 0 to 3.
  logic [127:0] added;
  assign added = (begin_i ? block_i : mixed) ^ head;
  assign box_o = {added[127:32], key_i || expand_i ? {put[103:96], put[127:104]} : added[31:0]};
endmodule
