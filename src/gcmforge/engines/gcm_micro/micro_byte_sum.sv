// SPDX-License-Identifier: Apache-2.0
// The sum of some bytes: one check byte that stands for all of them. It is the remainder modulo
// x^8 + 1 of these bytes as a polynomial, so any error in one byte changes it.
// Latency: combinational. Throughput: one sum a cycle.
module micro_byte_sum #(
    parameter int Bytes = 16
) (
    input  logic [8*Bytes-1:0] bytes_i,
    output logic [        7:0] sum_o
);
  for (genvar bit_ = 0; bit_ < 8; bit_++) begin : gen_bit
    logic [Bytes-1:0] column;
    for (genvar b = 0; b < Bytes; b++) begin : gen_byte
      assign column[b] = bytes_i[8*b+bit_];
    end
    assign sum_o[bit_] = ^column;
  end
endmodule
