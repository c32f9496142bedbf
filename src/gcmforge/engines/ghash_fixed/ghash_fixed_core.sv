// SPDX-License-Identifier: Apache-2.0
// ghash_fixed or, with more lanes, ghash_fixed_lanes as the GHASH of a core. A key whose subkey is
// another one is refused: H, as gf128_fixed gives it for 1, is compared with what is loaded.
// Blocks are polynomials: bit i is the coefficient of x^i.
// Latency: digest 1 cycle after the last beat, 2 with more than one lane. Throughput: one beat a
// cycle. A subkey is compared in the cycle after it came.
module ghash_fixed_core #(
    parameter int Lanes = 1,
    localparam int CountWidth = $clog2(Lanes + 1)
) (
    input  logic                  clk,
    input  logic                  rst,
    // messages, up to Lanes blocks a beat, the first blocks on top
    input  logic                  in_valid_i,
    output logic                  in_ready_o,
    input  logic [ Lanes*128-1:0] in_data_i,
    input  logic [CountWidth-1:0] in_count_i,
    input  logic                  in_last_i,
    input  logic [           0:0] in_context_i,
    // one digest a message, in order
    output logic                  digest_valid_o,
    output logic [         127:0] digest_o,
    // the hash subkey of the only context
    input  logic                  subkey_valid_i,
    input  logic [           0:0] subkey_context_i,
    input  logic [         127:0] subkey_i,
    output logic                  subkey_done_o,
    output logic                  subkey_wrong_o
);
  logic [127:0] subkey;

  gf128_fixed u_subkey (
      .a_i((Lanes * 128)'(1)),
      .c_o(subkey)
  );

  always_ff @(posedge clk) if (subkey_valid_i) subkey_wrong_o <= subkey_i != subkey;
  assign subkey_done_o = 1'b1;

  if (Lanes == 1) begin : gen_one
    ghash_fixed u_ghash (
        .clk           (clk),
        .rst           (rst),
        .in_valid_i    (in_valid_i),
        .in_ready_o    (in_ready_o),
        .in_data_i     (in_data_i),
        .in_count_i    (in_count_i),
        .in_last_i     (in_last_i),
        .digest_valid_o(digest_valid_o),
        .digest_o      (digest_o)
    );
  end else begin : gen_lanes
    ghash_fixed_lanes #(
        .Lanes(Lanes)
    ) u_ghash (
        .clk           (clk),
        .rst           (rst),
        .in_valid_i    (in_valid_i),
        .in_ready_o    (in_ready_o),
        .in_data_i     (in_data_i),
        .in_count_i    (in_count_i),
        .in_last_i     (in_last_i),
        .digest_valid_o(digest_valid_o),
        .digest_o      (digest_o)
    );
  end

  logic unused;
  assign unused = &{1'b0, in_context_i, subkey_context_i};
endmodule
