// SPDX-License-Identifier: Apache-2.0
// GHASH of q = Lanes blocks a beat by tables instead of multipliers: lane l looks up each window of
// w = WindowBits bits of its block in a table of the 2^w multiples of H^(q-l).
//
// Blocks are polynomials: bit i is the coefficient of x^i. Block and power are taken apart as
// Karatsuba and Ofman do, Splits times into three parts of half the width, and each part has tables
// of its own. Entry v of a table is v times the power's part as a polynomial, not reduced: the
// tables of a part are alike, so that one write goes to all of them, and what they give is added,
// window k moved up by w*k. The parts' sums over all lanes are put together and reduced once. A
// beat of m < q blocks is shifted to the last lanes; the running sum joins its first block.
//
// A load writes entries in the order 0, 1, x, x^2 .. modulo a primitive polynomial of degree w:
// each is the one before times x, with that polynomial times the power's part taken off when v
// overflows. That is done for the pieces of the power; other parts are sums of pieces, and so are
// their entries. The next power is the product of this one, as a block of the last lane, and H; the
// other lanes look up zeros, which are written into all lanes at once. Tables of up to 6 bits are
// for LUT RAM with one port: a load goes through the operand's register. Wider ones are for block
// RAM, read and written side by side.
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
  localparam int Width = Lanes * 128;
  localparam int Pieces = 2 ** Splits;
  localparam int Parts = 3 ** Splits;
  localparam int PieceWidth = 128 / Pieces;  // of a part, too
  localparam int SumWidth = 2 * PieceWidth - 1;
  localparam int Windows = (PieceWidth + WindowBits - 1) / WindowBits;  // of a part
  localparam int Padded = Windows * WindowBits;
  localparam int EntryWidth = PieceWidth + WindowBits - 1;
  localparam int ExpWidth = CountWidth;
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

  // ---- loading: the tables of H, H^2 .. H^q, one after another
  typedef enum logic [1:0] {
    LOAD_IDLE,
    LOAD_NEXT,   // the power arrives, index 0 goes to the tables
    LOAD_WRITE,  // one entry into every table of a lane
    LOAD_TURN    // the power times H
  } load_state_t;
  load_state_t load_state_q;
  logic [ExpWidth-1:0] load_exp_q;  // of the power that is written
  logic [ContextWidth-1:0] load_context_q;
  logic [127:0] power_q, product;
  logic [WindowBits-1:0] index_q, index_d;
  logic [Pieces*EntryWidth-1:0] entry_q, entry_d;  // of the pieces of the power
  logic [Parts*EntryWidth-1:0] entry;
  logic load_turn, load_write, entry_last;

  assign subkey_done_o = load_state_q == LOAD_IDLE;
  assign load_turn     = load_state_q == LOAD_TURN;
  assign load_write    = load_state_q == LOAD_WRITE;
  assign entry_last    = index_q == LAST_INDEX;

  always_comb begin
    if (!load_write || entry_last) index_d = '0;
    else if (index_q == '0) index_d = WindowBits'(1);
    else index_d = (index_q << 1) ^ (index_q[WindowBits-1] ? WindowBits'(PRIMITIVE) : '0);
  end

  for (genvar i = 0; i < Pieces; i++) begin : gen_entry
    logic [EntryWidth-1:0] piece, earlier, overflow;
    assign piece   = EntryWidth'(power_q[i*PieceWidth+:PieceWidth]);
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
    if (rst) load_state_q <= LOAD_IDLE;
    else
      case (load_state_q)
        LOAD_IDLE: if (subkey_valid_i) load_state_q <= LOAD_NEXT;
        LOAD_NEXT: load_state_q <= LOAD_WRITE;
        LOAD_WRITE:
        if (entry_last) load_state_q <= load_exp_q == ExpWidth'(Lanes) ? LOAD_IDLE : LOAD_TURN;
        default: load_state_q <= LOAD_NEXT;
      endcase
  end

  always_ff @(posedge clk) begin
    index_q <= index_d;
    entry_q <= entry_d;
    if (subkey_valid_i) begin
      power_q        <= subkey_i;
      load_exp_q     <= ExpWidth'(1);
      load_context_q <= subkey_context_i;
    end else if (load_state_q == LOAD_NEXT && load_exp_q != ExpWidth'(1)) power_q <= product;
    else if (load_turn) load_exp_q <= load_exp_q + ExpWidth'(1);
  end

  // ---- the turn: a beat in the last lanes with the running sum in its first block, the newest
  // power in the last lane, or an index for every window
  logic beat, taken;
  logic [Width-1:0] beat_data;
  logic [Lanes*Pieces*Padded-1:0] operand_d, operand;
  logic [CountWidth-1:0] empty;  // lanes before the first block
  logic [ContextWidth-1:0] context_d;
  logic [127:0] sum;

  assign in_ready_o = BlockRam ? !load_turn : subkey_done_o;
  assign beat       = in_valid_i && in_ready_o;
  assign empty      = CountWidth'(Lanes) - in_count_i;
  assign beat_data  = in_data_i >> {empty, 7'b0};
  assign context_d  = in_ready_o ? in_context_i : load_context_q;

  for (genvar l = 0; l < Lanes; l++) begin : gen_operand
    logic [127:0] block, joining, turned;
    assign block   = beat_data[(Lanes-1-l)*128+:128];
    assign joining = taken && empty == CountWidth'(l) ? sum : 128'b0;
    assign turned  = l == Lanes - 1 ? power_q : '0;
    for (genvar i = 0; i < Pieces; i++) begin : gen_piece
      localparam int Low = i * PieceWidth;
      assign operand_d[(l*Pieces+i)*Padded+:Padded] =
          in_ready_o ? Padded'(block[Low+:PieceWidth] ^ joining[Low+:PieceWidth])
          : load_turn ? Padded'(turned[Low+:PieceWidth]) : {Windows{index_d}};
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
    assign write = load_write && (load_exp_q == ExpWidth'(Lanes - l) || index_q == '0);

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

      if (BlockRam) begin : gen_two_ports
        gcm_ram #(
            .Width(EntryWidth),
            .Depth(TableDepth)
        ) u_table (
            .clk         (clk),
            .write_i     (write),
            .write_addr_i(TableWidth'({load_context_q, index_q})),
            .write_data_i(data),
            .read_i      (beat || load_turn),
            .read_addr_i (address),
            .read_data_o (found[Low+:EntryWidth])
        );
      end else begin : gen_one_port
        ghash_table #(
            .Width(EntryWidth),
            .Depth(TableDepth)
        ) u_table (
            .clk         (clk),
            .write_i     (write),
            .addr_i      (address),
            .write_data_i(data),
            .read_data_o (found[Low+:EntryWidth])
        );
      end
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

  // ---- sums: into the first block of the message's next beat, or to the accumulator
  logic turn_beat_q, turn_last_q, fresh_q, digest_valid_q;
  logic [127:0] accumulator_q;

  assign taken = beat && !turn_last_q;
  assign sum   = (turn_beat_q ? product : 128'b0) ^ (fresh_q ? 128'b0 : accumulator_q);

  always_ff @(posedge clk) accumulator_q <= sum;
  always_ff @(posedge clk) begin
    if (rst) begin
      turn_beat_q    <= 1'b0;
      turn_last_q    <= 1'b0;
      fresh_q        <= 1'b1;
      digest_valid_q <= 1'b0;
    end else begin
      turn_beat_q    <= beat;
      turn_last_q    <= beat && in_last_i;
      fresh_q        <= taken || turn_last_q;
      digest_valid_q <= turn_last_q;
    end
  end

  assign digest_valid_o = digest_valid_q;
  assign digest_o       = accumulator_q;

  if (Lanes < 1 || WindowBits < 2 || WindowBits > 9 || WindowBits > PieceWidth) begin : gen_bad
    $error("ghash_window: Lanes must be at least 1 and WindowBits 2 to 9, and no more than a part");
  end
endmodule
