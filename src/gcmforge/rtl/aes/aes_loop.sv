// SPDX-License-Identifier: Apache-2.0
// AES encryption of one beat at a time, one round a cycle in one round's hardware a lane.
// Latency: 12 + 2 * size cycles. Throughput: one beat in 11 + 2 * size cycles (size 0 is AES-128).
module aes_loop #(
    parameter int Lanes = 1,
    parameter int Contexts = 1,
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                    clk,
    input  logic                    rst,
    // counter blocks in
    input  logic                    in_valid_i,
    output logic                    in_ready_o,
    input  logic [ContextWidth-1:0] in_context_i,
    input  logic [             1:0] in_size_i,
    input  logic [   Lanes*128-1:0] in_blocks_i,
    // encrypted blocks out
    output logic                    out_valid_o,
    input  logic                    out_ready_i,
    output logic [   Lanes*128-1:0] out_blocks_o,
    // round keys; never written while a block of the same context is inside
    input  logic                    key_valid_i,
    input  logic [ContextWidth-1:0] key_context_i,
    input  logic [             1:0] key_size_i,
    input  logic [             3:0] key_round_i,
    input  logic [           127:0] key_data_i
);
  localparam int Keys = Contexts * 15;
  localparam int KeyWidth = $clog2(Keys);

  logic busy_q, out_valid_q;
  logic [3:0] round_q, rounds_q;
  logic [ContextWidth-1:0] context_q;
  logic [Lanes*128-1:0] state_q, state_d, out_q;
  logic [127:0] round_key;
  logic last, finish, accept;
  logic [KeyWidth-1:0] read_addr;

  assign last         = round_q == rounds_q;
  assign finish       = busy_q && last && !out_valid_q;
  assign in_ready_o   = !busy_q || finish;
  assign accept       = in_valid_i && in_ready_o;
  assign out_valid_o  = out_valid_q;
  assign out_blocks_o = out_q;
  assign read_addr    = accept ? KeyWidth'(in_context_i) * KeyWidth'(15)
      : KeyWidth'(context_q) * KeyWidth'(15) + KeyWidth'(round_q) + KeyWidth'(!last);

  gcm_ram #(
      .Width(128),
      .Depth(Keys)
  ) u_keys (
      .clk         (clk),
      .write_i     (key_valid_i),
      .write_addr_i(KeyWidth'(key_context_i) * KeyWidth'(15) + KeyWidth'(key_round_i)),
      .write_data_i(key_data_i),
      .read_i      (1'b1),
      .read_addr_i (read_addr),
      .read_data_o (round_key)
  );

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    logic [127:0] shifted, mixed, next;

    aes_sub_shift u_sub_shift (
        .clk    (clk),
        .en_i   (1'b1),
        .state_i(state_q[l*128+:128]),
        .state_o(shifted)
    );
    aes_mix_columns u_mix (
        .state_i(shifted),
        .state_o(mixed)
    );
    assign next = round_q == '0 ? state_q[l*128+:128] : last ? shifted : mixed;
    assign state_d[l*128+:128] = next ^ round_key;
  end

  always_ff @(posedge clk) begin
    if (accept) begin
      state_q   <= in_blocks_i;
      context_q <= in_context_i;
      rounds_q  <= 4'd10 + {1'b0, in_size_i, 1'b0};
    end else if (!last) state_q <= state_d;
    if (finish) out_q <= state_d;
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      busy_q      <= 1'b0;
      out_valid_q <= 1'b0;
      round_q     <= '0;
    end else begin
      if (accept) busy_q <= 1'b1;
      else if (finish) busy_q <= 1'b0;
      if (accept) round_q <= '0;
      else if (busy_q && !last) round_q <= round_q + 4'd1;
      if (finish) out_valid_q <= 1'b1;
      else if (out_ready_i) out_valid_q <= 1'b0;
    end
  end

  logic unused;
  assign unused = &{1'b0, key_size_i};
endmodule
