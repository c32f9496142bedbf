// SPDX-License-Identifier: Apache-2.0
// Key loading: waits for packets that still use the context, expands the key or, when the AES does
// that by itself, hands it over in two parts, has the hash subkey encrypted and its powers made.
// Other contexts carry on meanwhile.
// Latency: the wait for earlier packets, 3 cycles and, unless Travelling, aes_key_expand's until the
// subkey is asked for; then one pass of the AES and the GHASH's powers. Throughput: one key at a time.
module gcm_keys #(
    parameter int Contexts = 1,
    parameter bit [2:0] Sizes = 3'b111,  // key sizes built: bit 0 AES-128, 1 AES-192, 2 AES-256
    parameter int SubStages = 1,  // of the aes_sbox in the folder
    parameter bit Travelling = 1'b0,  // the AES makes the round keys
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
    input  logic                    packet_done_i,
    output logic                    load_start_o,
    output logic                    load_busy_o,
    output logic [ContextWidth-1:0] load_context_o,
    output logic [             1:0] load_size_o,
    // round keys to the AES, or the key: its first 128 bits as round 0, the rest as round 1
    output logic                    round_valid_o,
    output logic [             3:0] round_index_o,
    output logic [           127:0] round_key_o,
    // E(K, 0^128): asked for here, arrives through the GHASH's subkey port
    output logic                    subkey_want_o,
    input  logic                    subkey_taken_i,
    input  logic                    subkey_valid_i,
    input  logic                    powers_done_i,
    // what a context holds
    input  logic [ContextWidth-1:0] lookup_context_i,
    output logic                    lookup_usable_o,
    output logic [             1:0] lookup_size_o
);
  typedef enum logic [2:0] {
    KEYS_IDLE,
    KEYS_FENCE,   // earlier packets run out
    KEYS_EXPAND,
    KEYS_ASK,     // for E(K, 0^128)
    KEYS_SUBKEY,  // it is under way
    KEYS_POWERS
  } state_t;

  state_t state_q;
  logic [255:0] key_q;
  logic [1:0] size_q;
  logic [ContextWidth-1:0] context_q;
  logic exists, loadable, accept, expand_start, expand_busy, fence_passed;
  logic [Contexts-1:0] usable_q;
  logic [2*Contexts-1:0] sizes_q;
  logic [7:0] outstanding_q;  // packets under way; the queues of a core hold far fewer than 255
  logic [7:0] fence_q;        // those of them that the key waits for

  assign key_ready_o     = state_q == KEYS_IDLE;
  assign accept          = key_valid_i && key_ready_o;
  assign load_start_o    = accept;
  assign load_busy_o     = state_q != KEYS_IDLE;
  assign load_context_o  = context_q;
  assign load_size_o     = size_q;
  assign exists          = {1'b0, context_q} < (ContextWidth + 1)'(Contexts);
  assign loadable        = exists && (size_q == gcm_pkg::KEY_128 ? Sizes[0]
                                    : size_q == gcm_pkg::KEY_192 ? Sizes[1]
                                    : size_q == gcm_pkg::KEY_256 && Sizes[2]);
  assign fence_passed    = fence_q == '0;
  assign expand_start    = state_q == KEYS_FENCE && fence_passed && loadable;
  assign subkey_want_o   = state_q == KEYS_ASK;

  // A context number beyond the last context holds no key and takes none.
  always_comb begin
    lookup_usable_o = 1'b0;
    lookup_size_o   = '0;
    for (int c = 0; c < Contexts; c++)
      if (lookup_context_i == ContextWidth'(c)) begin
        lookup_usable_o = usable_q[c];
        lookup_size_o   = sizes_q[2*c+:2];
      end
  end

  if (Travelling) begin : gen_hand_over
    assign expand_busy   = 1'b0;
    assign round_valid_o = expand_start || state_q == KEYS_EXPAND;
    assign round_index_o = {3'b0, state_q == KEYS_EXPAND};
    assign round_key_o   = key_q[255:128];
  end else begin : gen_expand
    aes_key_expand #(
        .SubStages(SubStages)
    ) u_expand (
        .clk        (clk),
        .rst        (rst),
        .start_i    (expand_start),
        .key_i      (key_q),
        .size_i     (size_q),
        .busy_o     (expand_busy),
        .key_valid_o(round_valid_o),
        .key_round_o(round_index_o),
        .key_data_o (round_key_o)
    );
  end

  // Packets end in order: the first fence_q endings after the key are those that it waits for.
  always_ff @(posedge clk) begin
    if (rst) begin
      outstanding_q <= '0;
      fence_q       <= '0;
    end else begin
      outstanding_q <= outstanding_q + 8'(command_accept_i) - 8'(packet_done_i);
      if (accept) fence_q <= outstanding_q + 8'(command_accept_i) - 8'(packet_done_i);
      else if (packet_done_i && !fence_passed) fence_q <= fence_q - 8'd1;
    end
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      state_q  <= KEYS_IDLE;
      usable_q <= '0;
      sizes_q  <= '0;
    end else begin
      case (state_q)
        KEYS_IDLE: if (key_valid_i) state_q <= KEYS_FENCE;
        KEYS_FENCE:
        if (fence_passed) begin
          if (exists) usable_q[context_q] <= 1'b0;
          if (loadable) sizes_q[2*context_q+:2] <= size_q;
          state_q <= loadable ? KEYS_EXPAND : KEYS_IDLE;
        end
        KEYS_EXPAND: if (!expand_busy) state_q <= KEYS_ASK;
        KEYS_ASK: if (subkey_taken_i) state_q <= KEYS_SUBKEY;
        KEYS_SUBKEY: if (subkey_valid_i) state_q <= KEYS_POWERS;
        default:
        if (powers_done_i) begin
          usable_q[context_q] <= 1'b1;
          state_q             <= KEYS_IDLE;
        end
      endcase
    end
  end

  always_ff @(posedge clk) begin
    if (accept) begin
      key_q     <= key_i;
      size_q    <= key_size_i;
      context_q <= key_context_i;
    end else if (Travelling && expand_start) key_q <= {key_q[127:0], 128'b0};
    else if (state_q != KEYS_FENCE) key_q <= '0;
  end
endmodule
