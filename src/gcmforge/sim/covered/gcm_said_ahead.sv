  always_ff @(posedge clk)
    if (!rst) begin
      number_borrows_from_its_upper_half : cover (takes && left_q[15:0] == '0
          && left_q[31:16] != '0);
      rest_is_cut : cover (cut_q);
      cut_waits_for_blocks_of_its_packet : cover (settled_q && many_q && !still_i && !cut_q
          && !was_cut_q);
    end
