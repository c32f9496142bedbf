// SPDX-License-Identifier: Apache-2.0
// One share of the AES state and of the round key: what is linear in AES, and knows nothing of the
// other share. What to do comes from masked_aes, and is public.
// Latency: a byte that is written is there in the next cycle. Throughput: one byte a cycle.
module masked_aes_share (
    input  logic       clk,
    input  logic       go_i,
    input  logic       load_i,        // a byte of the block and of the key into cell place_i
    input  logic [3:0] place_i,
    input  logic [7:0] block_i,
    input  logic [7:0] key_i,
    input  logic [1:0] turns_i,       // column c of row r is in place c + turns_i * r
    input  logic [1:0] row_i,         // the byte that is read
    input  logic [1:0] column_i,
    input  logic [1:0] key_column_i,
    input  logic       update_i,      // the key's row_i becomes that of the next round
    input  logic [7:0] constant_i,
    input  logic [7:0] box_i,         // from the S-box
    input  logic       write_i,       // it completes a column of the state
    input  logic       mix_i,
    input  logic [1:0] written_i,     // that column
    input  logic       expand_i,      // a byte of the key goes into the S-box
    input  logic       substitute_i,  // a byte of the state with that of the key
    output logic [7:0] byte_o,        // else 0
    output logic [7:0] stream_o       // the byte of the state with that of the key
);
  logic [127:0] state_q, key_q;
  logic [23:0] column_q;
  logic [31:0] whole, mixed, stored, key_row, key_next;
  logic [7:0] state_byte, key_byte;
  logic [1:0] state_place;

  // ---- what is read

  assign state_place = column_i + 2'(turns_i * row_i);
  assign state_byte  = state_q[8*{row_i, state_place}+:8];
  assign key_row     = key_q[32*row_i+:32];  // column 0 lowest
  assign key_byte    = key_next[8*key_column_i+:8];
  assign stream_o    = state_byte ^ key_byte;

  always_comb begin
    byte_o = 8'h00;
    if (substitute_i) byte_o = stream_o;
    else if (expand_i) byte_o = key_byte;
  end

  always_comb begin
    key_next = key_row;
    if (update_i) begin
      key_next[7:0]   = key_row[7:0] ^ box_i ^ constant_i;
      key_next[15:8]  = key_row[15:8] ^ key_next[7:0];
      key_next[23:16] = key_row[23:16] ^ key_next[15:8];
      key_next[31:24] = key_row[31:24] ^ key_next[23:16];
    end
  end

  // ---- what is written

  assign whole = {column_q, box_i};

  aes_mix_column u_mix (
      .x_i(whole),
      .y_o(mixed)
  );

  assign stored = mix_i ? mixed : whole;

  always_ff @(posedge clk) if (go_i) column_q <= {column_q[15:0], box_i};

  for (genvar r = 0; r < 4; r++) begin : gen_row
    logic [1:0] cell_place;
    assign cell_place = written_i + 2'(turns_i * r);
    for (genvar j = 0; j < 4; j++) begin : gen_cell
      logic loads;
      assign loads = load_i && place_i == 4'(4 * r + j);
      always_ff @(posedge clk) begin
        if (go_i) begin
          if (loads) state_q[8*(4*r+j)+:8] <= block_i;
          else if (write_i && cell_place == 2'(j)) state_q[8*(4*r+j)+:8] <= stored[31-8*r-:8];
          if (loads) key_q[8*(4*r+j)+:8] <= key_i;
          else if (update_i && row_i == 2'(r)) key_q[8*(4*r+j)+:8] <= key_next[8*j+:8];
        end
      end
    end
  end
endmodule
