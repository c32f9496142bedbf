// SPDX-License-Identifier: Apache-2.0
// One step of a key schedule that goes through a pipeline with the data (FIPS 197, section 5.2):
// from the window that begins with the round key of stage Round to the one of the next stage.
//
// A window holds as many words of the schedule as the key has, 4, 6 or 8, the round key on top. A
// step makes four new words. At most one of them comes from a word that passes the S-boxes: the
// first, or for keys of six words the first, the third and none of them by turns. The stages that a
// shorter key leaves out (see aes_pipelined) leave its window as it is.
//
// Latency: that of the aes_sbox in the folder, one cycle less than its stages. Throughput: one
// window a cycle.
module aes_key_step #(
    parameter int MinRounds = 10,  // of the smallest key size built
    parameter int MaxRounds = 14,  // of the largest
    parameter int Round = 0,       // the stage that the step begins at
    parameter int SubStages = 1,   // of the aes_sbox in the folder
    localparam int Bits = 32 * (MaxRounds - 6)
) (
    input  logic            clk,
    input  logic            en_i,
    input  logic [     1:0] size_i,
    input  logic [Bits-1:0] window_i,
    output logic [     1:0] size_o,
    output logic [Bits-1:0] window_o
);
  logic [255:0] early, old;  // as it came, and when its word leaves the S-boxes
  logic [31:0] sub_in, sub_out;
  logic [2:0][31:0] size_sub_in;  // of each key size, zero when the size is another
  logic [2:0][255:0] size_window;

  assign early[255-:Bits] = window_i;
  if (Bits < 256) begin : gen_short
    assign early[255-Bits:0] = '0;
  end

  if (SubStages == 1) begin : gen_direct
    assign old    = early;
    assign size_o = size_i;
  end else begin : gen_delay
    for (genvar d = 1; d < SubStages; d++) begin : gen_stage
      logic [257:0] stage_q;
      if (d == 1) begin : gen_first
        always_ff @(posedge clk) if (en_i) stage_q <= {size_i, early};
      end else begin : gen_later
        always_ff @(posedge clk) if (en_i) stage_q <= gen_stage[d-1].stage_q;
      end
    end
    assign {size_o, old} = gen_stage[SubStages-1].stage_q;
  end

  for (genvar s = 0; s < 3; s++) begin : gen_size
    localparam int Words = 4 + 2 * s;
    localparam int Newest = 255 - 32 * (Words - 1);  // top bit of the last word
    localparam int LeftOut = MaxRounds - 10 - 2 * s;
    localparam bit Built = 10 + 2 * s >= MinRounds && 10 + 2 * s <= MaxRounds;
    localparam bit Still = Round >= 2 && Round < 2 + LeftOut;
    localparam int Step = Still || Round < 2 ? Round : Round - LeftOut;  // in this size's schedule
    // Which new word comes through the S-boxes (4: none), rotated or not, with which constant.
    localparam int At = s != 1 || Step % 3 == 0 ? 0 : Step % 3 == 1 ? 2 : 4;
    localparam bit Rotate = s != 2 || Step % 2 == 0;
    localparam int Power = s == 0 ? Step : s == 1 ? 2 * (Step / 3) + Step % 3 : Step / 2;
    localparam logic [7:0] RCON = Power == 9 ? 8'h36 : Power == 8 ? 8'h1b : 8'h01 << Power;

    logic chosen;  // this size has the window
    assign chosen = MinRounds == MaxRounds || size_o == 2'(s);

    if (!Built) begin : gen_none
      assign size_sub_in[s] = '0;
      assign size_window[s] = '0;
      logic unused;
      assign unused = &{1'b0, chosen};
    end else if (Still) begin : gen_still
      assign size_sub_in[s] = '0;
      assign size_window[s] = old & {256{chosen}};
    end else begin : gen_step
      logic [31:0] newest;
      logic wanted;  // in the S-boxes
      logic [127:0] made;
      logic [255:0] window;

      if (At == 2) begin : gen_ahead  // the second of the new words, before it is there
        assign newest = early[255-:32] ^ early[223-:32] ^ early[Newest-:32];
      end else begin : gen_last
        assign newest = early[Newest-:32];
      end
      assign wanted         = At < 4 && (MinRounds == MaxRounds || size_i == 2'(s));
      assign size_sub_in[s] = (Rotate ? {newest[23:0], newest[31:24]} : newest) & {32{wanted}};

      for (genvar w = 0; w < 4; w++) begin : gen_word
        logic [31:0] sum;  // of the old words in this one, without what came before them
        if (w == 0 || w == At) begin : gen_start
          assign sum = old[255-32*w-:32];
        end else begin : gen_sum
          assign sum = old[255-32*w-:32] ^ gen_word[w-1].sum;
        end
        assign made[127-32*w-:32] = sum ^ (w < At ? old[Newest-:32]
            : sub_out ^ {Rotate ? RCON : 8'h00, 24'h0});
      end

      if (Words == 4) begin : gen_four
        assign window = {made, 128'b0};
      end else if (Words == 6) begin : gen_six
        assign window = {old[127-:64], made, 64'b0};
      end else begin : gen_eight
        assign window = {old[127:0], made};
      end
      assign size_window[s] = window & {256{chosen}};
    end
  end

  assign sub_in   = size_sub_in[0] | size_sub_in[1] | size_sub_in[2];
  assign window_o = size_window[0][255-:Bits] | size_window[1][255-:Bits]
      | size_window[2][255-:Bits];

  logic unused;  // keys of fewer words end above the window's lowest bit
  assign unused = &{1'b0, old, size_i};

  for (genvar b = 0; b < 4; b++) begin : gen_byte
    aes_sbox u_sbox (
        .clk (clk),
        .en_i(en_i),
        .x_i (sub_in[8*b+:8]),
        .y_o (sub_out[8*b+:8])
    );
  end
endmodule
