// SPDX-License-Identifier: Apache-2.0
// Command queue. A command accepted while its context loads a key waits for the key; one accepted
// earlier goes on with the key that was there.
// Latency: 1 cycle. Throughput: one command beat a cycle for Depth of 2 or more.
module gcm_command #(
    parameter int Contexts = 1,
    parameter int Depth = 2,
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
    output logic                    accept_o,         // a command came in, counted at its first beat
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
    output logic                    out_void_o
);
  localparam int Width = ContextWidth + 1 + 128 + 5 + 16 + 128 + 1;
  localparam int CountWidth = $clog2(Depth + 1);

  logic push, pop, first;
  logic [11:0] more_q;  // beats of a long IV that are still to come
  logic [12:0] iv_beats;
  logic [CountWidth-1:0] count_q, count_d;
  logic [CountWidth-1:0] free_q;  // beats at the head that came before the key load

  gcm_fifo #(
      .Width(Width),
      .Depth(Depth)
  ) u_queue (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (in_valid_i),
      .in_ready_o (in_ready_o),
      .in_data_i  ({
        in_context_i, in_decrypt_i, in_tag_i, in_tag_bytes_i, in_iv_bytes_i, in_iv_i, in_void_i
      }),
      .out_valid_o(out_valid_o),
      .out_ready_i(out_ready_i),
      .out_data_o ({
        out_context_o, out_decrypt_o, out_tag_o, out_tag_bytes_o, out_iv_bytes_o, out_iv_o, out_void_o
      })
  );

  assign push     = in_valid_i && in_ready_o;
  assign pop      = out_valid_o && out_ready_i;
  assign first    = more_q == '0;
  assign accept_o = push && first;
  assign iv_beats = 13'((17'(in_iv_bytes_i) + 17'd15) >> 4);
  assign count_d  = count_q + CountWidth'(push) - CountWidth'(pop);

  assign out_blocked_o = load_busy_i && free_q == '0 && out_context_o == load_context_i;

  always_ff @(posedge clk) begin
    if (rst) begin
      more_q  <= '0;
      count_q <= '0;
      free_q  <= '0;
    end else begin
      if (push) more_q <= !first ? more_q - 12'd1 : iv_beats > 13'd1 ? 12'(iv_beats - 13'd1) : '0;
      count_q <= count_d;
      if (load_start_i) free_q <= count_d;
      else if (pop && free_q != '0) free_q <= free_q - CountWidth'(1);
    end
  end
endmodule
