  always_comb
    if (!rst) begin
      one_subkey_at_a_time : require (PowersGiven || !subkey_valid_i || subkey_done_o);
    end
