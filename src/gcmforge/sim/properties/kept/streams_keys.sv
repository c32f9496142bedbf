  // ---- the memory of the streams' contexts has what was written
  (* look = "u_users.words_q", where = "Streams < 9" *) logic [(1+ContextWidth)*Streams-1:0] f_words;
  logic f_exists, f_passed, f_uses, f_known_open_q;
  logic [ContextWidth-1:0] f_known_context_q;

  assign f_exists = {1'b0, f_stream} < (TidWidth + 1)'(Streams);
  assign f_uses   = f_open_q && f_context_q == asked_q;
  // it has been seen since the search began
  assign f_passed = (state_q == USERS_READ && known_q && place_q > f_stream)
      || state_q == USERS_CLEAN || state_q == USERS_GRANT;

  always_ff @(posedge clk) {f_known_open_q, f_known_context_q} <= {f_open_q, f_context_q};

  always_comb
    if (!rst && f_exists) begin
      memory_has_the_packet : lemma (Streams > 8 || !f_written_q
          || f_words[(1+ContextWidth)*32'(f_stream)+:1+ContextWidth] == {f_open_q, f_context_q});
      it_is_read : lemma (!known_q || !f_written_q || place_q != f_stream
          || {found_open, found_context} == (Streams > 1 ? {f_known_open_q, f_known_context_q}
              : {f_open_q, f_context_q}));
      searched_when_all_are_written : lemma (state_q == USERS_IDLE || f_written_q);
      found_is_recent : lemma (!known_q || !f_uses || place_q != f_stream
          || (f_known_open_q && f_known_context_q == asked_q));
      what_was_passed_does_not_use_it : lemma (!f_passed || !f_uses);
      nothing_is_on_its_way : lemma (state_q != USERS_GRANT || (old_q == '0 && mine_q == '0));
      no_key_while_its_packet_is_open : assert (!start || !f_open_q
          || f_context_q != key_context_i);
      one_at_a_time : assert (!start || !load_busy_o);
      a_key_is_taken : reach (start && f_open_q);
    end

  always_comb
    if (!rst) begin
      the_key_is_of_the_context_that_was_searched : assert (!start || key_context_i == asked_q);
    end
