// SPDX-License-Identifier: Apache-2.0
// How many bytes of text and of AAD a slot has, from the number of its blocks and the length of the
// last of them.
// Latency: combinational. Throughput: one slot a cycle.
module gcm_slot_sizes (
    input  gcm_pkg::fact_t                 fact_i,
    input  logic [                    3:0] tail_i,
    input  logic [gcm_pkg::SIDE_WIDTH-1:0] side_i,
    output gcm_pkg::sized_t                sized_o
);
  localparam int BytesWidth = gcm_pkg::COUNT_WIDTH + 4;

  logic packet, side;
  logic [4:0] tail_bytes;
  logic [BytesWidth-1:0] bytes;  // of the slot's blocks

  assign packet     = fact_i.kind != gcm_pkg::SLOT_KEY && fact_i.kind != gcm_pkg::SLOT_IV;
  assign side       = gcm_pkg::AAD_LANES > 0 && side_i != '0;
  assign tail_bytes = {1'b0, tail_i} + 5'd1;
  assign bytes      = fact_i.count == '0 ? '0
      : {fact_i.count - gcm_pkg::COUNT_WIDTH'(1), 4'b0} + BytesWidth'(tail_bytes);

  always_comb begin
    sized_o.packet     = packet;
    sized_o.side       = side;
    sized_o.tail_bytes = tail_bytes;
    sized_o.text_bytes = fact_i.kind == gcm_pkg::SLOT_TEXT ? gcm_pkg::SIZE_WIDTH'(bytes) : '0;
    sized_o.aad_bytes  = fact_i.kind == gcm_pkg::SLOT_AAD ? gcm_pkg::SIZE_WIDTH'(bytes) : '0;
    sized_o.fact       = fact_i;
    // AAD with a beat without a byte may be marked as either section.
    if (packet && side) sized_o.aad_bytes = gcm_pkg::SIZE_WIDTH'(side_i);
  end
endmodule
