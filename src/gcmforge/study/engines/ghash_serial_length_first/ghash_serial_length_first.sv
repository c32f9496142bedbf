// SPDX-License-Identifier: Apache-2.0
// Length-first GHASH, Yang 2005, equation (3): AAD, then the lengths, then the text. It is NOT the
// GHASH of SP 800-38D, and tags made with it are NOT those of SP 800-38D.
//
// For a blocks of AAD, c of text and the length block L the digest is
//   A1*H^(a+c+1) + .. + Aa*H^(c+2) + L*H^(c+1) + C1*H^c + .. + Cc*H
//   = ((A1*H^a + .. + Aa*H) + L) * H^(c+1) + (C1*H^c + .. + Cc*H).
// The lengths are known with the last block of a message only, so both sums are kept apart until
// then, each Y = (Y + X) * H, and the last product is that by H^(c+1). Hence two multipliers: one
// for the sums and the last product, and one next to it that makes the power, P = P * H for each
// block of text, in the cycle in which the first is at work on that block.
// Blocks are polynomials: bit i is the coefficient of x^i.
// Latency: digest 2 cycles after the last block. Throughput: n cycles for n blocks.
module ghash_serial_length_first #(
    parameter int Contexts = 1,
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                    clk,
    input  logic                    rst,
    // messages, a block a beat: AAD, text, and the lengths as the last one
    input  logic                    in_valid_i,
    output logic                    in_ready_o,
    input  logic [           127:0] in_data_i,
    input  logic [             0:0] in_count_i,
    input  logic                    in_text_i,
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
  logic valid_q, text_q, last_q, fresh_q;
  logic [127:0] block_q, factor, product, subkey;
  logic [127:0] aad_sum, aad_sum_q, text_sum, text_sum_q;  // so far, without this block
  logic [127:0] power, power_q, next_power;                // H^(blocks of text so far + 1)

  assign in_ready_o    = 1'b1;
  assign subkey_done_o = 1'b1;

  gcm_ram #(
      .Width(128),
      .Depth(Contexts)
  ) u_subkey (
      .clk         (clk),
      .write_i     (subkey_valid_i),
      .write_addr_i(subkey_context_i),
      .write_data_i(subkey_i),
      .read_i      (in_valid_i),
      .read_addr_i (in_context_i),
      .read_data_o (subkey)
  );

  assign aad_sum  = fresh_q ? 128'b0 : aad_sum_q;
  assign text_sum = fresh_q ? 128'b0 : text_sum_q;
  assign power    = fresh_q ? subkey : power_q;
  assign factor   = block_q ^ (text_q && !last_q ? text_sum : aad_sum);

  gf128_mul u_multiplier (
      .clk(clk),
      .a_i(factor),
      .b_i(last_q ? power : subkey),
      .c_o(product)
  );

  gf128_mul u_power (
      .clk(clk),
      .a_i(power),
      .b_i(subkey),
      .c_o(next_power)
  );

  always_ff @(posedge clk) begin
    if (in_valid_i) begin
      block_q <= in_data_i;
      text_q  <= in_text_i;
      last_q  <= in_last_i;
    end
    if (valid_q) begin
      aad_sum_q  <= text_q ? aad_sum : product;
      text_sum_q <= last_q ? product ^ text_sum : text_q ? product : text_sum;
      power_q    <= text_q ? next_power : power;
    end
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      valid_q        <= 1'b0;
      fresh_q        <= 1'b1;
      digest_valid_o <= 1'b0;
    end else begin
      valid_q        <= in_valid_i;
      digest_valid_o <= valid_q && last_q;
      if (valid_q) fresh_q <= last_q;
    end
  end

  assign digest_o = text_sum_q;

  logic unused;
  assign unused = &{1'b0, in_count_i};
endmodule
