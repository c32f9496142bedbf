  always_comb
    if (!rst && f_begun_step_q) begin
      copies_are_alike : lemma (join_step == f_step_q && issue_o == f_step_q
          && slots_o == f_step_q);
      text_is_taken_with_its_slot : assert (!out_valid_o || out_ready_i);
      hash_is_taken_with_its_slot : assert (!hash_valid_o || hash_ready_i);
      entry_is_taken_with_its_slot : assert (!tag_valid_o || tag_ready_i);
      nobody_takes_without_a_step : assert (slots_o
          || !(passes_o || out_valid_o || hash_valid_o || tag_valid_o));
      key_stream_is_there : assert (!slots_o || !f_next_q.aes || f_stream_q);
      all_step_together : assert (issue_o == slots_o && passes_o == (slots_o && slot_valid_i));
      waits_for_takers_alone : assert (slots_o || !((f_out_q || !f_next_q.out)
          && (f_hash_q || !f_next_q.hash) && (f_tag_q || !f_next_q.tag)
          && (f_stream_q || !f_next_q.aes)));
      one_is_waited_for : reach (slot_valid_i && slot_i.tag && !slots_o);
    end
