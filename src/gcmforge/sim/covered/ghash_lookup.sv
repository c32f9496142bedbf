  always_ff @(posedge clk)
    if (!rst) begin
      state_idle : cover (load_state_q == LOAD_IDLE);
      state_begin : cover (load_state_q == LOAD_BEGIN);
      state_entries : cover (load_state_q == LOAD_ENTRIES);
    end
