// SPDX-License-Identifier: Apache-2.0
// Command queue. A command accepted while its context loads a key waits for the key; one accepted
// earlier goes on with the key that was there.
// Latency: 1 cycle. Throughput: one command beat a cycle; two of them wait here.
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
  localparam int FieldWidth = ContextWidth + 1 + 5 + 16 + 1;

  logic push, pop;
  logic first_q;        // the next beat begins a command
  logic [11:0] more_q;  // beats of a long IV that are still to come
  logic [12:0] iv_beats;
  logic [1:0] free_q, free;             // beats at the head that came before the key load
  logic started_q;                      // it began a cycle ago
  logic late_q;                         // beats at the head came after it began, and it goes on

  // What decides when a command starts leaves from registers; the expected tag and the IV do not.
  axis_skid #(
      .Width(FieldWidth)
  ) u_fields (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (in_valid_i),
      .in_ready_o (in_ready_o),
      .in_data_i  ({in_context_i, in_decrypt_i, in_tag_bytes_i, in_iv_bytes_i, in_void_i}),
      .out_valid_o(out_valid_o),
      .out_ready_i(out_ready_i),
      .out_data_o ({
        out_context_o, out_decrypt_o, out_tag_bytes_o, out_iv_bytes_o, out_void_o
      })
  );

  logic [255:0] blocks_q[0:1];
  logic write_q, read_q;

  always_ff @(posedge clk) if (push) blocks_q[write_q] <= {in_tag_i, in_iv_i};

  always_ff @(posedge clk)
    if (rst) begin
      write_q <= 1'b0;
      read_q  <= 1'b0;
    end else begin
      write_q <= write_q ^ push;
      read_q  <= read_q ^ pop;
    end

  assign {out_tag_o, out_iv_o} = blocks_q[read_q];

  assign push     = in_valid_i && in_ready_o;
  assign pop      = out_valid_o && out_ready_i;
  assign accept_o = push && first_q;
  assign iv_beats = 13'((17'(in_iv_bytes_i) + 17'd15) >> 4);
  assign free     = started_q ? 2'(out_valid_o) + 2'(!in_ready_o) : free_q;

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
