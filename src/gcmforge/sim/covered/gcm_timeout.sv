  always_ff @(posedge clk)
    if (!rst) begin
      command_is_made : cover (made_q && command_take);
      frame_is_ended : cover (close_q && data_end);
      rest_of_a_frame_is_dropped : cover (drop_q && data_valid_i);
      doubt_ends : cover (doubt_q && silent_over);
      data_without_its_command_in_doubt : cover (doubt_q && data_valid_i && ahead_q == '0
          && !command_valid_i);
    end
