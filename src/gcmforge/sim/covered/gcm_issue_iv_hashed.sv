  always_ff @(posedge clk)
    if (!rst) begin
      block_of_an_iv : cover (hash_q && slot_i && !last_q);
      last_block_of_an_iv : cover (hash_q && slot_i && last_q);
      iv_stands : cover (hash_q && !slot_i);
      length_of_an_iv_stands : cover (length_q && !slot_i);
      waits_for_its_hash : cover (wait_q && !j0_valid_i);
      iv_without_a_byte : cover (start_i && bytes_i == '0);
    end
