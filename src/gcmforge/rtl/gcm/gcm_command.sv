// SPDX-License-Identifier: Apache-2.0
// Command queue. A command accepted while its context loads a key waits for the key; one accepted
// earlier goes on with the key that was there.
// Latency: 1 cycle. Throughput: one command beat a cycle; two of them wait here. With Single one
// does, and there is one every two cycles.
module gcm_command #(
    parameter int Contexts = 1,
    // beats of text that a command announces are kept, those of long IVs are not
    parameter bit Ahead = 1'b0,
    parameter bit Single = 1'b0,  // with Ahead only
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
    input  logic [            31:0] in_text_beats_i,  // with Ahead
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
    output logic [            15:0] out_iv_bytes_o,   // with Ahead 12, or 0 for every other length
    output logic [           127:0] out_iv_o,
    output logic                    out_void_o,
    output logic [            31:0] out_text_beats_o
);
  localparam int BlocksWidth = 256;  // tag and IV; with Ahead 96 bits of it and 32 of beats
  localparam int IvWidth = Ahead ? 1 : 16;   // its length, or whether it is 12
  localparam int FieldWidth = ContextWidth + 1 + 5 + IvWidth + 1;

  logic push, pop, keep;
  logic some, space, two;  // a beat is here, there is space for one, two are here
  logic first_q;        // the next beat begins a command
  logic [11:0] more_q;  // beats of a long IV that are still to come
  logic [12:0] iv_beats;
  logic [1:0] free_q, free;             // beats at the head that came before the key load
  logic started_q;                      // it began a cycle ago
  logic late_q;                         // beats at the head came after it began, and it goes on

  // What decides when a command starts leaves from registers; the expected tag and the IV do not.
  logic [FieldWidth-1:0] fields_in, fields_out;
  logic [IvWidth-1:0] iv_in, iv_out;
  assign fields_in = {in_context_i, in_decrypt_i, in_tag_bytes_i, iv_in, in_void_i};
  assign {out_context_o, out_decrypt_o, out_tag_bytes_o, iv_out, out_void_o} = fields_out;

  logic [BlocksWidth-1:0] blocks, oldest;

  if (Single) begin : gen_single
    logic [BlocksWidth-1:0] blocks_q;
    always_ff @(posedge clk) if (space) blocks_q <= blocks;
    assign oldest = blocks_q;
    assign two    = 1'b0;

    gcm_fifo #(
        .Width(FieldWidth),
        .Depth(1),
        .Eager(1'b1)
    ) u_fields (
        .clk        (clk),
        .rst        (rst),
        .in_valid_i (keep),
        .in_ready_o (space),
        .in_data_i  (fields_in),
        .out_valid_o(some),
        .out_ready_i(pop),
        .out_data_o (fields_out)
    );
  end else begin : gen_two
    logic [BlocksWidth-1:0] blocks_q[0:1];
    logic write_q, read_q;

    always_ff @(posedge clk) if (keep && space) blocks_q[write_q] <= blocks;
    always_ff @(posedge clk)
      if (rst) begin
        write_q <= 1'b0;
        read_q  <= 1'b0;
      end else begin
        write_q <= write_q ^ (keep && space);
        read_q  <= read_q ^ pop;
      end
    assign oldest = blocks_q[read_q];
    assign two    = !space;

    axis_skid #(
        .Width(FieldWidth)
    ) u_fields (
        .clk        (clk),
        .rst        (rst),
        .in_valid_i (keep),
        .in_ready_o (space),
        .in_data_i  (fields_in),
        .out_valid_o(some),
        .out_ready_i(pop),
        .out_data_o (fields_out)
    );
  end

  if (Ahead) begin : gen_ahead
    // The only command here waits until the last beat of its IV has come, too: none but the first
    // is kept.
    logic unused;
    assign unused      = &{1'b0, in_iv_i[31:0]};
    assign keep        = in_valid_i && first_q;
    assign iv_in       = in_iv_bytes_i == 16'd12;
    assign out_iv_bytes_o = iv_out ? 16'd12 : '0;
    assign in_ready_o  = space || !first_q;
    assign out_valid_o = some && (first_q || two);
    assign blocks      = {in_tag_i, in_iv_i[127:32], in_text_beats_i};
    assign {out_tag_o, out_iv_o[127:32], out_text_beats_o} = oldest;
    assign out_iv_o[31:0] = '0;
  end else begin : gen_no_ahead
    logic unused;
    assign unused           = &{1'b0, in_text_beats_i};
    assign keep             = in_valid_i;
    assign iv_in            = in_iv_bytes_i;
    assign out_iv_bytes_o   = iv_out;
    assign in_ready_o       = space;
    assign out_valid_o      = some;
    assign out_text_beats_o = '0;
    assign blocks           = {in_tag_i, in_iv_i};
    assign {out_tag_o, out_iv_o} = oldest;
  end

  assign push     = in_valid_i && in_ready_o;
  assign pop      = out_valid_o && out_ready_i;
  assign accept_o = push && first_q;
  assign iv_beats = 13'((17'(in_iv_bytes_i) + 17'd15) >> 4);
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
        first_q <= iv_beats <= 13'd1;
        more_q  <= 12'(iv_beats) - 12'd1;
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
