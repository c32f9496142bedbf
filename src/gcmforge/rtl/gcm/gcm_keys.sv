// SPDX-License-Identifier: Apache-2.0
// Key loading. A key waits until no packet uses its context any more. gcm_key_feed then gives the
// AES the round keys, or the key itself when the AES makes them. The zero block is encrypted for
// the hash subkey, and the GHASH makes the powers of it that it needs. Other contexts carry on
// meanwhile, and nobody waits for their packets.
//
// The contexts of the packets under way stand in a queue. A key reads it through, a place a cycle,
// and waits for the newest packet of its own context; with one context for the newest of all.
//
// Latency: the wait for earlier packets, 5 cycles and, unless the AES makes the round keys,
// aes_key_expand's until the subkey is asked for; then one pass of the AES and the GHASH's powers.
// Throughput: one key at a time.
module gcm_keys #(
    parameter int Contexts = 1,
    parameter bit [2:0] Sizes = 3'b111,  // key sizes built: bit 0 AES-128, 1 AES-192, 2 AES-256
    parameter int InFlight = 32,         // packets under way, at most
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                    clk,
    input  logic                    rst,
    // keys, first byte on top, left aligned
    input  logic                    key_valid_i,
    output logic                    key_ready_o,
    input  logic [           255:0] key_i,
    input  logic [             1:0] key_size_i,
    input  logic [ContextWidth-1:0] key_context_i,
    // commands and packets, to know when the packets before a key are done
    input  logic                    command_accept_i,
    input  logic [ContextWidth-1:0] command_context_i,
    input  logic                    packet_done_i,
    output logic                    load_start_o,
    output logic                    load_busy_o,
    output logic [ContextWidth-1:0] load_context_o,
    output logic [             1:0] load_size_o,
    // round keys to the AES, or the key: its first 128 bits as round 0, the rest as round 1
    output logic                    round_valid_o,
    output logic [             3:0] round_index_o,
    output logic [           127:0] round_key_o,
    // every round key as it is expanded, where it is; held back by hold_i
    output logic                    schedule_valid_o,
    output logic [             3:0] schedule_index_o,
    output logic [           127:0] schedule_key_o,
    input  logic                    hold_i,
    // E(K, 0^128): asked for here, arrives through the GHASH's subkey port
    output logic                    subkey_want_o,
    input  logic                    subkey_taken_i,
    input  logic                    subkey_valid_i,
    input  logic                    powers_done_i,
    input  logic                    subkey_wrong_i,   // a GHASH for one key: of another key
    // what a context holds
    input  logic [ContextWidth-1:0] lookup_context_i,
    output logic                    lookup_usable_o,
    output logic [             1:0] lookup_size_o
);
  localparam logic [1:0] SMALLEST = Sizes[0] ? gcm_pkg::KEY_128
      : Sizes[1] ? gcm_pkg::KEY_192 : gcm_pkg::KEY_256;

  typedef enum logic [2:0] {
    KEYS_IDLE,
    KEYS_FENCE,   // earlier packets run out
    KEYS_EXPAND,
    KEYS_ASK,     // for E(K, 0^128)
    KEYS_SUBKEY,  // it is under way
    KEYS_POWERS
  } state_t;

  state_t state_q, state_d;
  logic [1:0] size_q, size;  // size: of the key that was taken, known where there is one only
  logic [ContextWidth-1:0] context_q;
  logic idle_q, want_q;  // what state_q says, without the time to look at it
  // passed_q is high for one cycle, when the packets before the key are done
  logic exists, loadable, accept, expand_start, expand_busy, passed_q;
  logic cleared;  // what contexts hold is known

  assign key_ready_o     = idle_q && cleared;
  assign accept          = key_valid_i && key_ready_o;
  assign load_start_o    = accept;
  assign load_busy_o     = !idle_q;
  assign load_context_o  = context_q;
  assign load_size_o     = size;
  assign exists          = {1'b0, context_q} < (ContextWidth + 1)'(Contexts);
  assign loadable        = exists && (size_q == gcm_pkg::KEY_128 ? Sizes[0]
                                    : size_q == gcm_pkg::KEY_192 ? Sizes[1]
                                    : size_q == gcm_pkg::KEY_256 && Sizes[2]);
  assign size            = $onehot(Sizes) ? SMALLEST : size_q;
  assign expand_start    = passed_q && loadable;
  assign subkey_want_o   = want_q;

  // ---- what a context holds: a key or none, and its size. A context number beyond the last
  // context holds no key and takes none.
  logic note, note_usable;
  logic [2:0] held;

  assign note        = exists && (passed_q || (state_q == KEYS_POWERS && powers_done_i));
  assign note_usable = state_q == KEYS_POWERS && !subkey_wrong_i;
  assign lookup_usable_o = held[2];
  // A packet without a key passes the AES all the same, as one of a size that is built.
  assign lookup_size_o   = held[2] && !$onehot(Sizes) ? held[1:0] : SMALLEST;

  if (Contexts > 16) begin : gen_memory
    // A memory has no reset: after one, every word is written once, and no context holds a key.
    logic [ContextWidth:0] clear_q;
    logic [2:0] found;

    assign cleared = clear_q == (ContextWidth + 1)'(Contexts);
    always_ff @(posedge clk)
      if (rst) clear_q <= '0;
      else if (!cleared) clear_q <= clear_q + (ContextWidth + 1)'(1);

    gcm_ram #(
        .Width       (3),
        .Depth       (Contexts),
        .ReadRegister(1'b0)
    ) u_held (
        .clk         (clk),
        .write_i     (note || !cleared),
        .write_addr_i(cleared ? context_q : clear_q[ContextWidth-1:0]),
        .write_data_i(cleared ? {note_usable, size} : 3'b0),
        .read_i      (1'b1),
        .read_addr_i (lookup_context_i),
        .read_data_o (found)
    );
    assign held = cleared && {1'b0, lookup_context_i} < (ContextWidth + 1)'(Contexts) ? found : '0;
  end else begin : gen_flip_flops
    logic [3*Contexts-1:0] held_q;

    assign cleared = 1'b1;
    always_comb begin
      held = '0;
      for (int c = 0; c < Contexts; c++)
        if (lookup_context_i == ContextWidth'(c)) held = held_q[3*c+:3];
    end
    always_ff @(posedge clk)
      if (rst) held_q <= '0;
      else if (note) held_q[3*context_q+:3] <= {note_usable, size};
  end

  // ---- round keys
  gcm_key_feed u_feed (
      .clk             (clk),
      .rst             (rst),
      .take_i          (accept),
      .key_i           (key_i),
      .size_i          (size),
      .keep_i          (state_q == KEYS_FENCE),
      .start_i         (expand_start),
      .busy_o          (expand_busy),
      .round_valid_o   (round_valid_o),
      .round_index_o   (round_index_o),
      .round_key_o     (round_key_o),
      .schedule_valid_o(schedule_valid_o),
      .schedule_index_o(schedule_index_o),
      .schedule_key_o  (schedule_key_o),
      .hold_i          (hold_i)
  );

  // ---- packets under way, in order. Counts have two bits more than the places ask for: one so
  // that a full queue and an empty one differ, and one for the sign of what is left to wait for.
  localparam int PlaceWidth = $clog2(InFlight);
  localparam int TurnWidth = PlaceWidth + 2;
  logic [TurnWidth-1:0] newest_q, oldest_q, newest_d, oldest_d;
  logic [TurnWidth-1:0] fence_q, to_wait;  // the packet waited for
  logic looked;                            // the queue has been read: that is known

  logic begin_q;    // a key came in the cycle before
  logic command_q;  // and so did a command, counted now
  logic done_q;     // and a packet was done

  assign newest_d = newest_q + TurnWidth'(command_q);
  assign oldest_d = oldest_q + TurnWidth'(done_q);
  assign to_wait  = fence_q - oldest_q;  // not positive when it is done

  if (Contexts == 1) begin : gen_only  // all of them are of the key's context, if it exists
    logic unused;
    assign unused = &{1'b0, command_context_i};
    assign looked = 1'b1;
    always_ff @(posedge clk) if (begin_q) fence_q <= exists ? newest_d : oldest_d;
  end else begin : gen_some
    logic [ContextWidth-1:0] under_way_q[0:2**PlaceWidth-1];
    logic [ContextWidth-1:0] command_context_q;
    logic [TurnWidth-1:0] look_q, end_q;  // next place to look at, where to stop

    assign looked = look_q == end_q;
    always_ff @(posedge clk) begin
      command_context_q <= command_context_i;
      if (command_q) under_way_q[newest_q[PlaceWidth-1:0]] <= command_context_q;
      if (begin_q) begin
        look_q  <= oldest_d;
        end_q   <= newest_d;
        fence_q <= oldest_d;
      end else if (!looked) begin
        look_q <= look_q + TurnWidth'(1);
        if (under_way_q[look_q[PlaceWidth-1:0]] == context_q) fence_q <= look_q + TurnWidth'(1);
      end
    end
  end

  always_ff @(posedge clk)
    if (rst) begin
      begin_q   <= 1'b0;
      command_q <= 1'b0;
      done_q    <= 1'b0;
      newest_q  <= '0;
      oldest_q  <= '0;
    end else begin
      begin_q   <= accept;
      command_q <= command_accept_i;
      done_q    <= packet_done_i;
      newest_q  <= newest_d;
      oldest_q  <= oldest_d;
    end

  // synthesis translate_off
  always_ff @(posedge clk)
    assert (rst || TurnWidth'(newest_q - oldest_q) <= TurnWidth'(2 ** PlaceWidth));
  // synthesis translate_on

  always_comb begin
    state_d = state_q;
    case (state_q)
      KEYS_IDLE: if (accept) state_d = KEYS_FENCE;
      KEYS_FENCE: if (passed_q) state_d = loadable ? KEYS_EXPAND : KEYS_IDLE;
      KEYS_EXPAND: if (!expand_busy) state_d = KEYS_ASK;
      KEYS_ASK: if (subkey_taken_i) state_d = KEYS_SUBKEY;
      KEYS_SUBKEY: if (subkey_valid_i) state_d = KEYS_POWERS;
      default: if (powers_done_i) state_d = KEYS_IDLE;
    endcase
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      state_q  <= KEYS_IDLE;
      idle_q   <= 1'b1;
      want_q   <= 1'b0;
      passed_q <= 1'b0;
    end else begin
      state_q  <= state_d;
      idle_q   <= state_d == KEYS_IDLE;
      want_q   <= state_d == KEYS_ASK;
      passed_q <= state_q == KEYS_FENCE && !begin_q && !passed_q && looked
          && (to_wait[TurnWidth-1] || to_wait == '0);
    end
  end

  always_ff @(posedge clk) begin
    if (accept) begin
      size_q    <= key_size_i;
      context_q <= key_context_i;
    end
  end
endmodule
