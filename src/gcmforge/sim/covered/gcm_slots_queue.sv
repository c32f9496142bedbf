  always_ff @(posedge clk)
    if (!rst) begin
      no_place_for_a_slot : cover (in_valid_i && !in_ready_o);
      oldest_slot_waits : cover (out_valid_o && !out_ready_i);
      two_slots_wait : cover (first_valid && out_valid_o && !out_ready_i);
    end
