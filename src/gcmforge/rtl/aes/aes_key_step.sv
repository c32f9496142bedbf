// SPDX-License-Identifier: Apache-2.0
// One step of a key schedule that goes through a pipeline with the data (FIPS 197, section 5.2):
// from the window that begins with the round key of stage Round to the one of the next stage.
//
// A window holds as many words of the schedule as the key has, 4, 6 or 8, the round key on top. A
// step makes four new words. At most one of them comes from a word that passes the S-boxes: the
// first, or for keys of six words the first, the third and none of them by turns. The word for the
// S-boxes is the window's lowest for every key size: the newest of eight words is, and in windows
// of fewer words it stands there once more, so that nothing is chosen in front of the S-boxes. The
// stages that a shorter key leaves out (see aes_pipelined) leave its window as it is.
//
// Latency: that of the aes_sbox in the folder, one cycle less than its stages. Throughput: one
// window a cycle.
module aes_key_step #(
    parameter bit [2:0] Sizes = 3'b111,  // key sizes built: bit 0 AES-128, 1 AES-192, 2 AES-256
    parameter int MaxRounds = 14,        // of the largest of them
    parameter int Round = 0,             // the stage that the step begins at
    parameter int SubStages = 1,         // of the aes_sbox in the folder
    localparam int Bits = MaxRounds == 12 ? 224 : 32 * (MaxRounds - 6)
) (
    input  logic            clk,
    input  logic            en_i,
    input  logic [     1:0] size_i,
    input  logic [Bits-1:0] window_i,
    output logic [     1:0] size_o,
    output logic [Bits-1:0] window_o
);
  localparam int Words = Bits / 32;

  logic [255:0] old;  // the window, in as many bits as the longest has
  logic [2:0][Bits-1:0] size_base;  // of each key size, zero when the size is another
  logic [Bits-1:0] early, late;  // the new window but for what comes through the S-boxes
  logic [31:0] sub_out, sub_rotated;
  logic [2:0][Words-1:0][31:0] size_sub;  // what comes through them, in the words that it goes into

  assign old         = 256'(window_i) << (256 - Bits);
  assign early       = size_base[0] | size_base[1] | size_base[2];
  assign sub_rotated = {sub_out[23:0], sub_out[31:24]};
  assign window_o    = late ^ (size_sub[0] | size_sub[1] | size_sub[2]);

  if (SubStages == 1) begin : gen_direct
    assign late   = early;
    assign size_o = size_i;
  end else begin : gen_delay
    for (genvar d = 1; d < SubStages; d++) begin : gen_stage
      logic [Bits+1:0] stage_q;
      if (d == 1) begin : gen_first
        always_ff @(posedge clk) if (en_i) stage_q <= {size_i, early};
      end else begin : gen_later
        always_ff @(posedge clk) if (en_i) stage_q <= gen_stage[d-1].stage_q;
      end
    end
    assign {size_o, late} = gen_stage[SubStages-1].stage_q;
  end

  for (genvar s = 0; s < 3; s++) begin : gen_size
    localparam int Own = 4 + 2 * s;  // words of this size's window
    localparam int Newest = 255 - 32 * (Own - 1);  // top bit of the last of them
    localparam int LeftOut = MaxRounds - 10 - 2 * s;
    localparam bit Still = Round >= 2 && Round < 2 + LeftOut;
    localparam int Step = Still || Round < 2 ? Round : Round - LeftOut;  // in this size's schedule
    // Which new word comes through the S-boxes (4: none), rotated or not, with which constant.
    localparam int At = s != 1 || Step % 3 == 0 ? 0 : Step % 3 == 1 ? 2 : 4;
    localparam bit Rotate = s != 2 || Step % 2 == 0;
    localparam int Power = s == 0 ? Step : s == 1 ? 2 * (Step / 3) + Step % 3 : Step / 2;
    localparam logic [7:0] RCON = Power == 9 ? 8'h36 : Power == 8 ? 8'h1b : 8'h01 << Power;

    if (!Sizes[s]) begin : gen_none
      assign size_base[s] = '0;
      assign size_sub[s]  = '0;
    end else begin : gen_built
      logic chosen, was_chosen;  // this size comes in; its word leaves the S-boxes
      assign chosen     = $onehot(Sizes) || size_i == 2'(s);
      assign was_chosen = $onehot(Sizes) || size_o == 2'(s);

      if (Still) begin : gen_still
        assign size_base[s] = window_i & {Bits{chosen}};
        assign size_sub[s]  = '0;
        logic unused;
        assign unused = was_chosen;
      end else begin : gen_step
        logic [127:0] made;  // new words
        logic [31:0] lowest;  // the word for the S-boxes of the next step
        logic [Bits-1:0] window;

        for (genvar w = 0; w < 4; w++) begin : gen_word
          logic [31:0] sum;  // of the old words in this one, without what came before them
          if (w == 0 || w == At) begin : gen_start
            assign sum = old[255-32*w-:32];
          end else begin : gen_sum
            assign sum = old[255-32*w-:32] ^ gen_word[w-1].sum;
          end
          assign made[127-32*w-:32] = sum
              ^ (w < At ? old[Newest-:32] : Rotate ? {RCON, 24'h0} : 32'h0);
        end

        // Of six words, the third of the step after one with the first comes through the S-boxes,
        // in front of the first two, which are sums of what is here.
        if (s == 1 && At == 0) begin : gen_ahead
          assign lowest = made[31:0] ^ old[127-:32] ^ old[95-:32];
        end else begin : gen_newest
          assign lowest = made[31:0];
        end

        for (genvar k = 0; k < Words; k++) begin : gen_place
          localparam int Top = Bits - 1 - 32 * k;
          localparam int New = k == Words - 1 ? 3 : k - (Own - 4);  // which new word it has
          if (k >= Own && k < Words - 1) begin : gen_free
            assign window[Top-:32] = '0;
          end else if (k == Words - 1) begin : gen_lowest
            assign window[Top-:32] = lowest;
          end else if (New >= 0) begin : gen_new
            assign window[Top-:32] = made[127-32*New-:32];
          end else begin : gen_old
            assign window[Top-:32] = old[127-32*k-:32];
          end
          if (k < Own || k == Words - 1) begin : gen_sub
            assign size_sub[s][Words-1-k] = New >= At && At < 4
                ? (Rotate ? sub_rotated : sub_out) & {32{was_chosen}} : '0;
          end else begin : gen_no_sub
            assign size_sub[s][Words-1-k] = '0;
          end
        end
        assign size_base[s] = window & {Bits{chosen}};
      end
    end
  end

  logic unused;  // keys of fewer words end above the window's lowest bit
  assign unused = &{1'b0, old, size_i, size_o, sub_rotated};

  for (genvar b = 0; b < 4; b++) begin : gen_byte
    aes_sbox u_sbox (
        .clk (clk),
        .en_i(en_i),
        .x_i (window_i[8*b+:8]),
        .y_o (sub_out[8*b+:8])
    );
  end
endmodule
