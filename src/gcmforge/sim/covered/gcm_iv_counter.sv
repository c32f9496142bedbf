  always_ff @(posedge clk)
    if (!rst) begin
      first_iv_of_a_key : cover (advance && fresh);
      iv_given_from_outside : cover (take && first && command_decrypt_i);
      low_part_carries : cover (advance && full && !fresh);
      command_with_a_key : cover (take && counts && key_take_i);
    end
