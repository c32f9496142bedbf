// SPDX-License-Identifier: Apache-2.0
// Slots of a core that only decrypts, between their key stream and gcm_join: every one of them is
// of a decryption, which is a constant from here on, so that GHASH takes the data as it came. A
// packet that was refused because its command was to encrypt gets its own status.
// Latency: combinational. Throughput: one slot a cycle.
module gcm_slot_decrypts (
    input  gcm_pkg::counted_t slot_i,
    output gcm_pkg::counted_t slot_o
);
  always_comb begin
    slot_o = slot_i;
    slot_o.fact.decrypt = 1'b1;
    if (slot_i.fact.status != gcm_pkg::STATUS_OK
        && slot_i.fact.tag_bytes == gcm_pkg::OTHER_TAG_BYTES)
      slot_o.fact.status = gcm_pkg::STATUS_BAD_DIRECTION;
  end
endmodule
