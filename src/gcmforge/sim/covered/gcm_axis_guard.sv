  always_ff @(posedge clk)
    if (!rst) begin
      command_while_its_next_key_waits : cover (s_key_tvalid && !s_key_tready && s_cmd_tvalid
          && s_cmd_tready && s_cmd_context == s_key_context);
    end
