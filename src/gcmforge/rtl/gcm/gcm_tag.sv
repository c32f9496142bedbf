// SPDX-License-Identifier: Apache-2.0
// Completes each packet: digest and E(K, J0) to the tag, or to the verdict on the expected one.
// The whole tag is compared at once, in the same time whatever it is, and a decrypting core never
// shows the tag that it computed: it would forge for whoever asks.
// Latency: 2 cycles from digest to m_tag, 1 to J0. Throughput: one packet a cycle, Depth of them
// under way; a place is free in the cycle after its result has left.
module gcm_tag #(
    parameter int Depth = 8
) (
    input  logic         clk,
    input  logic         rst,
    // one entry for each digest to come, in order
    input  logic         entry_valid_i,
    output logic         entry_ready_o,
    input  logic         entry_iv_i,
    input  logic         entry_decrypt_i,
    input  logic [  2:0] entry_status_i,
    input  logic [  4:0] entry_bytes_i,
    input  logic [127:0] entry_mask_i,
    // digests; there is always room for what was let in
    input  logic         digest_valid_i,
    input  logic [127:0] digest_i,
    // J0 of an IV that is not 96 bits
    output logic         j0_valid_o,
    output logic [127:0] j0_o,
    output logic         packet_done_o,
    output logic         packet_ok_o,    // with it: the packet's status is OK
    // results
    output logic         tag_valid_o,
    input  logic         tag_ready_i,
    output logic [127:0] tag_o,
    output logic         tag_ok_o,
    output logic [  2:0] tag_status_o
);
  localparam int CountWidth = $clog2(Depth + 1);

  logic entry_valid, entry_iv, entry_decrypt, entry_space;
  logic [2:0] entry_status;
  logic [4:0] entry_bytes;
  logic [127:0] entry_mask;
  logic entry_push, result_pop;
  logic digest_q_valid;

  // An entry holds a place in both queues until its result has left.
  logic [CountWidth-1:0] held_q;
  assign entry_ready_o = held_q != CountWidth'(Depth);
  assign entry_push    = entry_valid_i && entry_ready_o;

  always_ff @(posedge clk)
    if (rst) held_q <= '0;
    else
      held_q <= held_q + CountWidth'(entry_push) - CountWidth'(result_pop) - CountWidth'(j0_valid_o);

  gcm_fifo #(
      .Width(1 + 1 + 3 + 5 + 128),
      .Depth(Depth)
  ) u_entries (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (entry_push),
      .in_ready_o (entry_space),
      .in_data_i  ({entry_iv_i, entry_decrypt_i, entry_status_i, entry_bytes_i, entry_mask_i}),
      .out_valid_o(entry_valid),
      .out_ready_i(digest_q_valid),
      .out_data_o ({entry_iv, entry_decrypt, entry_status, entry_bytes, entry_mask})
  );

  // ---- the tag, one cycle after its digest
  logic [127:0] digest_q, mask, tag;
  logic match, result_valid, result_space;
  logic [2:0] result_status;
  logic [127:0] result_tag;

  always_ff @(posedge clk) begin
    digest_q <= digest_i;
    if (rst) digest_q_valid <= 1'b0;
    else digest_q_valid <= digest_valid_i;
  end

  for (genvar b = 0; b < 16; b++) begin : gen_byte
    assign mask[127-8*b-:8] = {8{5'(b) < entry_bytes}};
  end

  assign tag    = (digest_q ^ entry_mask) & mask;
  assign match  = tag == '0;
  assign result_status = entry_status != gcm_pkg::STATUS_OK ? entry_status
      : entry_decrypt && !match ? gcm_pkg::STATUS_AUTH_FAIL : gcm_pkg::STATUS_OK;
  assign result_tag    = entry_decrypt || entry_status != gcm_pkg::STATUS_OK ? '0 : tag;
  assign result_valid  = digest_q_valid && !entry_iv;
  assign j0_valid_o    = digest_q_valid && entry_iv;
  assign j0_o          = digest_q;
  assign packet_done_o = result_valid;
  assign packet_ok_o   = result_status == gcm_pkg::STATUS_OK;
  assign result_pop    = tag_valid_o && tag_ready_i;

  gcm_fifo #(
      .Width(128 + 3),
      .Depth(Depth)
  ) u_results (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (result_valid),
      .in_ready_o (result_space),
      .in_data_i  ({result_tag, result_status}),
      .out_valid_o(tag_valid_o),
      .out_ready_i(tag_ready_i),
      .out_data_o ({tag_o, tag_status_o})
  );
  assign tag_ok_o = tag_status_o == gcm_pkg::STATUS_OK;

  logic unused;  // both follow from held_q
  assign unused = &{1'b0, entry_space, entry_valid, result_space};
endmodule
