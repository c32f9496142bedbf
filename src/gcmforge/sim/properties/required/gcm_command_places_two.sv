  always_comb if (!rst) taken_when_there : require (!out_ready_i || out_valid_o);
