// SPDX-License-Identifier: Apache-2.0
// Slots of a core that only encrypts, between their key stream and gcm_join: every one of them is
// of an encryption, which is a constant from here on. A packet that was refused because its command
// was to decrypt gets its own status.
// Latency: combinational. Throughput: one slot a cycle.
module gcm_slot_encrypts (
    input  gcm_pkg::counted_t slot_i,
    output gcm_pkg::counted_t slot_o
);
  always_comb begin
    slot_o = slot_i;
    slot_o.fact.decrypt = 1'b0;
    if (slot_i.fact.status != gcm_pkg::STATUS_OK
        && slot_i.fact.tag_bytes == gcm_pkg::OTHER_TAG_BYTES)
      slot_o.fact.status = gcm_pkg::STATUS_BAD_DIRECTION;
  end
endmodule
