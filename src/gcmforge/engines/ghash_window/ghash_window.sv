// SPDX-License-Identifier: Apache-2.0
// GHASH of q = Lanes blocks a beat by tables instead of multipliers: lane l looks up each window of
// w = WindowBits bits of its block in a table of the 2^w multiples of H^(q-l).
//
// Blocks are polynomials: bit i is the coefficient of x^i. Block and power are taken apart as
// Karatsuba and Ofman do, Splits times into three parts of half the width, and each part has tables
// of its own. Entry v of a table is v times the power's part as a polynomial, not reduced: the
// tables of a part are alike, so that one write goes to all of them, and what they give is added,
// window k moved up by w*k. The parts' sums over all lanes are put together and reduced once.
// ghash_lookup keeps the running sum and tells which power's tables are filled.
//
// A load writes entries in the order 0, 1, x, x^2 .. modulo a primitive polynomial of degree w:
// each is the one before times x, with that polynomial times the power's part taken off when v
// overflows. That is done for the pieces of the power; other parts are sums of pieces, and so are
// their entries. The next power is the product of this one, as a block of the last lane, and H; the
// other lanes look up zeros, which are written into all lanes at once. ghash_window_table is a
// memory that the configuration chose: up to 6 bits LUT RAM with one port, and a load goes through
// the operand's register; wider ones block RAM, where reads and writes have a port each.
//
// Latency: digest 2 cycles after the last beat. Throughput: one beat a cycle. A subkey is done
// q (2^w + 2) cycles after it came; w <= 6: no beat is taken meanwhile; else it takes q - 1 cycles.
module ghash_window #(
    parameter int Lanes = 1,
    parameter int WindowBits = 4,  // 2 to 9, and no wider than a part
    parameter int Splits = 0,      // 0 to 4
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
  localparam int Pieces = 2 ** Splits;
  localparam int Parts = 3 ** Splits;
  localparam int PieceWidth = 128 / Pieces;  // of a part, too
  localparam int SumWidth = 2 * PieceWidth - 1;
  localparam int Windows = (PieceWidth + WindowBits - 1) / WindowBits;  // of a part
  localparam int Padded = Windows * WindowBits;
  localparam int EntryWidth = PieceWidth + WindowBits - 1;
  localparam int TableDepth = Contexts * 2 ** WindowBits;
  localparam int TableWidth = $clog2(TableDepth);
  localparam bit BlockRam = WindowBits > 6;
  localparam logic [9:0] PRIMITIVE = WindowBits == 2 ? 10'h007 : WindowBits == 3 ? 10'h00b
                                   : WindowBits == 4 ? 10'h013 : WindowBits == 5 ? 10'h025
                                   : WindowBits == 6 ? 10'h043 : WindowBits == 7 ? 10'h083
                                   : WindowBits == 8 ? 10'h11d : 10'h211;
  localparam logic [WindowBits-1:0] LAST_INDEX = WindowBits'(PRIMITIVE >> 1);  // times x gives 1

  // ---- parts: digit s of a part's number, to the base of 3, says what the split into halves of
  // 2^s pieces left: 0 the lower half, 1 the upper one, 2 their sum
  function automatic logic has_piece(input int part, input int piece);
    has_piece = 1'b1;
    for (int s = 0; s < Splits; s++)
      if (part / 3 ** s % 3 != 2 && part / 3 ** s % 3 != piece / 2 ** s % 2) has_piece = 1'b0;
  endfunction

  function automatic logic is_sum(input int part);
    is_sum = 1'b0;
    for (int s = 0; s < Splits; s++) if (part / 3 ** s % 3 == 2) is_sum = 1'b1;
  endfunction

  // A part of the product, h being the half's width: low (1 + x^h), high (x^h + x^2h), sum x^h. A
  // choice takes one of the two terms for each split.
  function automatic logic has_term(input int part, input int choice);
    has_term = 1'b1;
    for (int s = 0; s < Splits; s++)
      if (part / 3 ** s % 3 == 2 && choice / 2 ** s % 2 == 0) has_term = 1'b0;
  endfunction

  function automatic int place(input int part, input int choice);  // its exponent of x
    place = 0;
    for (int s = 0; s < Splits; s++)
      if (choice / 2 ** s % 2 == 1) place += PieceWidth * 2 ** s;
      else if (part / 3 ** s % 3 == 1) place += 2 * PieceWidth * 2 ** s;
  endfunction

  // ---- entries of the power's tables, one a cycle
  logic load_turn, load_write, entry_last, power_next;
  logic [CountWidth-1:0] load_exp;
  logic [ContextWidth-1:0] load_context;
  logic [127:0] power, product;
  logic [WindowBits-1:0] index_q, index_d;
  logic [Pieces*EntryWidth-1:0] entry_q, entry_d;  // of the pieces of the power
  logic [Parts*EntryWidth-1:0] entry;

  assign entry_last = index_q == LAST_INDEX;

  always_comb begin
    if (!load_write || entry_last) index_d = '0;
    else if (index_q == '0) index_d = WindowBits'(1);
    else index_d = (index_q << 1) ^ (index_q[WindowBits-1] ? WindowBits'(PRIMITIVE) : '0);
  end

  for (genvar i = 0; i < Pieces; i++) begin : gen_entry
    logic [EntryWidth-1:0] piece, earlier, overflow;
    assign piece   = EntryWidth'(power[i*PieceWidth+:PieceWidth]);
    assign earlier = entry_q[i*EntryWidth+:EntryWidth];

    always_comb begin
      overflow = '0;
      for (int b = 0; b <= WindowBits; b++)
        if (PRIMITIVE[b]) overflow = overflow ^ (piece << b);
      if (index_d == '0) entry_d[i*EntryWidth+:EntryWidth] = '0;
      else if (index_q == '0) entry_d[i*EntryWidth+:EntryWidth] = piece;
      else if (index_q[WindowBits-1])
        entry_d[i*EntryWidth+:EntryWidth] = (earlier << 1) ^ overflow;
      else entry_d[i*EntryWidth+:EntryWidth] = earlier << 1;
    end
  end

  for (genvar p = 0; p < Parts; p++) begin : gen_entry_part
    always_comb begin
      entry[p*EntryWidth+:EntryWidth] = '0;
      for (int i = 0; i < Pieces; i++)
        if (has_piece(p, i))
          entry[p*EntryWidth+:EntryWidth] = entry[p*EntryWidth+:EntryWidth]
              ^ entry_q[i*EntryWidth+:EntryWidth];
    end
  end

  always_ff @(posedge clk) begin
    index_q <= index_d;
    entry_q <= entry_d;
  end

  // ---- what is looked up: a beat with the running sum, or a power to be multiplied
  // by H, or the index of an entry in every window
  logic beat;
  logic [Lanes*128-1:0] looked_up;
  logic [Lanes*Pieces*Padded-1:0] operand_d, operand;
  logic [ContextWidth-1:0] context_d;

  assign in_ready_o = BlockRam ? !load_turn : subkey_done_o;
  assign beat       = in_valid_i && in_ready_o;
  assign context_d  = in_ready_o ? in_context_i : load_context;

  ghash_lookup #(
      .Lanes    (Lanes),
      .Contexts (Contexts),
      .PowerLane(Lanes - 1)
  ) u_lookup (
      .clk             (clk),
      .rst             (rst),
      .beat_i          (beat),
      .data_i          (in_data_i),
      .count_i         (in_count_i),
      .last_i          (in_last_i),
      .power_i         (load_turn),
      .operand_o       (looked_up),
      .product_i       (product),
      .digest_valid_o  (digest_valid_o),
      .digest_o        (digest_o),
      .subkey_valid_i  (subkey_valid_i),
      .subkey_context_i(subkey_context_i),
      .subkey_i        (subkey_i),
      .subkey_done_o   (subkey_done_o),
      .load_entries_o  (load_write),
      .load_last_i     (entry_last),
      .load_turn_o     (load_turn),
      .load_exp_o      (load_exp),
      .load_context_o  (load_context),
      .power_next_o    (power_next),
      .power_o         (power)
  );

  logic unused;  // the power is read in each cycle
  assign unused = &{1'b0, power_next};

  for (genvar l = 0; l < Lanes; l++) begin : gen_operand
    for (genvar i = 0; i < Pieces; i++) begin : gen_piece
      assign operand_d[(l*Pieces+i)*Padded+:Padded] =
          Padded'(looked_up[(Lanes-1-l)*128+i*PieceWidth+:PieceWidth])
          | (BlockRam ? '0 : {Windows{index_d}});  // of which one at least is zero
    end
  end

  // ---- tables
  logic [Lanes*Parts*Windows*EntryWidth-1:0] found;
  logic [ContextWidth-1:0] context_id;

  if (BlockRam) begin : gen_block_ram
    assign operand    = operand_d;
    assign context_id = context_d;
  end else begin : gen_lut_ram
    logic [Lanes*Pieces*Padded-1:0] operand_q;
    logic [ContextWidth-1:0] context_q;
    always_ff @(posedge clk) begin
      operand_q <= operand_d;
      context_q <= context_d;
    end
    assign operand    = operand_q;
    assign context_id = context_q;
  end

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [Parts*Padded-1:0] part;
    logic write;
    assign write = load_write && (load_exp == CountWidth'(Lanes - l) || index_q == '0);

    for (genvar p = 0; p < Parts; p++) begin : gen_part
      always_comb begin
        part[p*Padded+:Padded] = '0;
        for (int i = 0; i < Pieces; i++)
          if (has_piece(p, i))
            part[p*Padded+:Padded] = part[p*Padded+:Padded]
                ^ operand[(l*Pieces+i)*Padded+:Padded];
      end
    end

    for (genvar t = 0; t < Parts * Windows; t++) begin : gen_table
      localparam int Low = (l * Parts * Windows + t) * EntryWidth;
      logic [WindowBits-1:0] index;
      logic [TableWidth-1:0] address;
      logic [EntryWidth-1:0] data;
      // The index comes in the pieces, and sums of them would lose it.
      assign index   = !BlockRam && load_write && is_sum(t / Windows) ? index_q
                     : part[t*WindowBits+:WindowBits];
      assign address = TableWidth'({context_id, index});
      assign data    = entry[t/Windows*EntryWidth+:EntryWidth];

      ghash_window_table u_table (
          .clk         (clk),
          .write_i     (write),
          .write_addr_i(TableWidth'({load_context, index_q})),
          .write_data_i(data),
          .read_i      (beat || load_turn),
          .read_addr_i (address),
          .read_data_o (found[Low+:EntryWidth])
      );
    end
  end

  // ---- their sums: of each part, of all parts, reduced
  logic [Parts*SumWidth-1:0] sums;
  logic [254:0] wide;

  for (genvar p = 0; p < Parts; p++) begin : gen_sum
    always_comb begin
      sums[p*SumWidth+:SumWidth] = '0;
      for (int l = 0; l < Lanes; l++)
        for (int k = 0; k < Windows; k++)
          sums[p*SumWidth+:SumWidth] = sums[p*SumWidth+:SumWidth] ^ SumWidth'(
              255'(found[((l*Parts+p)*Windows+k)*EntryWidth+:EntryWidth]) << (k * WindowBits));
    end
  end

  always_comb begin
    wide = '0;
    for (int p = 0; p < Parts; p++)
      for (int c = 0; c < Pieces; c++)
        if (has_term(p, c)) wide = wide ^ (255'(sums[p*SumWidth+:SumWidth]) << place(p, c));
  end

  gf128_reduce u_reduce (
      .a_i(wide),
      .c_o(product)
  );

  if (Lanes < 1 || WindowBits < 2 || WindowBits > 9 || WindowBits > PieceWidth) begin : gen_bad
    $error("ghash_window: Lanes must be at least 1 and WindowBits 2 to 9, and no more than a part");
  end
endmodule
