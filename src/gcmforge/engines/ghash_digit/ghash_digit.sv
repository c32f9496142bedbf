// SPDX-License-Identifier: Apache-2.0
// GHASH by parts, Y = (Y + X) * H for each block in s = ceil(128 / Digit) steps, a digit of the sum
// a step: an AES that takes as many cycles for a block needs no more.
// Blocks are polynomials: bit i is the coefficient of x^i.
// Latency: digest s + 1 cycles after the last block. Throughput: s * n cycles for n blocks.
module ghash_digit #(
    parameter int Digit = 16,  // bits, up to 64
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
  localparam int Steps = (128 + Digit - 1) / Digit;
  localparam int Bits = Steps * Digit;
  localparam int LeftWidth = $clog2(Steps);

  logic busy_q, busy_d, ready_q, first_q, last_q, fresh_q;
  logic [LeftWidth-1:0] left_q, left_d;  // steps after this one
  logic [Bits-1:0] block_q;              // what of the block is left, its next digit on top
  logic [127:0] sum_q, sum_so_far, sum, next_sum, subkey;
  logic take;

  assign in_ready_o    = ready_q;  // idle, or in a block's last step
  assign subkey_done_o = 1'b1;
  assign take          = in_valid_i && ready_q;

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

  // A product begins with nothing; the sum before it stands for one step more, as digest.
  assign sum_so_far = first_q ? 128'b0 : sum_q;

  ghash_digit_step #(
      .Digit(Digit)
  ) u_step (
      .sum_i   (sum_so_far),
      .digit_i (block_q[Bits-1-:Digit]),
      .subkey_i(subkey),
      .sum_o   (sum)
  );

  assign next_sum = in_data_i ^ (fresh_q ? 128'b0 : busy_q ? sum : sum_q);

  always_ff @(posedge clk) begin
    if (busy_q) sum_q <= sum;
    if (take) block_q <= Bits'(next_sum);
    else if (busy_q) block_q <= block_q << Digit;
    first_q <= take;
    if (take) last_q <= in_last_i;
  end

  always_comb begin
    busy_d = busy_q;
    left_d = left_q - LeftWidth'(1);
    if (take) begin
      busy_d = 1'b1;
      left_d = LeftWidth'(Steps - 1);
    end else if (ready_q) begin
      busy_d = 1'b0;
      left_d = '0;
    end
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      busy_q         <= 1'b0;
      left_q         <= '0;
      ready_q        <= 1'b1;
      fresh_q        <= 1'b1;
      digest_valid_o <= 1'b0;
    end else begin
      busy_q         <= busy_d;
      left_q         <= left_d;
      ready_q        <= left_d == '0;
      digest_valid_o <= busy_q && ready_q && last_q;
      if (take) fresh_q <= in_last_i;
    end
  end

  assign digest_o = sum_q;

  logic unused;
  assign unused = &{1'b0, in_count_i};

  if (Digit < 1 || Digit > 64) begin : gen_bad
    $error("ghash_digit: Digit must be 1 to 64");
  end
endmodule
