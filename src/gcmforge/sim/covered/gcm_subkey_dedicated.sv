  always_ff @(posedge clk)
    if (!rst) begin
      state_idle : cover (powers_q == POWERS_IDLE);
      state_first : cover (powers_q == POWERS_FIRST);
      state_make : cover (powers_q == POWERS_MAKE);
    end
