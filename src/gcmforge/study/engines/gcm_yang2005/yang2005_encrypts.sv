// SPDX-License-Identifier: Apache-2.0
// What GHASH takes, and what is answered, in a core that only encrypts: the first and the third
// input of MUX2, and the lengths in a cycle of their own after the last block (Yang 2005, Fig. 4
// (a)). There is no expected tag, and nothing compares.
// Latency: the tag 4 cycles after the last block of text. Throughput: a block a step.
module yang2005_encrypts (
    input  logic         clk,
    input  logic         rst,
    input  logic         step_i,          // everything moves on
    // a command is taken
    input  logic         begin_i,
    input  logic         decrypt_i,
    input  logic [  4:0] tag_bytes_i,
    output logic         refuses_o,       // its direction is not built
    // a block comes in; a block leaves, zero where it is of no text
    input  logic         in_valid_i,
    input  logic         in_text_i,
    input  logic [127:0] in_block_i,
    input  logic         out_valid_i,
    input  logic         out_end_i,       // of the packet; in a step of any kind
    input  logic [127:0] out_block_i,
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
    input  logic         digest_valid_i,
    input  logic [127:0] digest_i,
    // the answer
    output logic         tag_valid_o,
    input  logic         tag_ready_i,
    output logic [127:0] tag_o,           // byte 0 lowest
    output logic [gcm_pkg::STATUS_WIDTH-1:0] tag_status_o
);
  logic ended_q;  // the last block left a step ago
  logic hash_in, hash_out;
  logic [4:0] tag_bytes_q, sent_bytes_q;
  logic [gcm_pkg::STATUS_WIDTH-1:0] sent_status_q;
  logic [127:0] full_tag, tag_mask;

  assign refuses_o    = decrypt_i;
  assign ends_o       = ended_q;
  assign closes_o     = ended_q && step_i;

  assign hash_in      = in_valid_i && !in_text_i;
  assign hash_out     = out_valid_i && step_i;
  assign hash_last_o  = closes_o;
  assign hash_valid_o = hash_in || hash_out || hash_last_o;
  assign hash_block_o = hash_in ? in_block_i : hash_last_o ? lengths_i : out_block_i;

  assign full_tag     = digest_i ^ e_y0_i;
  for (genvar i = 0; i < 16; i++) begin : gen_tag_mask
    assign tag_mask[127-8*i-:8] = {8{5'(i) < sent_bytes_q}};
  end

  always_ff @(posedge clk) begin
    if (rst) ended_q <= 1'b0;
    else if (step_i) ended_q <= out_end_i;
    if (begin_i) tag_bytes_q <= tag_bytes_i;
    if (hash_last_o) begin  // the next command may come before the digest
      sent_bytes_q  <= tag_bytes_q;
      sent_status_q <= status_i;
    end
    if (digest_valid_i) begin
      tag_status_o <= sent_status_q;
      for (int i = 0; i < 16; i++)
        tag_o[8*i+:8] <= full_tag[127-8*i-:8] & tag_mask[127-8*i-:8]
            & {8{sent_status_q == gcm_pkg::STATUS_OK}};
    end
    if (rst) tag_valid_o <= 1'b0;
    else tag_valid_o <= digest_valid_i || (tag_valid_o && !tag_ready_i);
  end
endmodule
