  always_ff @(posedge clk)
    if (!rst) begin
      no_place_for_a_command : cover (in_valid_i && !in_ready_o);
      two_commands_wait : cover (two && !pop);
      command_waits_for_its_key : cover (out_valid_o && out_blocked_o);
      command_of_another_key_passes : cover (pop && late_q && !out_blocked_o);
      key_comes_after_two_commands : cover (load_start_i && two);
    end
