  always_comb
    if (!rst) begin
      null_is_said : require (!in_valid_i || in_null_i == (in_keep_i == '0));
      short_is_said : require (!in_valid_i
          || in_short_i == (in_last_i && !in_keep_i[gcm_pkg::BYTES-16]));
    end
