// SPDX-License-Identifier: Apache-2.0
// Keys of the segmented core: gcm_keys, hardware of its own for hash subkeys, and what contexts
// hold. To gcm_keys all that is under way when a key comes is one packet of the key's context: a
// mark goes through the pipeline after it.
// Latency: the mark's way, then that of gcm_keys and gcm_subkey_dedicated. Throughput: one key at
// a time; packets of other contexts go on.
module segments_keys #(
    parameter int Segments = 2,
    parameter int Powers = 3,
    parameter int SubStages = 1,
    localparam int ContextWidth = gcm_pkg::CONTEXT_WIDTH
) (
    input  logic                             clk,
    input  logic                             rst,
    input  logic                             key_valid_i,
    output logic                             key_ready_o,
    input  logic [                    255:0] key_i,           // first byte on top
    input  logic [                      1:0] key_size_i,
    input  logic [         ContextWidth-1:0] key_context_i,
    output logic                             load_start_o,    // a key is taken
    output logic                             load_busy_o,     // no packet of the context may start
    output logic [         ContextWidth-1:0] load_context_o,
    output logic                             mark_want_o,
    input  logic                             mark_taken_i,
    input  logic                             mark_done_i,     // all that was before it is done
    input  logic [ContextWidth*Segments-1:0] context_i,
    output logic [             Segments-1:0] usable_o,
    output logic [           2*Segments-1:0] size_o,
    // to the AES
    output logic                             round_valid_o,
    output logic [                      1:0] round_size_o,
    output logic [                      3:0] round_index_o,
    output logic [                    127:0] round_key_o,
    // to GHASH
    output logic                             subkey_valid_o,
    output logic                             subkey_first_o,
    output logic [                    127:0] subkey_o,
    input  logic                             powers_done_i
);
  logic ready, start, busy, busy_q, want_q, away_q;  // the mark is to go, and is on its way
  logic schedule_valid, hold, asked, given, done;
  logic [3:0] schedule_index;
  logic [127:0] schedule_key;
  logic one_usable, slot_want;
  logic [1:0] one_size;

  assign key_ready_o = ready && !away_q;
  assign load_start_o = start;
  // With one context gcm_keys is done at once with a key for another one, which is not there. Its
  // mark has to go all the same, and goes when no packet of that context is open.
  assign load_busy_o = busy || busy_q || (gcm_pkg::CONTEXTS == 1 && want_q);
  assign mark_want_o = want_q;

  always_ff @(posedge clk)
    if (rst) begin
      busy_q <= 1'b0;
      want_q <= 1'b0;
      away_q <= 1'b0;
    end else begin
      busy_q <= busy;
      if (start) want_q <= 1'b1;
      else if (mark_taken_i) want_q <= 1'b0;
      if (start) away_q <= 1'b1;
      else if (mark_done_i) away_q <= 1'b0;
    end

  gcm_keys #(
      .Contexts(gcm_pkg::CONTEXTS),
      .Sizes   (gcm_pkg::KEY_SIZES),
      .InFlight(2)
  ) u_keys (
      .clk              (clk),
      .rst              (rst),
      .key_valid_i      (key_valid_i && !away_q),
      .key_ready_o      (ready),
      .key_i            (key_i),
      .key_size_i       (key_size_i),
      .key_context_i    (key_context_i),
      .command_accept_i (start),
      .command_context_i(key_context_i),
      .packet_done_i    (mark_done_i),
      .load_start_o     (start),
      .load_busy_o      (busy),
      .load_context_o   (load_context_o),
      .load_size_o      (round_size_o),
      .round_valid_o    (round_valid_o),
      .round_index_o    (round_index_o),
      .round_key_o      (round_key_o),
      .schedule_valid_o (schedule_valid),
      .schedule_index_o (schedule_index),
      .schedule_key_o   (schedule_key),
      .hold_i           (hold),
      .subkey_want_o    (asked),
      .subkey_taken_i   (given),
      .subkey_valid_i   (subkey_valid_o),
      .powers_done_i    (done),
      .subkey_wrong_i   (1'b0),
      .lookup_context_i (load_context_o),
      .lookup_usable_o  (one_usable),
      .lookup_size_o    (one_size)
  );

  gcm_subkey_dedicated #(
      .Powers   (Powers),
      .SubStages(SubStages)
  ) u_subkey (
      .clk           (clk),
      .rst           (rst),
      .round_valid_i (schedule_valid),
      .round_index_i (schedule_index),
      .round_key_i   (schedule_key),
      .size_i        (round_size_o),
      .hold_o        (hold),
      .want_i        (asked),
      .taken_o       (given),
      .done_o        (done),
      .slot_want_o   (slot_want),
      .slot_taken_i  (1'b0),
      .stream_valid_i(1'b0),
      .stream_i      (128'b0),
      .subkey_valid_o(subkey_valid_o),
      .subkey_first_o(subkey_first_o),
      .subkey_o      (subkey_o),
      .powers_done_i (powers_done_i)
  );

  segments_held #(
      .Segments(Segments)
  ) u_held (
      .clk           (clk),
      .rst           (rst),
      .clear_i       (mark_taken_i),
      .load_busy_i   (busy),
      .load_context_i(load_context_o),
      .load_size_i   (round_size_o),
      .subkey_valid_i(subkey_valid_o),
      .context_i     (context_i),
      .usable_o      (usable_o),
      .size_o        (size_o)
  );

  logic unused;
  assign unused = &{1'b0, one_usable, one_size, slot_want};
endmodule
