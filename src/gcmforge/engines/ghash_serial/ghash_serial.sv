// SPDX-License-Identifier: Apache-2.0
// GHASH with one multiplier, Y = (Y + X) * H for each block (Yang 2005, section 3.2).
// Blocks are polynomials: bit i is the coefficient of x^i.
// Latency: digest 2 cycles after the last block. Throughput: n cycles for n blocks.
module ghash_serial #(
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
  logic valid_q, last_q, fresh_q;
  logic [127:0] block_q, sum, sum_q, product, subkey;

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

  assign sum = block_q ^ (fresh_q ? 128'b0 : sum_q);

  gf128_mul u_multiplier (
      .clk(clk),
      .a_i(sum),
      .b_i(subkey),
      .c_o(product)
  );

  always_ff @(posedge clk) begin
    if (in_valid_i) begin
      block_q <= in_data_i;
      last_q  <= in_last_i;
    end
    if (valid_q) sum_q <= product;
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

  assign digest_o = sum_q;

  logic unused;
  assign unused = &{1'b0, in_count_i};
endmodule
