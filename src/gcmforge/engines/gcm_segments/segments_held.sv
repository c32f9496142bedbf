// SPDX-License-Identifier: Apache-2.0
// What contexts hold, for a reader in each segment: a usable key, and its size. When the last
// packet under the old key has passed, a context holds none until all of the new one is in place.
// Latency: combinational. Throughput: a look-up for each segment in every cycle.
module segments_held #(
    parameter int Segments = 2,
    localparam int Contexts = gcm_pkg::CONTEXTS,
    localparam int ContextWidth = gcm_pkg::CONTEXT_WIDTH
) (
    input  logic                             clk,
    input  logic                             rst,
    input  logic                             clear_i,         // the old key is of no use any more
    input  logic                             load_busy_i,
    input  logic [         ContextWidth-1:0] load_context_i,
    input  logic [                      1:0] load_size_i,
    input  logic                             subkey_valid_i,
    input  logic [ContextWidth*Segments-1:0] context_i,
    output logic [             Segments-1:0] usable_o,
    output logic [           2*Segments-1:0] size_o
);
  localparam logic [1:0] SMALLEST = gcm_pkg::KEY_SIZES[0] ? gcm_pkg::KEY_128
      : gcm_pkg::KEY_SIZES[1] ? gcm_pkg::KEY_192 : gcm_pkg::KEY_256;

  logic [Contexts-1:0] usable_q;
  logic [2*Contexts-1:0] sizes_q;
  logic busy_q, subkey_q;  // a key was loading; its subkey came

  always_ff @(posedge clk) begin
    busy_q <= !rst && load_busy_i;
    if (rst || clear_i) subkey_q <= 1'b0;
    else if (subkey_valid_i) subkey_q <= 1'b1;
  end

  for (genvar c = 0; c < Contexts; c++) begin : gen_context
    logic done;
    assign done = busy_q && !load_busy_i && subkey_q && load_context_i == ContextWidth'(c);
    always_ff @(posedge clk) begin
      if (rst) usable_q[c] <= 1'b0;
      else if (clear_i && load_context_i == ContextWidth'(c)) usable_q[c] <= 1'b0;
      else if (done) usable_q[c] <= 1'b1;
      if (done) sizes_q[2*c+:2] <= load_size_i;
    end
  end

  // A packet without a key passes the AES all the same, as one of a size that is built.
  for (genvar g = 0; g < Segments; g++) begin : gen_segment
    logic usable;
    logic [1:0] size;
    always_comb begin
      usable = 1'b0;
      size   = SMALLEST;
      for (int c = 0; c < Contexts; c++)
        if (context_i[g*ContextWidth+:ContextWidth] == ContextWidth'(c) && usable_q[c]) begin
          usable = 1'b1;
          size   = sizes_q[2*c+:2];
        end
    end
    assign usable_o[g]    = usable;
    assign size_o[2*g+:2] = size;
  end
endmodule
