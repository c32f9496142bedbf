  logic [gcm_pkg::COUNT_WIDTH-1:0] f_count;
  always_comb begin
    f_count = '0;
    for (int l = 0; l < gcm_pkg::LANES; l++)
      f_count = f_count + gcm_pkg::COUNT_WIDTH'(in_keep_i[16*l]);
  end
  always_comb
    if (!rst) begin
      null_is_said : require (!in_valid_i || in_null_i == (in_keep_i == '0));
      count_is_said : require (!in_valid_i || in_count_i == f_count);
      short_is_said : require (!in_valid_i
          || in_short_i == (in_last_i && !in_keep_i[gcm_pkg::BYTES-16]));
    end
