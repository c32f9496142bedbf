  // A command to encrypt gets the one length that stands for it, and no other command has that.
  always_comb begin
    other_direction_is_marked : assert ((tag_bytes_o == gcm_pkg::OTHER_TAG_BYTES) == !decrypt_i);
    own_direction_keeps_its_length : assert (!decrypt_i || tag_bytes_o == (
        tag_bytes_i == gcm_pkg::OTHER_TAG_BYTES ? 5'd0 : tag_bytes_i));
    expected_tag_passes : assert (tag_o == tag_i);
    one_is_marked : reach (!decrypt_i && tag_bytes_i == 5'd16);
    a_length_like_the_mark_comes : reach (decrypt_i && tag_bytes_i == gcm_pkg::OTHER_TAG_BYTES);
  end
