// SPDX-License-Identifier: Apache-2.0
// Command queue. A command accepted while its context loads a key waits for the key; one accepted
// earlier goes on with the key that was there.
// Latency: 1 cycle. Throughput: one command beat a cycle; two of them wait here. Where
// gcm_command_places has one place, there is one every two cycles.
module gcm_command #(
    parameter int Contexts = 1,
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                    clk,
    input  logic                    rst,
    // command beats: the first of a command carries all fields, the others 16 bytes of a long IV
    input  logic                    in_valid_i,
    output logic                    in_ready_o,
    input  logic [ContextWidth-1:0] in_context_i,
    input  logic                    in_decrypt_i,
    input  logic [           127:0] in_tag_i,
    input  logic [             4:0] in_tag_bytes_i,
    input  logic [            15:0] in_iv_bytes_i,
    input  logic [           127:0] in_iv_i,
    input  logic                    in_void_i,        // made by gcm_timeout
    input  logic [            31:0] in_text_beats_i,  // where key stream is made ahead
    // a command came in, counted at its first beat
    output logic                    accept_o,
    // the key load that holds commands back
    input  logic                    load_start_i,
    input  logic                    load_busy_i,
    input  logic [ContextWidth-1:0] load_context_i,
    // oldest command beat
    output logic                    out_valid_o,
    output logic                    out_blocked_o,    // its context is loading: not to be started
    input  logic                    out_ready_i,
    output logic [ContextWidth-1:0] out_context_o,
    output logic                    out_decrypt_o,
    output logic [           127:0] out_tag_o,
    output logic [             4:0] out_tag_bytes_o,
    output logic [            15:0] out_iv_bytes_o,
    output logic [           127:0] out_iv_o,
    output logic                    out_void_o,
    output logic [            31:0] out_text_beats_o
);
  localparam int IvWidth = gcm_pkg::COMMAND_IV_WIDTH;
  localparam int FieldWidth = ContextWidth + 1 + 5 + IvWidth + 1;

  logic push, pop, keep;
  logic some, space, two;  // a beat is here, there is space for one, two are here
  logic first_q;        // the next beat begins a command
  logic [11:0] more_q;  // beats of a long IV that are still to come
  logic [11:0] iv_whole;  // whole blocks of the IV
  logic iv_rest;          // and bytes after them
  logic [1:0] free_q, free;             // beats here that came before the key load, or with it
  logic started_q;                      // it began a cycle ago
  logic late_q;                         // the oldest beat came after it began, and it goes on

  // What decides when a command starts leaves from registers; the expected tag and the IV do not.
  logic [FieldWidth-1:0] fields_in, fields_out;
  logic [IvWidth-1:0] iv_in, iv_out;
  assign fields_in = {in_context_i, in_decrypt_i, in_tag_bytes_i, iv_in, in_void_i};
  assign {out_context_o, out_decrypt_o, out_tag_bytes_o, iv_out, out_void_o} = fields_out;

  logic [255:0] blocks, oldest;  // what else is kept

  gcm_command_places u_places (
      .clk         (clk),
      .rst         (rst),
      .in_valid_i  (keep),
      .in_ready_o  (space),
      .in_fields_i (fields_in),
      .in_blocks_i (blocks),
      .out_valid_o (some),
      .out_two_o   (two),
      .out_ready_i (pop),
      .out_fields_o(fields_out),
      .out_blocks_o(oldest)
  );

  gcm_command_words u_words (
      .in_valid_i      (in_valid_i),
      .in_ready_o      (in_ready_o),
      .in_first_i      (first_q),
      .in_tag_i        (in_tag_i),
      .in_iv_bytes_i   (in_iv_bytes_i),
      .in_iv_i         (in_iv_i),
      .in_text_beats_i (in_text_beats_i),
      .keep_o          (keep),
      .space_i         (space),
      .iv_o            (iv_in),
      .blocks_o        (blocks),
      .some_i          (some),
      .two_i           (two),
      .iv_i            (iv_out),
      .blocks_i        (oldest),
      .out_valid_o     (out_valid_o),
      .out_tag_o       (out_tag_o),
      .out_iv_bytes_o  (out_iv_bytes_o),
      .out_iv_o        (out_iv_o),
      .out_text_beats_o(out_text_beats_o)
  );

  assign push     = in_valid_i && in_ready_o;
  assign pop      = out_valid_o && out_ready_i;
  assign accept_o = push && first_q;
  assign iv_whole = in_iv_bytes_i[15:4];
  assign iv_rest  = in_iv_bytes_i[3:0] != '0;
  assign free     = started_q ? 2'(some) + 2'(two) : free_q;

  assign out_blocked_o = late_q && (Contexts == 1 || out_context_o == load_context_i);

  always_ff @(posedge clk) begin
    if (rst) begin
      first_q   <= 1'b1;
      more_q    <= '0;
      free_q    <= '0;
      started_q <= 1'b0;
      late_q    <= 1'b0;
    end else begin
      if (push && first_q) begin
        first_q <= iv_whole == '0 || (iv_whole == 12'd1 && !iv_rest);
        more_q  <= iv_rest ? iv_whole : iv_whole - 12'd1;
      end else if (push) begin
        first_q <= more_q == 12'd1;
        more_q  <= more_q - 12'd1;
      end
      started_q <= load_start_i;
      free_q    <= pop && free != '0 ? free - 2'd1 : free;
      late_q    <= load_busy_i && !load_start_i && (free == '0 || (pop && free == 2'd1));
    end
  end
endmodule
