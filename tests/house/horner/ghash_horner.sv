// SPDX-License-Identifier: Apache-2.0
// GHASH by Horner's rule: a block times H in sixteen cycles, eight bits in each, from the
// coefficient of the highest power on. Blocks are polynomials: bit i is the coefficient of x^i.
// Latency: digest 17 cycles after the last block. Throughput: a block in 17 cycles.
module ghash_horner #(
    parameter int Contexts = 1,
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                    clk,
    input  logic                    rst,
    // messages, a block a beat
    input  logic                    in_valid_i,
    output logic                    in_ready_o,
    input  logic [           127:0] in_data_i,
    input  logic [             0:0] in_count_i,
    input  logic                    in_last_i,
    input  logic [ContextWidth-1:0] in_context_i,
    // one digest a message, in order
    output logic                    digest_valid_o,
    output logic [           127:0] digest_o,
    // the hash subkey of a context; never replaced while the context is in use
    input  logic                    subkey_valid_i,
    input  logic [ContextWidth-1:0] subkey_context_i,
    input  logic [           127:0] subkey_i,
    output logic                    subkey_done_o
);
  logic [127:0] subkey, operand_q, sum_q, sum;
  logic [3:0] step_q;
  logic busy_q, last_q, fresh_q, take;

  assign take          = in_valid_i && in_ready_o;
  assign in_ready_o    = !busy_q;
  assign digest_o      = sum_q;
  assign subkey_done_o = 1'b1;

  gcm_ram #(
      .Width(128),
      .Depth(Contexts)
  ) u_subkey (
      .clk         (clk),
      .write_i     (subkey_valid_i),
      .write_addr_i(subkey_context_i),
      .write_data_i(subkey_i),
      .read_i      (take),
      .read_addr_i (in_context_i),
      .read_data_o (subkey)
  );

  // eight steps of sum * x + coefficient * H, modulo x^128 + x^7 + x^2 + x + 1
  always_comb begin
    sum = sum_q;
    for (int i = 0; i < 8; i++) begin
      sum = {sum[126:0], 1'b0} ^ (sum[127] ? 128'h87 : 128'h0);
      sum = sum ^ (operand_q[127-i] ? subkey : 128'h0);
    end
  end

  always_ff @(posedge clk) begin
    if (take) begin
      operand_q <= in_data_i ^ (fresh_q ? 128'h0 : sum_q);
      sum_q     <= 128'h0;
      last_q    <= in_last_i;
    end else if (busy_q) begin
      operand_q <= {operand_q[119:0], 8'h0};
      sum_q     <= sum;
    end
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      busy_q         <= 1'b0;
      step_q         <= 4'd0;
      fresh_q        <= 1'b1;
      digest_valid_o <= 1'b0;
    end else begin
      if (take) fresh_q <= in_last_i;
      if (take) busy_q <= 1'b1;
      else if (step_q == 4'd15) busy_q <= 1'b0;
      if (busy_q) step_q <= step_q + 4'd1;
      digest_valid_o <= busy_q && step_q == 4'd15 && last_q;
    end
  end

  logic unused;
  assign unused = &{1'b0, in_count_i};
endmodule
