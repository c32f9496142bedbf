  always_comb
    if (!rst) begin
      a_size_that_is_built : require (!in_valid_i
          || (5'd10 + {2'b0, in_size_i, 1'b0} >= 5'(MinRounds)
              && 5'd10 + {2'b0, in_size_i, 1'b0} <= 5'(MaxRounds)));
    end
