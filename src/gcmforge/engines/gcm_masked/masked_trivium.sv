// SPDX-License-Identifier: Apache-2.0
// Trivium (De Canniere, Preneel, eSTREAM 2005; ISO/IEC 29192-3), Bits steps of it a cycle: no step
// needs what one of the 65 before it made. A seed is 20 bytes, four in a word: the key, then the
// IV, byte 0 lowest, in eSTREAM's order. In place of the IV's last byte there is Number: instances
// with one seed have other IVs, and so other streams. The stream leaves from a register, so that no
// glitch of the generator goes any further.
// Latency: bits are there a cycle after their step. Throughput: Bits bits a cycle.
module masked_trivium #(
    parameter int Bits   = 26,  // 1 to 66
    parameter int Number = 0    // 0 to 255
) (
    input  logic            clk,
    input  logic            load_i,   // word_i is that part of the seed
    input  logic [     2:0] place_i,  // 0 to 4
    input  logic [    31:0] word_i,
    input  logic            step_i,
    output logic [Bits-1:0] bits_o    // the first one highest
);
  // s1 to s93, s94 to s177, s178 to s288 of the specification, from bit 0 on
  logic [92:0] a_q;
  logic [83:0] b_q;
  logic [110:0] c_q;
  logic [Bits-1:0] a_out, b_out, c_out, a_next, b_next, c_next, bits_q;

  // Step k of a cycle has bit Bits-1-k of each: it reads k places before what step 0 reads.
  assign a_out  = a_q[65-:Bits] ^ a_q[92-:Bits];
  assign b_out  = b_q[68-:Bits] ^ b_q[83-:Bits];
  assign c_out  = c_q[65-:Bits] ^ c_q[110-:Bits];
  assign a_next = c_out ^ (c_q[108-:Bits] & c_q[109-:Bits]) ^ a_q[68-:Bits];
  assign b_next = a_out ^ (a_q[90-:Bits] & a_q[91-:Bits]) ^ b_q[77-:Bits];
  assign c_next = b_out ^ (b_q[81-:Bits] & b_q[82-:Bits]) ^ c_q[86-:Bits];

  // ---- a seed: bit n of the key is s(80-n), bit n of the IV is s(173-n)

  logic [159:0] seed, reversed;

  always_comb begin
    seed = {8'(Number), 72'd0, 80'd0};
    seed[151:128] = word_i[23:0];
    for (int n = 0; n < 4; n++) seed[32*n+:32] = word_i;
    for (int n = 0; n < 80; n++) begin
      reversed[n]    = seed[79-n];
      reversed[80+n] = seed[159-n];
    end
  end

  logic [159:0] mine;  // what the word of this place has

  always_comb begin
    mine = '0;
    for (int n = 0; n < 160; n++) begin
      if (n < 80) mine[n] = place_i == 3'((79 - n) / 32);
      else mine[n] = place_i == 3'((239 - n) / 32);
    end
  end

  always_ff @(posedge clk) begin
    if (step_i) begin
      a_q <= {a_q[92-Bits:0], a_next};
      b_q <= {b_q[83-Bits:0], b_next};
      c_q <= {c_q[110-Bits:0], c_next};
    end else if (load_i) begin
      a_q[92:80] <= '0;
      b_q[83:80] <= '0;
      c_q        <= {3'b111, 108'd0};
      for (int n = 0; n < 80; n++) begin
        if (mine[n]) a_q[n] <= reversed[n];
        if (mine[80+n]) b_q[n] <= reversed[80+n];
      end
    end
    bits_q <= a_out ^ b_out ^ c_out;
  end

  assign bits_o = bits_q;
endmodule
