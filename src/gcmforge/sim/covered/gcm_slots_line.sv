  always_ff @(posedge clk)
    if (!rst) begin
      all_places_taken : cover (&valid_q && valid_o);
      slots_stand : cover (valid_o && !step_i);
      gap_between_slots : cover (valid_o && !valid_q[Depth-2]);
    end
