  // The slot that comes out, with what may differ put back.
  logic f_marked;
  gcm_pkg::counted_t f_back;
  assign f_marked = slot_i.fact.status != gcm_pkg::STATUS_OK
      && slot_i.fact.tag_bytes == gcm_pkg::OTHER_TAG_BYTES;
  always_comb begin
    f_back = slot_o;
    f_back.fact.decrypt = slot_i.fact.decrypt;
    f_back.fact.status = slot_i.fact.status;
  end

  always_comb begin
    every_slot_is_a_decryption : assert (slot_o.fact.decrypt);
    good_stays_good : assert ((slot_o.fact.status == gcm_pkg::STATUS_OK)
        == (slot_i.fact.status == gcm_pkg::STATUS_OK));
    marked_is_of_the_other_direction : assert (!f_marked
        || slot_o.fact.status == gcm_pkg::STATUS_BAD_DIRECTION);
    other_errors_stay : assert (f_marked || slot_o.fact.status == slot_i.fact.status);
    nothing_else_changes : assert (f_back == slot_i);
    one_is_marked : reach (f_marked && slot_i.fact.status == gcm_pkg::STATUS_NO_KEY);
    another_error_passes : reach (!f_marked && slot_i.fact.status == gcm_pkg::STATUS_BAD_FRAME);
  end
