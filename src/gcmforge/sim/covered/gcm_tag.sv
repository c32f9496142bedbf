  always_ff @(posedge clk)
    if (!rst) begin
      all_places_taken : cover (!space_q);
      entry_waits_for_a_place : cover (!space_q && entry_valid_i);
      one_comes_to_the_last_place_as_one_leaves : cover (one_q && entry_push && leaves);
      tag_waits_for_its_reader : cover (tag_valid_o && !tag_ready_i);
      tag_leaves_as_the_next_is_found : cover (result_pop && result_valid);
      entry_as_a_digest_comes : cover (entry_push && digest_valid_i);
      wrong_tag : cover (result_valid && decrypt_q && !match && status_q == gcm_pkg::STATUS_OK);
      no_tag_is_compared_after_an_error : cover (result_valid && decrypt_q
          && status_q != gcm_pkg::STATUS_OK);
    end
