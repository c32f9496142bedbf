// SPDX-License-Identifier: Apache-2.0
// Answers of packets: what is known of each waits for its tag, which comes Latency cycles after it,
// and the answer then waits until it is taken. A tag is compared at once, in the same time whatever
// it is, and of a packet that is decrypted the computed tag is never shown.
// Latency: from a tag to its answer 2 cycles. Throughput: one answer a cycle, Depth of them under
// way; a place is free in the cycle after its answer has left.
module streams_tags #(
    parameter int Streams = 4,
    parameter int Latency = 3,
    parameter int Depth = 6,
    localparam int TidWidth = Streams > 1 ? $clog2(Streams) : 1,
    localparam int StatusWidth = gcm_pkg::STATUS_WIDTH
) (
    input  logic                   clk,
    input  logic                   rst,
    // a packet ends
    input  logic                   entry_valid_i,
    input  logic [   TidWidth-1:0] entry_tid_i,
    input  logic                   entry_decrypt_i,
    input  logic [StatusWidth-1:0] entry_status_i,
    input  logic [            4:0] entry_bytes_i,   // of its tag
    output logic                   entry_soon_o,    // in the next cycle there is room for one more
    // its tag; of a packet that is decrypted what it differs by from the one expected
    input  logic                   tag_valid_i,
    input  logic [          127:0] tag_i,
    // answers
    output logic                   answer_valid_o,
    input  logic                   answer_ready_i,
    output logic [   TidWidth-1:0] answer_tid_o,
    output logic [          127:0] answer_tag_o,
    output logic [StatusWidth-1:0] answer_status_o
);
  localparam int CountWidth = $clog2(Depth + 1);
  localparam int FactWidth = TidWidth + 1 + StatusWidth + 5;

  logic leaves, room;
  logic [CountWidth-1:0] held_q, held_d;

  assign leaves       = answer_valid_o && answer_ready_i;
  assign held_d       = held_q + CountWidth'(entry_valid_i) - CountWidth'(leaves);
  assign entry_soon_o = held_d != CountWidth'(Depth);
  always_ff @(posedge clk) held_q <= rst ? '0 : held_d;

  logic [TidWidth-1:0] tid;
  logic decrypt;
  logic [StatusWidth-1:0] status, answer_status;
  logic [4:0] bytes;
  logic [127:0] tag, answer_tag;

  gcm_line #(
      .Width(FactWidth),
      .Depth(Latency)
  ) u_facts (
      .clk   (clk),
      .en_i  (1'b1),
      .word_i({entry_tid_i, entry_decrypt_i, entry_status_i, entry_bytes_i}),
      .word_o({tid, decrypt, status, bytes})
  );

  for (genvar b = 0; b < 16; b++) begin : gen_byte
    assign tag[127-8*b-:8] = 5'(b) < bytes ? tag_i[127-8*b-:8] : 8'd0;
  end

  logic tag_differs;
  assign tag_differs = tag != '0;
  assign answer_status = status != gcm_pkg::STATUS_OK ? status
      : decrypt && tag_differs ? gcm_pkg::STATUS_AUTH_FAIL : gcm_pkg::STATUS_OK;
  assign answer_tag = decrypt || status != gcm_pkg::STATUS_OK ? '0 : tag;

  logic made_q;
  logic [TidWidth-1:0] made_tid_q, next_tid;
  logic [127:0] made_tag_q, next_tag;
  logic [StatusWidth-1:0] made_status_q, next_status;

  always_ff @(posedge clk) made_q <= !rst && tag_valid_i;
  always_ff @(posedge clk) begin
    made_tid_q    <= tid;
    made_tag_q    <= answer_tag;
    made_status_q <= answer_status;
  end

  gcm_fifo #(
      .Width(TidWidth + 128 + StatusWidth),
      .Depth(Depth)
  ) u_answers (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (made_q),
      .in_ready_o (room),
      .in_data_i  ({made_tid_q, made_tag_q, made_status_q}),
      .out_valid_o(answer_valid_o),
      .out_ready_i(answer_ready_i),
      .out_data_o ({next_tid, next_tag, next_status})
  );

  assign answer_tid_o    = answer_valid_o ? next_tid : '0;
  assign answer_tag_o    = answer_valid_o ? next_tag : '0;
  assign answer_status_o = answer_valid_o ? next_status : '0;

  // synthesis translate_off
  always_ff @(posedge clk) assert (rst || !entry_valid_i || held_q != CountWidth'(Depth));
  always_ff @(posedge clk) assert (rst || !made_q || room);
  // synthesis translate_on

  logic unused;  // follows from held_q
  assign unused = &{1'b0, room};
endmodule
