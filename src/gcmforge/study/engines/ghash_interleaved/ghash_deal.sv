// SPDX-License-Identifier: Apache-2.0
// Deals the blocks of a message out to q = Lanes lanes, round and round from lane 0, whatever the
// number of blocks in each beat: block i of a message goes to lane i mod q.
// Latency: combinational. Throughput: one beat a cycle.
module ghash_deal #(
    parameter int Lanes = 2,
    localparam int CountWidth = $clog2(Lanes + 1),
    localparam int PlaceWidth = $clog2(Lanes)
) (
    input  logic                        clk,
    input  logic                        rst,
    // a beat that is taken in this cycle, its first block on top
    input  logic                        beat_i,
    input  logic [       Lanes*128-1:0] data_i,
    input  logic [      CountWidth-1:0] count_i,  // 1 to Lanes
    input  logic                        last_i,
    // lane l: whether a block comes, the block, lane 0 on top, and whether the message ends
    output logic [           Lanes-1:0] take_o,
    output logic [       Lanes*128-1:0] block_o,
    output logic                        end_o,
    // at the end: blocks from lane l's newest one to the last of the message, both counted; 0 is q
    output logic [Lanes*PlaceWidth-1:0] distance_o
);
  logic [PlaceWidth-1:0] place_q;  // lane of the message's next block
  logic [PlaceWidth-1:0] place_d;

  // Of a number below 2 * Lanes.
  function automatic logic [CountWidth:0] modulo(input logic [CountWidth:0] number);
    modulo = number >= (CountWidth + 1)'(Lanes) ? number - (CountWidth + 1)'(Lanes) : number;
  endfunction

  assign place_d = PlaceWidth'(modulo((CountWidth + 1)'(place_q) + (CountWidth + 1)'(count_i)));

  always_ff @(posedge clk)
    if (rst) place_q <= '0;
    else if (beat_i) place_q <= last_i ? '0 : place_d;

  // Lane 0 is on top, so a turn by place_q lanes is a shift to the right.
  logic [2*Lanes*128-1:0] turned;
  assign turned  = {data_i, data_i} >> {place_q, 7'b0};
  assign block_o = turned[Lanes*128-1:0];
  assign end_o   = beat_i && last_i;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [CountWidth:0] index, distance;  // modulo Lanes

    assign index     = modulo((CountWidth + 1)'(Lanes + l) - (CountWidth + 1)'(place_q));
    assign distance  = modulo((CountWidth + 1)'(Lanes - l) + (CountWidth + 1)'(place_d));
    assign take_o[l] = beat_i && index < (CountWidth + 1)'(count_i);
    assign distance_o[l*PlaceWidth+:PlaceWidth] = distance[PlaceWidth-1:0];

    logic unused;
    assign unused = &{1'b0, distance};
  end

  logic unused;
  assign unused = &{1'b0, turned};
endmodule
