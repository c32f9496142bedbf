  always_comb
    if (!rst) begin
      one_key_at_a_time : require (!start_i || !busy_o);
      a_size_that_is_built : require (!start_i || (size_i != gcm_pkg::KEY_ERASE && Sizes[size_i]));
    end
