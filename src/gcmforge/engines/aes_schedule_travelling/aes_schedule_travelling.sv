// SPDX-License-Identifier: Apache-2.0
// Round keys for a pipeline of AES rounds, made stage by stage together with the data: only the key
// itself is stored for a context. Places and the rounds of shorter keys are those of
// aes_schedule_stored.
//
// Latency: keys_o of round r is that of the beat at place r * SubStages. Throughput: one beat a
// cycle, of any context and key size.
module aes_schedule_travelling #(
    parameter int Contexts = 1,
    parameter bit [2:0] Sizes = 3'b111,  // key sizes built: bit 0 AES-128, 1 AES-192, 2 AES-256
    parameter int MaxRounds = 14,        // of the largest of them
    parameter int SubStages = 1,
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                         clk,
    input  logic                         advance_i,      // all places move
    input  logic [     ContextWidth-1:0] in_context_i,
    input  logic [                  1:0] in_size_i,
    output logic [(MaxRounds+1)*128-1:0] keys_o,         // of round r in keys_o[128*r+:128]
    // the key, left aligned: its first 128 bits as round 0, the rest as round 1, with the last word
    // of a shorter key once more where aes_key_step has it; never written while a block of the same
    // context comes in
    input  logic                         key_valid_i,
    input  logic [     ContextWidth-1:0] key_context_i,
    input  logic [                  3:0] key_round_i,
    input  logic [                127:0] key_data_i
);
  localparam int Bits = MaxRounds == 12 ? 224 : 32 * (MaxRounds - 6);  // as aes_key_step has them

  logic [1:0] size_q;
  logic [Bits-1:0] key;

  always_ff @(posedge clk) if (advance_i) size_q <= in_size_i;

  gcm_ram #(
      .Width(128),
      .Depth(Contexts)
  ) u_first (
      .clk         (clk),
      .write_i     (key_valid_i && key_round_i == 4'd0),
      .write_addr_i(key_context_i),
      .write_data_i(key_data_i),
      .read_i      (advance_i),
      .read_addr_i (in_context_i),
      .read_data_o (key[Bits-1-:128])
  );
  if (Bits > 128) begin : gen_rest
    gcm_ram #(
        .Width(Bits - 128),
        .Depth(Contexts)
    ) u_rest (
        .clk         (clk),
        .write_i     (key_valid_i && key_round_i == 4'd1),
        .write_addr_i(key_context_i),
        .write_data_i(key_data_i[127-:Bits-128]),
        .read_i      (advance_i),
        .read_addr_i (in_context_i),
        .read_data_o (key[Bits-129:0])
    );
  end

  for (genvar r = 0; r <= MaxRounds; r++) begin : gen_round
    logic [1:0] size, size_d;
    logic [Bits-1:0] window, window_d;  // at place r * SubStages; in front of the next round's

    if (r == 0) begin : gen_first
      assign size   = size_q;
      assign window = key;
    end else begin : gen_later
      logic [1:0] stage_size_q;
      logic [Bits-1:0] window_q;
      assign size   = stage_size_q;
      assign window = window_q;
      always_ff @(posedge clk)
        if (advance_i) begin
          stage_size_q <= gen_round[r-1].size_d;
          window_q     <= gen_round[r-1].window_d;
        end
    end

    if (r < MaxRounds) begin : gen_step
      aes_key_step #(
          .Sizes    (Sizes),
          .MaxRounds(MaxRounds),
          .Round    (r),
          .SubStages(SubStages)
      ) u_step (
          .clk     (clk),
          .en_i    (advance_i),
          .size_i  (size),
          .window_i(window),
          .size_o  (size_d),
          .window_o(window_d)
      );
    end else begin : gen_last
      assign size_d   = size;
      assign window_d = window;
    end
    assign keys_o[128*r+:128] = window[Bits-1-:128];
  end

  logic unused;  // the last stage has no next
  assign unused = &{1'b0, gen_round[MaxRounds].size_d, gen_round[MaxRounds].window_d};
endmodule
