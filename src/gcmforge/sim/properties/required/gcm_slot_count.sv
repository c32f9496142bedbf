  always_comb
    if (!rst) begin
      a_block_has_16_bytes : require (!valid_i || sized_i.tail_bytes <= 5'd16);
      a_packet_adds_bytes : require (!valid_i || sized_i.packet
          || (sized_i.text_bytes == '0 && sized_i.aad_bytes == '0));
      one_lane_ends_without_a_block : require (gcm_pkg::LANES > 1 || gcm_pkg::OWN_TAIL || !valid_i
          || !sized_i.packet || !sized_i.fact.closes || sized_i.fact.count == '0);
      passes_as_it_is_loaded : require (!passes_i || (load_i && valid_i));
    end
