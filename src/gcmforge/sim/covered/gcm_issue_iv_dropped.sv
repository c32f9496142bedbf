  always_ff @(posedge clk)
    if (!rst) begin
      word_that_is_not_the_last_is_late : cover (drop_q && !beat_i && !last_q);
    end
