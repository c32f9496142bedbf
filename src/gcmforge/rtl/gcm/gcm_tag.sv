// SPDX-License-Identifier: Apache-2.0
// Completes each packet: digest and E(K, J0) to the tag, or to the verdict on the expected one.
// The whole tag is compared at once, in the same time whatever it is, and a decrypting core never
// shows the tag that it computed: it would forge for whoever asks.
// Latency: 2 cycles from digest to m_tag, 1 to J0. Throughput: one packet a cycle, Depth of them
// under way; a place is free in the cycle after its result has left.
module gcm_tag #(
    parameter int Depth = 8,
    parameter bit AnyIv = 1'b1  // IVs other than 96 bits
) (
    input  logic         clk,
    input  logic         rst,
    // one entry for each digest to come, in order
    input  logic         entry_valid_i,
    output logic         entry_ready_o,
    output logic         entry_soon_o,   // it is ready in the next cycle
    input  logic         entry_iv_i,
    input  logic         entry_decrypt_i,
    input  logic [gcm_pkg::STATUS_WIDTH-1:0] entry_status_i,
    input  logic [  4:0] entry_bytes_i,  // of the tag
    input  logic [127:0] entry_mask_i,   // E(K, J0) + the expected tag; of no meaning for an IV
    // digests; there is always room for what was let in
    input  logic         digest_valid_i,
    input  logic [127:0] digest_i,
    // J0 of an IV that is not 96 bits
    output logic         j0_valid_o,
    output logic [127:0] j0_o,
    output logic         packet_done_o,  // a packet's status is known, for one cycle
    output logic         packet_ok_o,    // with it: the packet's status is OK
    // results
    output logic         tag_valid_o,
    input  logic         tag_ready_i,
    output logic [127:0] tag_o,
    output logic         tag_ok_o,
    output logic [gcm_pkg::STATUS_WIDTH-1:0] tag_status_o
);
  localparam int CountWidth = $clog2(Depth + 1);

  localparam int PtrWidth = Depth > 1 ? $clog2(Depth) : 1;
  localparam logic [PtrWidth-1:0] LAST = PtrWidth'(Depth - 1);

  logic entry_valid, entry_iv, queued_iv, entry_decrypt, entry_space;
  logic [gcm_pkg::STATUS_WIDTH-1:0] entry_status;
  logic [4:0] entry_bytes;
  logic entry_push, result_pop;

  // An entry holds a place until its result has left.
  logic [CountWidth-1:0] held_q, held_d;
  logic space_q, one_q;  // what held_q says, without the time to look at it: places free; just one
  logic leaves;
  assign entry_ready_o = space_q;
  assign entry_push    = entry_valid_i && entry_ready_o;
  assign leaves        = result_pop || j0_valid_o;
  assign entry_soon_o  = leaves || (space_q && !(one_q && entry_push));
  assign held_d        = held_q + CountWidth'(entry_push) - CountWidth'(result_pop)
      - CountWidth'(j0_valid_o);

  always_ff @(posedge clk)
    if (rst) begin
      held_q  <= '0;
      space_q <= 1'b1;
      one_q   <= Depth == 1;
    end else begin
      held_q  <= held_d;
      space_q <= entry_soon_o;
      one_q   <= held_d == CountWidth'(Depth - 1);
    end

  gcm_fifo #(
      .Width(1 + 1 + gcm_pkg::STATUS_WIDTH + 5),
      .Depth(Depth),
      .Eager(1'b1)
  ) u_entries (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (entry_push),
      .in_ready_o (entry_space),
      .in_data_i  ({AnyIv && entry_iv_i, entry_decrypt_i, entry_status_i, entry_bytes_i}),
      .out_valid_o(entry_valid),
      .out_ready_i(digest_valid_i),
      .out_data_o ({queued_iv, entry_decrypt, entry_status, entry_bytes})
  );

  assign entry_iv = AnyIv && queued_iv;

  // ---- one word a packet: its mask, from its digest on its tag. The free word that is next takes
  // what is at the input, pushed or not.
  logic [127:0] word_q[0:Depth-1];
  logic [PtrWidth-1:0] mask_at_q, digest_at_q, result_at_q, tag_at_q;
  logic mask_push, mask_pop, result_valid;
  logic [127:0] result_tag;

  assign mask_push = entry_push && !entry_iv_i;
  assign mask_pop  = digest_valid_i && !entry_iv;

  always_ff @(posedge clk)
    for (int i = 0; i < Depth; i++)
      if (space_q && mask_at_q == PtrWidth'(i)) word_q[i] <= entry_mask_i;
      else if (result_valid && result_at_q == PtrWidth'(i)) word_q[i] <= result_tag;

  always_ff @(posedge clk) begin
    result_at_q <= digest_at_q;
    if (rst) begin
      mask_at_q   <= '0;
      digest_at_q <= '0;
      tag_at_q    <= '0;
    end else begin
      if (mask_push) mask_at_q <= mask_at_q == LAST ? '0 : mask_at_q + PtrWidth'(1);
      if (mask_pop) digest_at_q <= digest_at_q == LAST ? '0 : digest_at_q + PtrWidth'(1);
      if (result_pop) tag_at_q <= tag_at_q == LAST ? '0 : tag_at_q + PtrWidth'(1);
    end
  end

  // ---- the tag, one cycle after its digest
  logic digest_valid_q, iv_q, decrypt_q;
  logic [gcm_pkg::STATUS_WIDTH-1:0] status_q;
  logic [15:0] keep_q;            // bytes of the tag that count
  logic [127:0] sum_q, mask, tag;  // digest and mask, J0 alone
  logic match, result_space;
  logic [gcm_pkg::STATUS_WIDTH-1:0] result_status;

  always_ff @(posedge clk)
    if (rst) digest_valid_q <= 1'b0;
    else digest_valid_q <= digest_valid_i;

  always_ff @(posedge clk) begin
    sum_q     <= digest_i ^ (entry_iv ? '0 : word_q[digest_at_q]);
    iv_q      <= entry_iv;
    decrypt_q <= entry_decrypt;
    status_q  <= entry_status;
    for (int b = 0; b < 16; b++) keep_q[b] <= 5'(b) < entry_bytes;
  end

  for (genvar b = 0; b < 16; b++) begin : gen_byte
    assign mask[127-8*b-:8] = {8{keep_q[b]}};
  end

  assign tag    = sum_q & mask;
  assign match  = tag == '0;
  assign result_status = status_q != gcm_pkg::STATUS_OK ? status_q
      : decrypt_q && !match ? gcm_pkg::STATUS_AUTH_FAIL : gcm_pkg::STATUS_OK;
  assign result_tag    = decrypt_q || status_q != gcm_pkg::STATUS_OK ? '0 : tag;
  assign result_valid  = digest_valid_q && !iv_q;
  assign j0_valid_o    = digest_valid_q && iv_q;
  assign j0_o          = sum_q;
  assign packet_done_o = result_valid;
  assign packet_ok_o   = result_status == gcm_pkg::STATUS_OK;
  assign result_pop    = tag_valid_o && tag_ready_i;

  gcm_fifo #(
      .Width(gcm_pkg::STATUS_WIDTH),
      .Depth(Depth)
  ) u_results (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (result_valid),
      .in_ready_o (result_space),
      .in_data_i  (result_status),
      .out_valid_o(tag_valid_o),
      .out_ready_i(tag_ready_i),
      .out_data_o (tag_status_o)
  );
  assign tag_o    = tag_valid_o ? word_q[tag_at_q] : '0;
  assign tag_ok_o = tag_status_o == gcm_pkg::STATUS_OK;

  logic unused;  // both follow from held_q
  assign unused = &{1'b0, entry_space, entry_valid, result_space};
endmodule
