// SPDX-License-Identifier: Apache-2.0
// The end of a hash on a multiplier of its own: digest <- (digest + length block) * H, so that the
// length block takes no turn of GHASH. A digest that is whole already, of an IV or of a packet
// whose length block found GHASH idle, passes the multiplier with the factor 1 and keeps its place.
// Latency: Stages cycles from digest to digest. Throughput: one digest a cycle.
module gcm_tail_dedicated #(
    parameter int Stages = 1,    // the gf128_mul in the folder has as many
    parameter int Contexts = 1,
    parameter int Depth = 8,     // digests to come whose entries are there
    parameter int TextBits = 64, // of the lengths, in bits, as far as a good packet's go
    parameter int AadBits = 64,
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                    clk,
    input  logic                    rst,
    // what belongs to each digest, in order; there is always room
    input  logic                    entry_valid_i,
    input  logic                    entry_whole_i,
    input  logic [ContextWidth-1:0] entry_context_i,
    input  logic [           127:0] entry_lengths_i,
    // digests in and out, in polynomial order
    input  logic                    digest_valid_i,
    input  logic [           127:0] digest_i,
    output logic                    digest_valid_o,
    output logic [           127:0] digest_o,
    // the hash subkey of a context; never replaced while the context is in use
    input  logic                    subkey_valid_i,
    input  logic [ContextWidth-1:0] subkey_context_i,
    input  logic [           127:0] subkey_i
);
  logic whole, present, space;
  logic [ContextWidth-1:0] context_id;
  logic [TextBits-1:0] text_bits;
  logic [AadBits-1:0] aad_bits;
  logic [127:0] lengths, lengths_poly;

  gcm_fifo #(
      .Width(1 + ContextWidth + AadBits + TextBits),
      .Depth(Depth)
  ) u_entries (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (entry_valid_i),
      .in_ready_o (space),
      .in_data_i  ({
        entry_whole_i, entry_context_i, entry_lengths_i[64+:AadBits], entry_lengths_i[0+:TextBits]
      }),
      .out_valid_o(present),
      .out_ready_i(digest_valid_i),
      .out_data_o ({whole, context_id, aad_bits, text_bits})
  );

  assign lengths = whole ? '0 : {64'(aad_bits), 64'(text_bits)};
  for (genvar i = 0; i < 128; i++) begin : gen_reflect
    assign lengths_poly[i] = lengths[127-i];
  end

  // ---- the factor is read while the lengths are added
  localparam int Copies = 4;
  localparam int CopyBits = 128 / Copies;  // of the factor, of one copy of whole
  logic [127:0] sum_q, subkey, factor;
  logic [Stages-1:0] valid_q;

  gcm_ram #(
      .Width(128),
      .Depth(Contexts)
  ) u_subkey (
      .clk         (clk),
      .write_i     (subkey_valid_i),
      .write_addr_i(subkey_context_i),
      .write_data_i(subkey_i),
      .read_i      (1'b1),
      .read_addr_i (context_id),
      .read_data_o (subkey)
  );

  always_ff @(posedge clk) sum_q <= digest_i ^ lengths_poly;

  for (genvar c = 0; c < Copies; c++) begin : gen_factor
    logic is_whole;
    gcm_copy #(
        .Width(1)
    ) u_whole (
        .clk    (clk),
        .value_i(whole),
        .value_o(is_whole)
    );
    assign factor[CopyBits*c+:CopyBits] =
        is_whole ? CopyBits'(c == 0) : subkey[CopyBits*c+:CopyBits];
  end

  always_ff @(posedge clk)
    if (rst) valid_q <= '0;
    else valid_q <= Stages'({valid_q, digest_valid_i});

  gf128_mul u_multiplier (
      .clk(clk),
      .a_i(sum_q),
      .b_i(factor),
      .c_o(digest_o)
  );

  assign digest_valid_o = valid_q[Stages-1];

  logic unused;  // both follow from gcm_tag's count
  assign unused = &{1'b0, present, space, entry_lengths_i};

  if (Stages < 1 || TextBits < 1 || TextBits > 64 || AadBits < 1 || AadBits > 64) begin : gen_bad
    $error("gcm_tail_dedicated: Stages must be at least 1, TextBits and AadBits 1 to 64");
  end
endmodule
