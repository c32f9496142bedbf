// SPDX-License-Identifier: Apache-2.0
// Answers of packets: a gcm_tag for each segment in which one may end. The answers to the packets
// that ended in one beat leave together.
// Latency: that of gcm_tag. Throughput: the answers of one beat a cycle.
module segments_tags #(
    parameter int Segments = 2,
    parameter int Depth = 8     // beats with answers under way
) (
    input  logic                    clk,
    input  logic                    rst,
    input  logic [    Segments-1:0] entry_valid_i,
    input  logic [    Segments-1:0] entry_decrypt_i,
    input  logic [  3*Segments-1:0] entry_status_i,
    input  logic [  5*Segments-1:0] entry_bytes_i,
    input  logic [128*Segments-1:0] entry_mask_i,
    output logic                    entry_soon_o,     // in the next cycle there is room for all
    input  logic [    Segments-1:0] digest_valid_i,
    input  logic [128*Segments-1:0] digest_i,
    output logic [    Segments-1:0] verdict_o,        // a packet's status is known, and it is OK
    output logic [    Segments-1:0] verdict_ok_o,
    output logic                    tag_valid_o,
    input  logic                    tag_ready_i,
    output logic [    Segments-1:0] tag_used_o,
    output logic [128*Segments-1:0] tag_o,
    output logic [  3*Segments-1:0] tag_status_o
);
  logic [Segments-1:0] soon, ready, there, next, expected_q, ok, j0;
  logic [128*Segments-1:0] j0_word, tags;
  logic [3*Segments-1:0] status;
  logic some, valid_q, room, leaves, load;

  // Which segments have answers, a beat at a time. Their digests come in one cycle, so their
  // answers are there in one cycle, too: two later, when the word has come through the queue and
  // into the register.
  gcm_fifo #(
      .Width(Segments),
      .Depth(Depth)
  ) u_beats (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (|digest_valid_i),
      .in_ready_o (room),
      .in_data_i  (digest_valid_i),
      .out_valid_o(some),
      .out_ready_i(load),
      .out_data_o (next)
  );

  assign leaves = valid_q && tag_ready_i;
  assign load   = tag_ready_i || !valid_q;

  always_ff @(posedge clk)
    if (rst) begin
      valid_q    <= 1'b0;
      expected_q <= '0;
    end else if (load) begin
      valid_q    <= some;
      expected_q <= some ? next : '0;
    end

  // No segment has more answers under way than beats have; those are counted.
  localparam int CountWidth = $clog2(Depth + 1);
  logic [CountWidth-1:0] held_q, held_d;

  assign held_d       = held_q + CountWidth'(|entry_valid_i) - CountWidth'(leaves);
  assign entry_soon_o = held_d != CountWidth'(Depth);
  always_ff @(posedge clk) held_q <= rst ? '0 : held_d;

  for (genvar g = 0; g < Segments; g++) begin : gen_segment
    gcm_tag #(
        .Depth(Depth),
        .AnyIv(1'b0)
    ) u_tag (
        .clk            (clk),
        .rst            (rst),
        .entry_valid_i  (entry_valid_i[g]),
        .entry_ready_o  (ready[g]),
        .entry_soon_o   (soon[g]),
        .entry_iv_i     (1'b0),
        .entry_decrypt_i(entry_decrypt_i[g]),
        .entry_status_i (entry_status_i[3*g+:3]),
        .entry_bytes_i  (entry_bytes_i[5*g+:5]),
        .entry_mask_i   (entry_mask_i[128*g+:128]),
        .digest_valid_i (digest_valid_i[g]),
        .digest_i       (digest_i[128*g+:128]),
        .j0_valid_o     (j0[g]),
        .j0_o           (j0_word[128*g+:128]),
        .packet_done_o  (verdict_o[g]),
        .packet_ok_o    (verdict_ok_o[g]),
        .tag_valid_o    (there[g]),
        .tag_ready_i    (tag_ready_i && expected_q[g]),
        .tag_o          (tags[128*g+:128]),
        .tag_ok_o       (ok[g]),
        .tag_status_o   (status[3*g+:3])
    );
    assign tag_o[128*g+:128]      = tag_used_o[g] ? tags[128*g+:128] : '0;
    assign tag_status_o[3*g+:3] = tag_used_o[g] ? status[3*g+:3] : '0;
  end

  assign tag_valid_o = valid_q;
  assign tag_used_o  = expected_q;

  // synthesis translate_off
  always_ff @(posedge clk) assert (rst || (there & expected_q) == expected_q);
  // synthesis translate_on

  logic unused;
  assign unused = &{1'b0, soon, ready, there, ok, j0, j0_word, room};
endmodule
