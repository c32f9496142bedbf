// SPDX-License-Identifier: Apache-2.0
// The sum of some S-boxes' outputs, by circuits of its own: each S-box up to its products, which
// are added before one last layer, aes_sbox_sum, makes a byte of them.
// Latency: combinational. Throughput: one sum a cycle.
(* keep_hierarchy = "yes" *)
module micro_check_boxes #(
    parameter int Boxes = 16  // an even number: the S-boxes' constants cancel
) (
    input  logic [8*Boxes-1:0] bytes_i,
    output logic [       17:0] sum_o     // of products
);
  logic [18*Boxes-1:0] products;

  for (genvar b = 0; b < Boxes; b++) begin : gen_box
    aes_sbox_products u_products (
        .x_i(bytes_i[8*b+:8]),
        .z_o(products[18*b+:18])
    );
  end

  for (genvar p = 0; p < 18; p++) begin : gen_product
    logic [Boxes-1:0] column;
    for (genvar b = 0; b < Boxes; b++) begin : gen_column
      assign column[b] = products[18*b+p];
    end
    assign sum_o[p] = ^column;
  end
endmodule
