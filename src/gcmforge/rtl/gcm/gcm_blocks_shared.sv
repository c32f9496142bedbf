// SPDX-License-Identifier: Apache-2.0
// The blocks of a slot for the AES. J0, which masks the tag, has the lane after the last block of
// text, or the first lane.
//
// Bytes 12 to 14 of every lane without a counter are J0's then, so an AES that builds two values of
// them finds no third: J0 does not go with text whose counters have two.
// Latency: combinational. Throughput: a slot a cycle.
module gcm_blocks_shared (
    input  logic [                   127:0] j0_i,
    input  logic [   gcm_pkg::LANES*32-1:0] counters_i,
    input  logic [      gcm_pkg::LANES-1:0] counted_i,   // lanes that have a block of text
    input  logic [gcm_pkg::COUNT_WIDTH-1:0] count_i,     // blocks of the beat
    input  logic                            j0_here_i,   // the slot has J0
    input  logic                            first_i,     // in its first lane
    input  logic                            close_i,     // and nothing else
    input  logic                            zero_i,      // the block is zero, for a hash subkey
    output logic [      gcm_pkg::LANES-1:0] has_j0_o,
    output logic [  gcm_pkg::AES_WIDTH-1:0] blocks_o
);
  localparam int Lanes = gcm_pkg::LANES;
  localparam int CountWidth = gcm_pkg::COUNT_WIDTH;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int Low = Lanes - 1 - l;
    logic [31:0] counter;
    logic [23:0] upper;

    assign counter = counters_i[32*Low+:32];
    if (Lanes == 1) begin : gen_alone
      assign has_j0_o[l] = j0_here_i;
      assign upper = j0_here_i ? j0_i[31:8] : counter[31:8];
    end else begin : gen_beside
      assign has_j0_o[l] = j0_here_i && (close_i || first_i ? l == 0 : count_i == CountWidth'(l));
      assign upper = j0_here_i && (close_i || !counted_i[l]) ? j0_i[31:8] : counter[31:8];
    end
    assign blocks_o[128*Low+:128] = zero_i ? 128'b0
        : {j0_i[127:32], upper, has_j0_o[l] ? j0_i[7:0] : counter[7:0]};
  end

  logic unused;  // with one lane
  assign unused = &{1'b0, counted_i, count_i, first_i, close_i};
endmodule
