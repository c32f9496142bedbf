// SPDX-License-Identifier: Apache-2.0
// What a packet's digest is compared with, in gcm_join: E(K, J0) added to the expected tag. The
// expected tag is the data of J0's lane, the one after the slot's last block, so it is encrypted
// there as text is.
// Latency: combinational. Throughput: one slot a cycle.
module gcm_mask_closing (
    input  logic [gcm_pkg::COUNT_WIDTH-1:0] count_i,  // blocks of the slot
    input  logic [  gcm_pkg::LANES*128-1:0] mixed_i,  // data added to key stream
    output logic [                   127:0] mask_o
);
  localparam int Lanes = gcm_pkg::LANES;

  if (Lanes == 1) begin : gen_one  // a slot with J0 has no other block
    assign mask_o = mixed_i;
    logic unused;
    assign unused = &{1'b0, count_i};
  end else begin : gen_lanes
    always_comb begin
      mask_o = '0;
      for (int l = 0; l < Lanes; l++)
        if (count_i == gcm_pkg::COUNT_WIDTH'(l)) mask_o = mask_o | mixed_i[(Lanes-1-l)*128+:128];
    end
  end
endmodule
