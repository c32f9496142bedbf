// SPDX-License-Identifier: Apache-2.0
// Text leaves after its packet's verdict: a packet with status OK as it came, of any other nothing.
// Beats lie in a ring; a packet found bad before its end gives its place back at once, one found
// bad by its tag when its turn to leave has come, and the read address never touches it. The ring
// must hold the longest packet that is not refused for its length. Then it never fills up with a
// packet that has no verdict, and does not need its reader for one.
// Latency: 2 cycles from the verdict to the first beat out when nothing is before it. Throughput:
// one beat a cycle. Beats are taken without a pause, from whatever packets of n beats or fewer,
// while the reader does not pause and Depth is at least n + v + 1, where the verdict comes v cycles
// after the packet's end.
module gcm_release_verified #(
    parameter int Width = 8,
    parameter int Depth = 16,   // beats
    parameter int Pending = 8   // packets between their end and their verdict
) (
    input  logic             clk,
    input  logic             rst,
    // beats of text; in_error_i: the packet is known to be bad, and stays so
    input  logic             in_valid_i,
    output logic             in_ready_o,
    output logic             in_soon_o,        // it is ready in the next cycle, whatever comes
    input  logic [Width-1:0] in_beat_i,
    input  logic             in_error_i,
    // the packet under way ends, with this beat or without
    input  logic             end_i,
    // one verdict for each end, in order
    input  logic             verdict_valid_i,
    input  logic             verdict_ok_i,
    // beats of packets that are good
    output logic             out_valid_o,
    input  logic             out_ready_i,
    input  logic             out_soon_i,
    output logic [Width-1:0] out_beat_o
);
  localparam int PtrWidth = $clog2(Depth);
  localparam int CountWidth = $clog2(Depth + 1);
  localparam logic [CountWidth:0] WRAP = (CountWidth + 1)'(Depth);

  // ---- the packet under way, at the ring's end
  logic [PtrWidth-1:0] write_q, write_d, start_q, read_q, read_d;
  logic [CountWidth-1:0] used_q, used_d;   // beats in the ring
  logic [CountWidth-1:0] length_q, length;  // of them of the packet under way
  logic push, fetch, skip;

  assign in_ready_o = used_q != CountWidth'(Depth) || in_error_i;
  assign push       = in_valid_i && in_ready_o && !in_error_i;
  assign length     = in_error_i ? '0 : length_q + CountWidth'(push);

  always_comb begin
    write_d = write_q;
    if (in_error_i) write_d = start_q;
    else if (push) write_d = write_q == PtrWidth'(Depth - 1) ? '0 : write_q + PtrWidth'(1);
  end

  // Only a beat or an end tells whether in_error_i is of this packet.
  always_ff @(posedge clk) begin
    if (rst) begin
      write_q  <= '0;
      start_q  <= '0;
      length_q <= '0;
    end else if (end_i || (in_valid_i && in_ready_o)) begin
      write_q  <= write_d;
      length_q <= end_i ? '0 : length;
      if (end_i) start_q <= write_d;
    end
  end

  // ---- packets that wait for their verdict, then for their turn; those of no beat do not queue
  logic pending_space, pending_valid, turn_valid, turn_space, turn_ok, turn_done;
  logic [CountWidth-1:0] judged_length, turn_length;

  gcm_fifo #(
      .Width(CountWidth),
      .Depth(Pending)
  ) u_pending (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (end_i),
      .in_ready_o (pending_space),
      .in_data_i  (length),
      .out_valid_o(pending_valid),
      .out_ready_i(verdict_valid_i),
      .out_data_o (judged_length)
  );

  gcm_fifo #(
      .Width(1 + CountWidth),
      .Depth(Depth)
  ) u_turns (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (verdict_valid_i && judged_length != '0),
      .in_ready_o (turn_space),
      .in_data_i  ({verdict_ok_i, judged_length}),
      .out_valid_o(turn_valid),
      .out_ready_i(turn_done),
      .out_data_o ({turn_ok, turn_length})
  );

  // ---- the packet whose turn it is
  logic [CountWidth-1:0] taken_q;  // its beats that have been read
  logic [CountWidth:0] next_read;
  logic fetched_q;

  assign fetch       = turn_valid && turn_ok && (!fetched_q || out_ready_i);
  assign skip        = turn_valid && !turn_ok;
  assign turn_done   = skip || (fetch && taken_q + CountWidth'(1) == turn_length);
  assign next_read   = (CountWidth + 1)'(read_q)
      + (skip ? (CountWidth + 1)'(turn_length) : (CountWidth + 1)'(fetch));
  assign read_d      = PtrWidth'(next_read >= WRAP ? next_read - WRAP : next_read);
  assign used_d      = used_q + CountWidth'(push) - CountWidth'(fetch) - (skip ? turn_length : '0)
      - ((end_i || in_valid_i) && in_error_i ? length_q : '0);
  assign in_soon_o   = used_d != CountWidth'(Depth);
  assign out_valid_o = fetched_q;

  always_ff @(posedge clk) begin
    if (rst) begin
      read_q    <= '0;
      taken_q    <= '0;
      used_q    <= '0;
      fetched_q <= 1'b0;
    end else begin
      read_q    <= read_d;
      taken_q    <= turn_done ? '0 : taken_q + CountWidth'(fetch);
      used_q    <= used_d;
      fetched_q <= fetch || (fetched_q && !out_ready_i);
    end
  end

  gcm_ram #(
      .Width(Width),
      .Depth(Depth)
  ) u_beats (
      .clk         (clk),
      .write_i     (push),
      .write_addr_i(write_q),
      .write_data_i(in_beat_i),
      .read_i      (fetch),
      .read_addr_i (read_q),
      .read_data_o (out_beat_o)
  );

  logic unused;  // the ring has no more packets with beats than beats
  assign unused = &{1'b0, pending_space, pending_valid, turn_space, out_soon_i};

  if (Depth < 2) begin : gen_bad
    $error("gcm_release_verified: Depth must be at least 2");
  end
endmodule
