// SPDX-License-Identifier: Apache-2.0
// What the blocks of a segment are multiplied by: H^R for the first, H^(R-1) for the second, and so
// on, and H for the length block. The row of powers is moved down by R - 1 places, the widest move
// first, and of each move only what can still be of use is kept.
//
// A block that is not there may get any factor: it is zero.
// Latency: combinational. Throughput: one choice a cycle.
module segments_factors #(
    parameter int Blocks = 1,  // of a segment
    parameter int Powers = 4,  // R is 1 to Powers
    localparam int RestWidth = $clog2(Powers)
) (
    input  logic [    Powers*128-1:0] row_i,     // H^1 in the low bits
    input  logic [     RestWidth-1:0] rest_i,    // R - 1
    output logic [(Blocks+1)*128-1:0] factors_o  // of the first block on top, of the lengths below
);
  localparam int RowWords = Blocks + 2 ** RestWidth - 1;

  logic [RowWords*128-1:0] row;

  for (genvar w = 0; w < RowWords; w++) begin : gen_row
    localparam int Exponent = w - Blocks + 2;
    if (Exponent >= 1 && Exponent <= Powers) begin : gen_power
      assign row[w*128+:128] = row_i[(Exponent-1)*128+:128];
    end else begin : gen_zero
      assign row[w*128+:128] = '0;
    end
  end

  for (genvar k = 0; k < RestWidth; k++) begin : gen_move
    localparam int Step = 2 ** (RestWidth - 1 - k);
    localparam int Words = Blocks + Step - 1;  // as many are still of use
    logic [(Words+Step)*128-1:0] from;
    logic [Words*128-1:0] moved;
    logic unused;  // powers that nobody asks for
    assign unused = &{1'b0, from};
    if (k == 0) begin : gen_first
      assign from = row;
    end else begin : gen_next
      assign from = gen_move[k-1].moved;
    end
    for (genvar w = 0; w < Words; w++) begin : gen_word
      if (k == 0 && w + Step - Blocks + 2 > Powers) begin : gen_stay  // nobody asks for it
        assign moved[w*128+:128] = from[w*128+:128];
      end else begin : gen_choose
        assign moved[w*128+:128] = rest_i[RestWidth-1-k]
            ? from[(w+Step)*128+:128] : from[w*128+:128];
      end
    end
  end

  assign factors_o = {gen_move[RestWidth-1].moved, row_i[127:0]};
endmodule
