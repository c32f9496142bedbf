// SPDX-License-Identifier: Apache-2.0
// Slots of a core that only decrypts, holds text back for its verdict, and can be erased, between
// their key stream and gcm_join. What erases the core are packets of zeros, and these are
// encrypted: the verdict on them is good, so their text goes all the way that other text went. No
// other packet is. One that was refused because its command was to encrypt gets its own status.
// Latency: combinational. Throughput: one slot a cycle.
module gcm_slot_decrypts_erased (
    input  gcm_pkg::counted_t slot_i,
    output gcm_pkg::counted_t slot_o
);
  always_comb begin
    slot_o = slot_i;
    if (slot_i.fact.status != gcm_pkg::STATUS_OK
        && slot_i.fact.tag_bytes == gcm_pkg::OTHER_TAG_BYTES)
      slot_o.fact.status = gcm_pkg::STATUS_BAD_DIRECTION;
  end
endmodule
