// SPDX-License-Identifier: Apache-2.0
// Whether J0 has no place among the blocks of text of a beat, where lanes share what their counters
// have in common: when these have two values in bytes 12 to 14, because byte 15 carries within the
// beat. For an IV of 96 bits the first counter ends in 2, so it is told from how many beats of text
// have passed. Any other IV is hashed, and its counters say something about the hash subkey: J0
// then goes with no text, so that the time which a packet takes says nothing.
//
// Latency: combinational, from registers. Throughput: a beat a cycle.
module gcm_two_values_shared (
    input  logic                      clk,
    input  logic                      start_i,     // a packet begins, as if with an IV of 96 bits
    input  logic                      hashed_i,    // its IV is another one
    input  logic                      next_i,      // a beat of text passes
    input  logic [gcm_pkg::LANES-1:0] counted_i,   // lanes that have a block of text
    output logic                      two_values_o
);
  localparam int Lanes = gcm_pkg::LANES;

  logic hashed_q;
  logic [7:0] ahead_q;  // byte 15 of the next beat's first counter, of an IV of 96 bits
  logic [Lanes-1:0] carried_q;  // byte 15 has carried within this beat, up to that lane

  assign two_values_o = |(counted_i & (carried_q | {Lanes{hashed_q}}));

  always_ff @(posedge clk) begin
    hashed_q <= !start_i && (hashed_q || hashed_i);
    if (start_i) ahead_q <= 8'(Lanes + 2);
    else if (next_i) ahead_q <= ahead_q + 8'(Lanes);
    for (int l = 0; l < Lanes; l++)
      if (start_i) carried_q[l] <= 1'b0;
      else if (next_i) carried_q[l] <= ahead_q > 8'(255 - l);
  end
endmodule
