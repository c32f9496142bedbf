// SPDX-License-Identifier: Apache-2.0
// What GHASH takes, and what is answered, in a core that only decrypts: what comes in, and the
// lengths a step after it, while the text is still under way (Yang 2005, Fig. 4 (b)). MUX2 has no
// third input, no tag leaves, and the digest waits in GHASH, as no block comes before the verdict.
// Latency: the verdict with the last beat of text. Throughput: a block a step.
module yang2005_decrypts (
    input  logic         clk,
    input  logic         rst,
    input  logic         step_i,          // everything moves on
    // a command is taken
    input  logic         begin_i,
    input  logic         decrypt_i,
    input  logic [127:0] tag_i,           // byte 0 lowest
    input  logic [  4:0] tag_bytes_i,
    output logic         refuses_o,       // its direction is not built
    // a block comes in, or the packet's last beat does; a beat leaves
    input  logic         in_valid_i,
    input  logic         in_end_i,
    input  logic [127:0] in_block_i,
    input  logic         out_end_i,       // of the packet; in a step of any kind
    // of the packet under way
    input  logic [127:0] lengths_i,
    input  logic [127:0] e_y0_i,
    input  logic [gcm_pkg::STATUS_WIDTH-1:0] status_i,
    output logic         ends_o,          // this step would be its last one, and give its answer
    output logic         closes_o,        // it is
    // GHASH
    output logic         hash_valid_o,
    output logic         hash_last_o,
    output logic [127:0] hash_block_o,
    input  logic [127:0] digest_i,
    // the answer
    output logic         tag_valid_o,
    input  logic         tag_ready_i,
    output logic [127:0] tag_o,
    output logic [gcm_pkg::STATUS_WIDTH-1:0] tag_status_o
);
  logic entered_q;  // the last beat came in a step ago
  logic tag_equal;
  logic [4:0] tag_bytes_q;
  logic [127:0] expected_q, tag_mask;

  assign refuses_o    = !decrypt_i;
  assign ends_o       = out_end_i;
  assign closes_o     = out_end_i && step_i;

  assign hash_last_o  = entered_q && step_i;
  assign hash_valid_o = in_valid_i || hash_last_o;
  assign hash_block_o = hash_last_o ? lengths_i : in_block_i;

  assign tag_equal    = ((digest_i ^ e_y0_i ^ expected_q) & tag_mask) == '0;
  assign tag_o        = '0;
  for (genvar i = 0; i < 16; i++) begin : gen_tag_mask
    assign tag_mask[127-8*i-:8] = {8{5'(i) < tag_bytes_q}};
  end

  always_ff @(posedge clk) begin
    if (rst) entered_q <= 1'b0;
    else if (step_i) entered_q <= in_end_i;
    if (begin_i) begin
      tag_bytes_q <= tag_bytes_i;
      for (int i = 0; i < 16; i++) expected_q[127-8*i-:8] <= tag_i[8*i+:8];
    end
    if (closes_o)
      tag_status_o <= status_i != gcm_pkg::STATUS_OK || tag_equal ? status_i
          : gcm_pkg::STATUS_AUTH_FAIL;
    if (rst) tag_valid_o <= 1'b0;
    else tag_valid_o <= closes_o || (tag_valid_o && !tag_ready_i);
  end
endmodule
