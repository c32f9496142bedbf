  always_ff @(posedge clk)
    if (!rst) begin
      state_idle : cover (power_state_q == POWER_IDLE);
      state_turn : cover (power_state_q == POWER_TURN);
      state_wait : cover (power_state_q == POWER_WAIT);
    end
