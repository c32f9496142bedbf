  always_ff @(posedge clk)
    if (!rst) begin
      state_run : cover (run);
      state_drain : cover (drain);
      state_reset : cover (state_q == ERASE_RESET);
      state_key : cover (state_q == ERASE_KEY);
      state_play : cover (play);
      state_void : cover (state_q == ERASE_VOID);
      erases_one_context : cover (state_q == ERASE_VOID && !all_q);
      erases_while_packets_are_under_way : cover (drain && owed_q != '0);
    end
