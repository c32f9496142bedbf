// SPDX-License-Identifier: Apache-2.0
// Keys, and what contexts hold. A key is taken when no packet of its context is open on any stream:
// as long as it is offered, the streams' contexts are read one after the other from a memory of
// their own, and read on when the one that was found has ended. When a packet of the context begins
// meanwhile, all are read again. Then a mark goes through the pipeline, after all that was before.
// An offer that is withdrawn, or that is of another context now, begins anew: what was read was for
// the context that was asked for first.
//
// Latency: a cycle for each stream and 4, the mark's way, then that of gcm_keys and
// gcm_subkey_dedicated. Throughput: one key at a time; packets of other contexts go on.
module streams_keys #(
    parameter int Streams = 4,
    parameter int Powers = 1,
    parameter int SubStages = 1,
    localparam int TidWidth = Streams > 1 ? $clog2(Streams) : 1,
    localparam int Contexts = gcm_pkg::CONTEXTS,
    localparam int ContextWidth = gcm_pkg::CONTEXT_WIDTH
) (
    input  logic                    clk,
    input  logic                    rst,
    input  logic                    key_valid_i,
    output logic                    key_ready_o,
    input  logic [           255:0] key_i,           // first byte on top
    input  logic [             1:0] key_size_i,
    input  logic [ContextWidth-1:0] key_context_i,
    // no packet of the context may start
    output logic                    load_busy_o,
    output logic [ContextWidth-1:0] load_context_o,
    // beats: offered and taken, gone from the first step; a command of load_context_o
    input  logic                    beat_in_i,
    input  logic                    beat_in_loading_i,
    input  logic                    beat_out_i,
    input  logic                    beat_out_loading_i,
    // what streams have become
    input  logic                    begun_i,
    input  logic                    user_write_i,
    input  logic                    user_command_i,
    input  logic [    TidWidth-1:0] user_tid_i,
    input  logic                    user_open_i,
    input  logic [ContextWidth-1:0] user_context_i,
    output logic                    mark_want_o,
    input  logic                    mark_taken_i,
    input  logic                    mark_done_i,     // all that was before it is done
    // look-up, an enabled cycle later
    input  logic                    look_i,
    input  logic [ContextWidth-1:0] look_context_i,
    output logic                    look_usable_o,
    output logic [             1:0] look_size_o,
    output logic                    begun_o,         // after reset every context has its word
    // to the AES
    output logic                    round_valid_o,
    output logic [             1:0] round_size_o,
    output logic [             3:0] round_index_o,
    output logic [           127:0] round_key_o,
    // to GHASH
    output logic                    subkey_valid_o,
    output logic                    subkey_first_o,
    output logic [           127:0] subkey_o
);
  typedef enum logic [1:0] {
    USERS_IDLE,
    USERS_READ,   // streams are read
    USERS_CLEAN,  // none has the context; commands of it may still be on their way in
    USERS_GRANT   // none has, and none is
  } state_t;

  state_t state_q;
  logic ready, start, busy, busy_q, away_q, want_q;
  logic stays;  // the key whose context was asked for is still offered
  logic [ContextWidth-1:0] asked_q, load_context;

  // ---- beats between s_axis and the memory of the streams: those from before the context was
  // known are counted, and of the others its commands
  logic [1:0] beats_q, beats_d, old_q, old_d, mine_q, mine_d;
  logic look_q;  // a context is known from here on; high for two cycles, of which the later counts

  assign beats_d = beats_q + 2'(beat_in_i) - 2'(beat_out_i);
  assign old_d   = old_q - 2'(beat_out_i && old_q != '0);
  assign mine_d  = mine_q + 2'(beat_in_i && beat_in_loading_i)
      - 2'(beat_out_i && old_q == '0 && beat_out_loading_i);

  always_ff @(posedge clk)
    if (rst) begin
      beats_q <= '0;
      old_q   <= '0;
      mine_q  <= '0;
      look_q  <= 1'b0;
    end else begin
      beats_q <= beats_d;
      look_q  <= state_q == USERS_IDLE && key_valid_i && !load_busy_o && ready && begun_i
          && begun_o;
      old_q   <= look_q ? beats_d : old_d;
      mine_q  <= look_q ? '0 : mine_d;
    end

  // ---- the streams' contexts
  logic [TidWidth-1:0] place_q, place_d;
  logic found_open, known_q, hit, last, begins;
  logic [ContextWidth-1:0] found_context;

  gcm_ram #(
      .Width(1 + ContextWidth),
      .Depth(Streams)
  ) u_users (
      .clk         (clk),
      .write_i     (user_write_i),
      .write_addr_i(user_tid_i),
      .write_data_i({user_open_i, user_context_i}),
      .read_i      (1'b1),
      .read_addr_i (place_d),
      .read_data_o ({found_open, found_context})
  );

  assign hit    = found_open && found_context == asked_q;
  assign last   = place_q == TidWidth'(Streams - 1);
  assign begins = user_write_i && user_command_i && user_context_i == asked_q;
  assign place_d = state_q != USERS_READ || begins ? '0
      : known_q && !hit && !last ? place_q + TidWidth'(1) : place_q;

  always_ff @(posedge clk) begin
    place_q <= place_d;
    // What was read is of place_q. A word that was being written then may be the old one or the new
    // one: a packet that ends is waited for once more, and one that begins is seen as begins.
    known_q <= !rst && state_q == USERS_READ && !begins;
    if (state_q == USERS_IDLE && !load_busy_o) asked_q <= key_context_i;
    if (rst) state_q <= USERS_IDLE;
    else
      case (state_q)
        USERS_IDLE: if (look_q) state_q <= USERS_READ;
        USERS_READ:
        if (!stays) state_q <= USERS_IDLE;
        else if (known_q && !begins && !hit && last) state_q <= USERS_CLEAN;
        USERS_CLEAN:
        if (!stays) state_q <= USERS_IDLE;
        else if (begins) state_q <= USERS_READ;
        else if (old_d == '0 && mine_d == '0) state_q <= USERS_GRANT;
        default: state_q <= USERS_IDLE;
      endcase
  end

  assign stays          = key_valid_i && key_context_i == asked_q;
  assign key_ready_o    = state_q == USERS_GRANT && key_context_i == asked_q;
  assign start          = key_valid_i && key_ready_o;
  assign load_busy_o    = away_q || busy || busy_q;
  assign load_context_o = asked_q;
  assign mark_want_o    = want_q;

  always_ff @(posedge clk)
    if (rst) begin
      want_q <= 1'b0;
      away_q <= 1'b0;
    end else begin
      if (start) want_q <= 1'b1;
      else if (mark_taken_i) want_q <= 1'b0;
      if (start) away_q <= 1'b1;
      else if (mark_done_i) away_q <= 1'b0;
    end

  // ---- round keys, H and its powers. To gcm_keys all that is under way is one packet.
  logic schedule_valid, hold, asked, given, done;
  logic [3:0] schedule_index;
  logic [127:0] schedule_key;
  logic one_usable, slot_want, load_start;
  logic [1:0] one_size;

  gcm_keys #(
      .Contexts(Contexts),
      .Sizes   (gcm_pkg::KEY_SIZES),
      .InFlight(2)
  ) u_keys (
      .clk              (clk),
      .rst              (rst),
      .key_valid_i      (start),
      .key_ready_o      (ready),
      .key_i            (key_i),
      .key_size_i       (key_size_i),
      .key_context_i    (key_context_i),
      .command_accept_i (start),
      .command_context_i(key_context_i),
      .packet_done_i    (mark_done_i),
      .load_start_o     (load_start),
      .load_busy_o      (busy),
      .load_context_o   (load_context),
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
      .lookup_context_i (load_context),
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
      .powers_done_i (1'b1)
  );

  // ---- what contexts hold: nothing from when a key is taken until all of it is in place
  logic subkey_q, note, clears_q, exists;
  logic [ContextWidth-1:0] context_q;
  logic [2:0] held;

  always_ff @(posedge clk)
    if (rst) begin
      busy_q    <= 1'b0;
      subkey_q  <= 1'b0;
      clears_q  <= 1'b1;
      context_q <= '0;
    end else begin
      busy_q <= busy;
      if (start) subkey_q <= 1'b0;
      else if (subkey_valid_o) subkey_q <= 1'b1;
      if (clears_q) begin
        context_q <= context_q + ContextWidth'(1);
        clears_q  <= context_q != ContextWidth'(Contexts - 1);
      end
    end
  assign begun_o = !clears_q;
  assign exists  = {1'b0, asked_q} < (ContextWidth + 1)'(Contexts);
  assign note    = busy_q && !busy && subkey_q;

  gcm_ram #(
      .Width(3),
      .Depth(Contexts)
  ) u_held (
      .clk         (clk),
      .write_i     (clears_q || (start && exists) || note),
      .write_addr_i(clears_q ? context_q : asked_q),
      .write_data_i(clears_q || start ? 3'b0 : {1'b1, round_size_o}),
      .read_i      (look_i),
      .read_addr_i (look_context_i),
      .read_data_o (held)
  );
  assign {look_usable_o, look_size_o} = held;

  logic unused;
  assign unused = &{1'b0, one_usable, one_size, slot_want, load_start, load_context};
endmodule
