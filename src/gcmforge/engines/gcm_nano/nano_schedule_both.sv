// SPDX-License-Identifier: Apache-2.0
// Round keys of 128 and of 256 bits (FIPS 197, section 5.2), in a ring of 32 bytes that never
// stands still. A byte of the key of this round enters cell 31; the key before it is below, from
// cell 0 on. In the last 4 steps of a round each row of each key turns by itself, and the S-box
// gives the first column of the next key, from the last one of this key. The other columns follow
// when the bytes leave at cell 0: each is added to the one that went before it.
// With 128 bits a byte enters cell 15, too: the next key is made of this one.
// With 256 bits the second half of the key enters while a block is loaded, and is there, unchanged,
// for round 2; the first half enters in round 1.
// Latency: key_o has its byte in the step that uses it. Throughput: a round key in 20 cycles.
module nano_schedule_both #(
    parameter bit InMemory = 1'b0  // the S-box is a memory: bytes change a cycle later
) (
    input  logic       clk,
    input  logic       long_i,   // the key has 256 bits
    input  logic [4:0] round_i,  // 0: a block is loaded
    input  logic       mixes_i,  // in the last 4 steps of a round
    input  logic [1:0] column_i,
    input  logic [7:0] key_i,    // in round 1 the key; before it, of 256 bits, the second half
    input  logic [7:0] boxed_i,  // source_o through the S-box
    output logic [7:0] source_o,
    output logic [7:0] key_o
);
  logic [255:0] key_q;
  logic [31:0][7:0] key;  // what the cells have
  logic [7:0] constant, change;
  logic [3:0] changes;  // cells whose bytes change with boxed_i
  logic [2:0] doublings;
  logic outer, second, turns, constant_now;

  assign outer   = round_i[4:1] == 4'd0;
  assign second  = long_i && round_i == 5'd2;
  assign turns   = !long_i || !round_i[0];  // the word is rotated, and has a constant
  assign changes = mixes_i && !(long_i && outer) ? 4'd1 << column_i : 4'd0;

  always_comb begin
    key_o = key_q[7:0] ^ (column_i == 2'd0 || second ? 8'h00 : key_q[255:248]);
    if (outer) key_o = key_i;
  end

  always_comb begin
    case ({turns, column_i})
      3'd0: source_o = key_q[8*19+:8];
      3'd1: source_o = key_q[8*22+:8];
      3'd2: source_o = key_q[8*25+:8];
      3'd3: source_o = key_q[8*28+:8];
      3'd4: source_o = key_q[8*23+:8];
      3'd5: source_o = key_q[8*26+:8];
      3'd6: source_o = key_q[8*29+:8];
      default: source_o = key_q[8*16+:8];
    endcase
  end

  assign doublings    = (long_i ? round_i[3:1] : round_i[2:0]) - 3'd1;
  assign constant_now = turns && column_i == 2'd0;

  always_comb begin
    constant = 8'h01 << doublings;
    if (!long_i && round_i[3]) begin
      if (round_i[0]) constant = 8'h1b;
      else if (round_i[1]) constant = 8'h36;
    end
  end

  if (InMemory) begin : gen_later
    logic [3:0] changes_q;
    logic constant_q;

    always_ff @(posedge clk) begin
      changes_q  <= changes;
      constant_q <= constant_now;
    end
    assign change = boxed_i ^ (constant_q ? constant : 8'h00);
    for (genvar i = 0; i < 32; i++) begin : gen_cell
      if (i % 3 == 0 && i > 0 && i < 15) begin : gen_changed
        assign key[i] = key_q[8*i+:8] ^ (changes_q[i/3-1] ? change : 8'h00);
      end else begin : gen_kept
        assign key[i] = key_q[8*i+:8];
      end
    end
  end else begin : gen_at_once
    assign change = boxed_i ^ (constant_now ? constant : 8'h00);
    assign key    = key_q;
  end

  for (genvar i = 0; i < 32; i++) begin : gen_key
    logic [7:0] incoming;
    if (i % 4 == 3) begin : gen_tail
      logic [7:0] onward;
      if (i == 31) begin : gen_in
        assign onward = key_o;
      end else if (i == 15) begin : gen_between
        assign onward = long_i ? key[16] : key_o;
      end else begin : gen_on
        assign onward = key[i+1];
      end
      assign incoming = mixes_i ? key[i-3] : onward;
    end else begin : gen_cell
      assign incoming = key[i+1];
    end
    if (i % 3 == 0 && i > 0 && i < 15 && !InMemory) begin : gen_changed
      always_ff @(posedge clk) key_q[8*i+:8] <= incoming ^ (changes[i/3-1] ? change : 8'h00);
    end else begin : gen_kept
      always_ff @(posedge clk) key_q[8*i+:8] <= incoming;
    end
  end
endmodule
