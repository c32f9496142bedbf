// SPDX-License-Identifier: Apache-2.0
// Random bits of a masked core, from a seed of five words that comes over a stream: Count instances
// of Trivium with one key and each an IV of its own. From a seed's first word until the end of its
// warm-up there are no bits. Another seed takes the place of the one before, after Bits random bits
// in each of 256 cycles: a source that always offers seeds does not stop the core for good.
// A warm-up is 1,170 steps, which 26 and 65 divide; Trivium's own is 1,152.
// Latency: bits are there 1170 / Bits + 2 cycles after a seed's last word was taken.
// Throughput: Count * Bits bits a cycle.
module masked_generator #(
    parameter int Count = 1,
    parameter int Bits  = 26  // 26 or 65
) (
    input  logic                  clk,
    input  logic                  rst,
    input  logic                  seed_valid_i,
    output logic                  seed_ready_o,  // not while it warms up, nor for 256 cycles after
    input  logic [          31:0] seed_i,
    output logic                  valid_o,       // bits_o are random, and new in every cycle
    output logic [Count*Bits-1:0] bits_o
);
  localparam int Steps = 1170 / Bits;  // cycles of a warm-up
  localparam int LeftBits = $clog2(Steps + 1);

  logic [2:0] place_q;
  logic [LeftBits-1:0] left_q;
  logic [8:0] used_q;  // cycles with bits since the seed, 256 at most
  logic runs_q, valid_q, taken, last;

  assign seed_ready_o = used_q[8] || !runs_q;
  assign taken        = seed_valid_i && seed_ready_o;
  assign last         = place_q == 3'd4;
  assign valid_o      = valid_q;

  always_ff @(posedge clk) begin
    if (rst) begin
      place_q <= '0;
      runs_q  <= 1'b0;
      valid_q <= 1'b0;
    end else if (taken) begin
      place_q <= last ? 3'd0 : place_q + 3'd1;
      runs_q  <= last;
      valid_q <= 1'b0;
    end else if (runs_q) valid_q <= left_q == '0;
    if (!valid_q) used_q <= '0;
    else if (!used_q[8]) used_q <= used_q + 9'd1;
    if (taken) left_q <= LeftBits'(Steps);
    else if (runs_q && left_q != '0) left_q <= left_q - LeftBits'(1);
  end

  for (genvar n = 0; n < Count; n++) begin : gen_one
    masked_trivium #(
        .Bits  (Bits),
        .Number(n)
    ) u_trivium (
        .clk    (clk),
        .load_i (taken),
        .place_i(place_q),
        .word_i (seed_i),
        .step_i (runs_q && !taken),
        .bits_o (bits_o[Bits*n+:Bits])
    );
  end
endmodule
