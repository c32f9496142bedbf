// SPDX-License-Identifier: Apache-2.0
// GHASH of q = Lanes blocks a beat by tables of residues: blocks are taken modulo the irreducible
// polynomials of degree 1, 2, 4 and 8, and lane l looks each half of a residue up in a table of the
// 16 multiples of the residue of H^(q-l). The sum over all lanes is put together and reduced once.
//
// Blocks are polynomials: bit i is the coefficient of x^i. Residues are elements of GF(256),
// GF(16), GF(4) and GF(2) to the bases 1, e1, e2, e1 e2, e3, .. of gf128_residues: each half of one
// in GF(256) is an element of GF(16), and both halves have the same table. Those in GF(4) and GF(2)
// are the first nibble of an operand and have one table. ghash_lookup keeps the running sum and
// tells which power's tables are filled.
//
// A load takes the residues of a power and goes through their multiples in the order 1, e2, e2^2 ..
// e2^14, 0, which are all of them; meanwhile the blocks are 0 and the number of the entry is added
// to every nibble. H goes to the tables of all lanes first: the next power is the product of this
// one, as a block of the first lane, and H, and the first lane's own power comes last.
//
// Latency: digest 2 cycles after the last beat. Throughput: one beat a cycle. A subkey is done
// 20 q - 1 cycles after it came, and no beat is taken meanwhile.
module ghash_residues #(
    parameter int Lanes = 1,
    parameter int Contexts = 1,
    localparam int CountWidth = $clog2(Lanes + 1),
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                    clk,
    input  logic                    rst,
    // messages, up to Lanes blocks a beat, the first blocks on top
    input  logic                    in_valid_i,
    output logic                    in_ready_o,
    input  logic [   Lanes*128-1:0] in_data_i,
    input  logic [  CountWidth-1:0] in_count_i,        // 1 to Lanes
    input  logic                    in_last_i,
    input  logic [ContextWidth-1:0] in_context_i,
    // one digest a message, in order
    output logic                    digest_valid_o,
    output logic [           127:0] digest_o,
    // the hash subkey of a context; never replaced while the context is in use
    input  logic                    subkey_valid_i,
    input  logic [ContextWidth-1:0] subkey_context_i,
    input  logic [           127:0] subkey_i,
    output logic                    subkey_done_o      // its tables are in place
);
  localparam int Nibbles = 64;
  localparam int Small = 4;  // of them with entries of 4 bits, the others have 8
  localparam int ResidueBits = 4 * Nibbles;
  localparam int FoundBits = 4 * Small + 8 * (Nibbles - Small);  // that the tables of a lane give
  localparam int TableDepth = Contexts * 16;
  localparam int TableWidth = $clog2(TableDepth);

  function automatic logic [3:0] times_e2(input logic [3:0] x);
    times_e2 = {x[3] ^ x[1], x[2] ^ x[0], x[3] ^ x[2], x[3]};
  endfunction
  localparam logic [3:0] LAST_POWER = 4'hf;  // e2^14

  // ---- filling the tables of a power: first it is a block, then its residues are
  // entries, then each table of the lane takes one entry a cycle
  logic load_entries, load_turn, power_next, block_q, residue_q, load_write_q, entry_last;
  logic [CountWidth-1:0] load_exp;
  logic [ContextWidth-1:0] load_context;
  logic [127:0] product;
  logic [3:0] index_q;  // of the entry; 0 unless one is written
  logic [ResidueBits-1:0] multiple_q, multiple_d;  // of the power's residues
  logic [ResidueBits-1:0] entry;

  assign entry_last = load_write_q && index_q == '0;

  always_ff @(posedge clk) begin
    if (rst) begin
      block_q      <= 1'b0;
      residue_q    <= 1'b0;
      load_write_q <= 1'b0;
    end else begin
      block_q      <= power_next;
      residue_q    <= block_q;
      load_write_q <= residue_q || (load_write_q && !entry_last);
    end
  end

  always_ff @(posedge clk) begin
    if (rst) index_q <= '0;
    else if (residue_q) index_q <= 4'd1;
    else index_q <= index_q == LAST_POWER ? '0 : times_e2(index_q);
    multiple_q <= index_q == LAST_POWER ? '0 : multiple_d;
  end

  // ---- what is looked up: a beat with the running sum, the power in the first lane, or no block
  logic beat;
  logic [Lanes*128-1:0] operand, operand_q;
  logic [ContextWidth-1:0] context_q;
  logic [127:0] turned;  // the power as a block, key material on a wire of its own

  assign in_ready_o = subkey_done_o;
  assign beat       = in_valid_i && in_ready_o;

  ghash_lookup #(
      .Lanes   (Lanes),
      .Contexts(Contexts)
  ) u_lookup (
      .clk             (clk),
      .rst             (rst),
      .beat_i          (beat),
      .data_i          (in_data_i),
      .count_i         (in_count_i),
      .last_i          (in_last_i),
      .power_i         (block_q || load_turn),
      .operand_o       (operand),
      .product_i       (product),
      .digest_valid_o  (digest_valid_o),
      .digest_o        (digest_o),
      .subkey_valid_i  (subkey_valid_i),
      .subkey_context_i(subkey_context_i),
      .subkey_i        (subkey_i),
      .subkey_done_o   (subkey_done_o),
      .load_entries_o  (load_entries),
      .load_last_i     (entry_last),
      .load_turn_o     (load_turn),
      .load_exp_o      (load_exp),
      .load_context_o  (load_context),
      .power_next_o    (power_next),
      .power_o         (turned)
  );

  logic unused;  // which cycles of a load write is known here, and the power is used as a block
  assign unused = &{1'b0, load_entries, turned};

  always_ff @(posedge clk) begin
    operand_q <= operand;
    context_q <= in_ready_o ? in_context_i : load_context;
  end

  // ---- residues and tables
  logic [Lanes*ResidueBits-1:0] residues;
  logic [Lanes*FoundBits-1:0] found;
  logic [ResidueBits-1:0] power_residues;  // of the first lane's block

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    localparam int Place = (Lanes - 1 - l) * ResidueBits;
    localparam int Found = (Lanes - 1 - l) * FoundBits;
    logic write;

    gf128_residues u_residues (
        .a_i(operand_q[(Lanes-1-l)*128+:128]),
        .v_i(index_q),
        .r_o(residues[Place+:ResidueBits])
    );

    assign write = load_write_q
                && (load_exp == CountWidth'(Lanes - l) || load_exp == CountWidth'(1));

    for (genvar n = 0; n < Nibbles; n++) begin : gen_table
      localparam int Width = n < Small ? 4 : 8;
      localparam int Low = n < Small ? 4 * n : 8 * n - 4 * Small;
      localparam int Entry = n < Small ? 4 * n : 4 * n - 4 * (n % 2);  // both halves have one

      ghash_table #(
          .Width(Width),
          .Depth(TableDepth)
      ) u_table (
          .clk         (clk),
          .write_i     (write),
          .addr_i      (TableWidth'({context_q, residues[Place+4*n+:4]})),
          .write_data_i(entry[Entry+:Width]),
          .read_data_o (found[Found+Low+:Width])
      );
    end
  end

  gf128_from_residues u_from_residues (
      .t_i(found),
      .c_o(product)
  );

  // ---- entries: the residues of the power, each half an element of GF(16), times e2 a cycle;
  // those of the first nibble stay, and are multiplied in GF(4), GF(2) and GF(2)
  logic [3:0] smallest;

  assign power_residues = residues[(Lanes-1)*ResidueBits+:ResidueBits];

  for (genvar n = 0; n < Nibbles; n++) begin : gen_multiple
    logic [3:0] multiple;
    assign multiple = n == 0 ? multiple_q[3:0] : times_e2(multiple_q[4*n+:4]);
    assign multiple_d[4*n+:4] = residue_q ? power_residues[4*n+:4] : multiple;
  end

  assign smallest[1:0] = {index_q[1] ? multiple_q[1] : 1'b0, index_q[0] ? multiple_q[0] : 1'b0};
  assign smallest[3:2] = (index_q[2] ? multiple_q[3:2] : 2'b0)
                       ^ (index_q[3] ? {multiple_q[3] ^ multiple_q[2], multiple_q[3]} : 2'b0);
  assign entry         = {multiple_q[ResidueBits-1:4], smallest};

  if (Lanes < 1) begin : gen_bad
    $error("ghash_residues: Lanes must be at least 1");
  end
endmodule
