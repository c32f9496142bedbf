  always_ff @(posedge clk) begin
    counter_carries : cover ((first_i || next_i) && carries[0]);
    counter_wraps : cover ((first_i || next_i) && carries[0] && upper_q == '1);
  end
