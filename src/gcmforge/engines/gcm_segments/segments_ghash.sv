// SPDX-License-Identifier: Apache-2.0
// GHASH of the packets of a segmented bus: each segment has a sum of products, whose factors are
// powers of its own packet's H, and sums are added within packets only.
//
// Every cycle is a turn of the products, with a beat or without. A turn waits Stages - 1 turns
// before its own, so that it is known how many blocks of the packet that goes on after it come in
// them. R is what is left of a segment's packet from its first block on: in this beat, in those
// turns, and the length block where the packet ends in them. The segment's blocks are multiplied by
// H^R, H^(R-1), and so on, the length block by H.
//
// The sum of the packet that goes on comes out of the products when the turn Stages later goes in.
// If that has a block of the same packet, the sum is added to the beat's first block. If not, it
// waits in the accumulator; when the packet has ended, what is there completes the digest.
//
// The powers of H come one after another from outside.
//
// Latency: digest 2 * Stages + 1 cycles after the beat in which its packet ends. Throughput: one
// beat a cycle, with a digest for each segment in which a packet ends.
module segments_ghash #(
    parameter int Segments = 2,
    parameter int Stages = 1,  // the gf128_dot in the folder has as many
    localparam int Lanes = gcm_pkg::LANES,
    localparam int Blocks = Lanes / Segments,
    localparam int Width = Lanes * 128,
    localparam int LeftWidth = $clog2(Lanes + 2),
    localparam int ContextWidth = gcm_pkg::CONTEXT_WIDTH,
    localparam int AadWidth = $clog2(gcm_pkg::MAX_AAD_BYTES) + 4,  // a length in bits
    localparam int TextWidth = $clog2(gcm_pkg::MAX_TEXT_BYTES) + 4,
    localparam int LengthsWidth = AadWidth + TextWidth
) (
    input  logic                             clk,
    input  logic                             rst,
    // beats: segment g in in_data_i[128*Blocks*g+:128*Blocks], its first block on top
    input  logic                             in_valid_i,
    input  logic [                Width-1:0] in_data_i,     // zero where there is no byte
    input  logic [LengthsWidth*Segments-1:0] in_lengths_i,  // of AAD and text at an end, else zero
    input  logic [   LeftWidth*Segments-1:0] in_left_i,     // blocks from here on in this beat
    input  logic [ContextWidth*Segments-1:0] in_context_i,
    input  logic [             Segments-1:0] in_start_i,    // a packet starts
    input  logic [             Segments-1:0] in_end_i,      // a packet ends
    input  logic [             Segments-1:0] in_on_i,       // its packet goes on after the beat
    input  logic                             in_old_i,      // it has blocks of the packet before
    input  logic                             in_old_end_i,  // which ends
    // a digest for each packet that ended in a beat
    output logic [             Segments-1:0] digest_valid_o,
    output logic [         128*Segments-1:0] digest_o,
    // H to H^(Lanes * Stages + 1) of a context, one after another, in polynomial order; never
    // replaced while the context is in use
    input  logic                             subkey_valid_i,
    input  logic                             subkey_first_i,  // it is H
    input  logic [         ContextWidth-1:0] subkey_context_i,
    input  logic [                    127:0] subkey_i,
    output logic                             subkey_done_o    // the last one that came is in place
);
  localparam int Powers = Lanes * Stages + 1;
  localparam int ExpWidth = $clog2(Powers + 1);
  localparam int RestWidth = $clog2(Powers);
  localparam int Facts = 3 * Segments + 2;  // flags of a turn

  // ---- powers of H
  logic [ExpWidth-1:0] power_exp_q;
  logic [ContextWidth-1:0] power_context_q;
  logic [127:0] power_q;
  logic store_q;

  assign subkey_done_o = !store_q;

  always_ff @(posedge clk) begin
    store_q <= !rst && subkey_valid_i;
    if (subkey_valid_i) begin
      power_q         <= subkey_i;
      power_exp_q     <= subkey_first_i ? ExpWidth'(1) : power_exp_q + ExpWidth'(1);
      power_context_q <= subkey_context_i;
    end
  end

  // ---- turns that wait, the newest in the low bits. The last place has R - 1.
  logic [Stages*Width-1:0] data_q;
  logic [Stages*LengthsWidth*Segments-1:0] lengths_q;
  logic [Stages*ContextWidth*Segments-1:0] context_q;
  logic [Stages*Facts-1:0] facts_q;
  logic [Facts-1:0] facts;
  logic [RestWidth*Segments-1:0] rest_q;

  // Nothing is true of a turn without a beat.
  assign facts = {in_start_i, in_end_i, in_on_i, in_old_i, in_old_end_i} & {Facts{in_valid_i}};

  always_ff @(posedge clk) begin
    data_q    <= (Stages * Width)'({data_q, in_data_i});
    lengths_q <= (Stages * LengthsWidth * Segments)'({lengths_q, in_lengths_i});
    context_q <= (Stages * ContextWidth * Segments)'({context_q, in_context_i});
    facts_q   <= rst ? '0 : (Stages * Facts)'({facts_q, facts});
  end

  if (Stages == 1) begin : gen_now
    for (genvar g = 0; g < Segments; g++) begin : gen_rest
      always_ff @(posedge clk)
        rest_q[g*RestWidth+:RestWidth] <= RestWidth'(in_left_i[g*LeftWidth+:LeftWidth])
            - RestWidth'(1);
    end
  end else begin : gen_later
    // Blocks to come of the packet that goes on, as far as they are known; it has ended. That the
    // beat is there is known last, so both sums wait for it.
    logic [(Stages-1)*RestWidth-1:0] more_q, more_d;
    logic [Stages-2:0] ended_q, ended_d, adds;
    logic [(Stages-1)*LeftWidth*Segments-1:0] left_q;
    logic [Segments-1:0] on;
    logic [RestWidth-1:0] old_blocks;

    assign old_blocks = RestWidth'(in_left_i[LeftWidth-1:0]);

    always_comb
      for (int i = 0; i < Stages - 1; i++) begin
        adds[i] = in_old_i && !ended_q[i];
        ended_d[i] = ended_q[i] || (in_valid_i && in_old_end_i);
        more_d[i*RestWidth+:RestWidth] = more_q[i*RestWidth+:RestWidth];
        if (in_valid_i && adds[i])
          more_d[i*RestWidth+:RestWidth] = more_q[i*RestWidth+:RestWidth] + old_blocks;
      end

    always_ff @(posedge clk) begin
      ended_q <= (Stages - 1)'({ended_d, 1'b0});
      more_q  <= ((Stages - 1) * RestWidth)'({more_d, RestWidth'(0)});
      left_q  <= ((Stages - 1) * LeftWidth * Segments)'({left_q, in_left_i});
    end

    assign on = facts_q[(Stages-2)*Facts+2+:Segments];
    for (genvar g = 0; g < Segments; g++) begin : gen_rest
      logic [RestWidth-1:0] known;
      assign known = RestWidth'(left_q[((Stages-2)*Segments+g)*LeftWidth+:LeftWidth])
          - RestWidth'(1) + (on[g] ? more_q[(Stages-2)*RestWidth+:RestWidth] : '0);
      always_ff @(posedge clk)
        rest_q[g*RestWidth+:RestWidth] <= in_valid_i && adds[Stages-2] && on[g]
            ? known + old_blocks : known;
    end
  end

  // ---- the turn that goes into the multipliers
  logic [Width-1:0] next_data;
  logic [LengthsWidth*Segments-1:0] next_lengths;
  logic [ContextWidth*Segments-1:0] next_context;
  logic [Facts-1:0] next_facts;

  assign next_data    = data_q[(Stages-1)*Width+:Width];
  assign next_lengths = lengths_q[(Stages-1)*LengthsWidth*Segments+:LengthsWidth*Segments];
  assign next_context = context_q[(Stages-1)*ContextWidth*Segments+:ContextWidth*Segments];
  assign next_facts   = facts_q[(Stages-1)*Facts+:Facts];

  // ---- each power is kept once for all segments that may want it: the later ones have fewer
  // blocks to come
  logic [Powers*128*Segments-1:0] rows;  // of segment g in rows[128*Powers*g+:128*Powers]

  for (genvar e = 1; e <= Powers; e++) begin : gen_power
    localparam int Excess = Powers - e;  // segment g may want H^e if g * Blocks is not more
    localparam int Readers = Excess / Blocks + 1 > Segments ? Segments : Excess / Blocks + 1;
    logic [128*Readers-1:0] found;
    segments_store #(
        .Width(128),
        .Depth(gcm_pkg::CONTEXTS),
        .Reads(Readers)
    ) u_power (
        .clk         (clk),
        .write_i     (store_q && power_exp_q == ExpWidth'(e)),
        .write_addr_i(power_context_q),
        .write_data_i(power_q),
        .read_addr_i (next_context[ContextWidth*Readers-1:0]),
        .read_data_o (found)
    );
    for (genvar g = 0; g < Segments; g++) begin : gen_reader
      if (g < Readers) begin : gen_some
        assign rows[(g*Powers+e-1)*128+:128] = found[g*128+:128];
      end else begin : gen_none
        assign rows[(g*Powers+e-1)*128+:128] = '0;
      end
    end
  end

  // ---- the turns in the multipliers, the newest in the low bits
  logic [Stages*Facts-1:0] turn_q;
  logic [Segments-1:0] late_start, late_end, late_on;
  logic late_old, late_old_end;

  always_ff @(posedge clk) turn_q <= rst ? '0 : (Stages * Facts)'({turn_q, next_facts});

  assign {late_start, late_end, late_on, late_old, late_old_end} = turn_q[(Stages-1)*Facts+:Facts];

  // ---- sums of the packet that goes on: into its next beat, or to the accumulator
  logic taken, fresh_q;
  logic [127:0] sum, waiting, accumulator_q;
  logic [128*Segments-1:0] products, product_q;

  always_comb begin
    taken = next_facts[1];
    for (int i = 0; i < Stages - 1; i++) if (turn_q[i*Facts]) taken = 1'b0;
  end

  assign waiting = fresh_q ? '0 : accumulator_q;

  always_comb begin
    sum = late_old_end ? '0 : waiting;
    for (int g = 0; g < Segments; g++) if (late_on[g]) sum = sum ^ products[128*g+:128];
  end

  always_ff @(posedge clk) begin
    fresh_q       <= rst || taken;
    accumulator_q <= sum;
  end

  // ---- a sum of products for each segment
  for (genvar g = 0; g < Segments; g++) begin : gen_segment
    localparam int Needed = Powers - g * Blocks;
    localparam int NeededWidth = $clog2(Needed);
    logic [(Blocks+1)*128-1:0] operand_q, factor_q, operand, factor;
    logic [127:0] lengths;

    assign lengths = {
        64'(next_lengths[g*LengthsWidth+TextWidth+:AadWidth]),
        64'(next_lengths[g*LengthsWidth+:TextWidth])
    };

    for (genvar b = 0; b < 128; b++) begin : gen_bit  // x^0 is a block's first bit
      for (genvar l = 0; l < Blocks; l++) begin : gen_block
        assign operand[(l+1)*128+b] = next_data[(g*Blocks+l)*128+127-b];
      end
      assign operand[b] = lengths[127-b];
    end

    segments_factors #(
        .Blocks(Blocks),
        .Powers(Needed)
    ) u_factors (
        .row_i    (rows[g*Powers*128+:Needed*128]),
        .rest_i   (rest_q[g*RestWidth+:NeededWidth]),
        .factors_o(factor)
    );

    always_ff @(posedge clk) factor_q <= factor;
    if (g == 0) begin : gen_joined
      always_ff @(posedge clk)
        operand_q <= operand ^ {taken ? sum : 128'b0, {Blocks{128'b0}}};
    end else begin : gen_alone
      always_ff @(posedge clk) operand_q <= operand;
    end

    gf128_dot u_dot (
        .clk(clk),
        .a_i(operand_q),
        .b_i(factor_q),
        .c_o(products[128*g+:128])
    );
  end

  // ---- digests: what a packet has in its last beat, and for one that came before what waits
  logic [Segments-1:0] start_q, end_q;
  logic [127:0] waiting_q;
  logic [128*Segments-1:0] joined;

  always_ff @(posedge clk) begin
    product_q <= products;
    waiting_q <= waiting;
    start_q   <= late_start;
    end_q     <= rst ? '0 : late_end;
  end

  for (genvar g = 0; g < Segments; g++) begin : gen_digest
    if (g == 0) begin : gen_first
      assign joined[127:0] = product_q[127:0] ^ (start_q[0] ? '0 : waiting_q);
    end else begin : gen_next
      assign joined[128*g+:128] = product_q[128*g+:128]
          ^ (start_q[g] ? '0 : joined[128*(g-1)+:128]);
    end
    for (genvar b = 0; b < 128; b++) begin : gen_bit
      assign digest_o[128*g+b] = joined[128*g+127-b];
    end
  end

  assign digest_valid_o = end_q;

  logic unused;  // the last segments never have many blocks to come
  assign unused = &{1'b0, late_old, rest_q, rows};

  if (Segments < 2 || Lanes % Segments != 0 || Stages < 1) begin : gen_bad
    $error("segments_ghash: needs Lanes in 2 or more equal Segments, and Stages of at least 1");
  end
endmodule
