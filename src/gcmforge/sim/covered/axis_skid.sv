  always_ff @(posedge clk)
    if (!rst) begin
      both_places_taken : cover (spare_valid_q);
      third_word_waits : cover (spare_valid_q && in_valid_i);
    end
