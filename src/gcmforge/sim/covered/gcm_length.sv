  always_ff @(posedge clk)
    if (!rst) begin
      two_packets_end_one_after_the_other : cover (end_i && first_q);
      packet_of_more_than_one_step : cover (add_i && !first_q);
    end
