  always_comb
    if (!rst) begin
      added_when_free : require (!add_i || free_o);
    end
