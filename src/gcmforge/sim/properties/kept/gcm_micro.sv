  // ---- what was offered in the cycle before, and not taken
  logic f_text_kept_q, f_tag_kept_q;
  logic [36:0] f_text_q;
  logic [StatusBits+36:0] f_tag_q;
  always_ff @(posedge clk) begin
    f_text_kept_q <= !rst && m_axis_tvalid && !m_axis_tready;
    f_text_q      <= {m_axis_tlast, m_axis_tkeep, m_axis_tdata};
    f_tag_kept_q  <= !rst && m_tag_tvalid && !m_tag_tready;
    f_tag_q       <= {m_tag_tlast, m_tag_tkeep, m_tag_tuser, m_tag_tdata};
  end

  // ---- a packet, from its data to its answer: its first error; words of its expected tag, whether
  // there were enough, and what nano_direction, which is proven alone, said with the last one; that
  // a word of it with an error was taken, as the words of a block know
  logic f_packet, f_packet_q, f_differed_q, f_complete_q;
  logic [StatusBits-1:0] f_status_q;
  logic [3:0] f_taken_q;  // of the tag, and no more than 8
  logic [3:0] f_bad_q;
  (* look = "u_data.show_q" *) logic [3:0] f_shown;

  assign f_packet = state_q >= AAD && state_q <= VERDICT;
  always_ff @(posedge clk) begin
    f_packet_q <= !rst && f_packet;
    f_status_q <= status_q;
    if (state_q == LAST) f_taken_q <= '0;
    else if (tag_taken && !f_taken_q[3]) f_taken_q <= f_taken_q + 4'd1;
    if (state_q == LAST) f_complete_q <= 1'b0;
    else if (tag_taken && s_cmd_tlast) begin
      f_complete_q <= f_taken_q == {2'b0, tag_top_q[3:2]};
      f_differed_q <= tag_differs;
    end
    if (rst) f_bad_q <= '0;
    else if (take_aad || take_text || pads || tells || shows)
      f_bad_q <= {f_bad_q[2:0], take_text && fault != OK};
  end

  // A command was taken in the cycle before: there was no key; it was of the other direction.
  logic f_bare_q, f_refused_q;
  always_ff @(posedge clk) begin
    f_bare_q    <= !rst && begins && !keyed_q;
    f_refused_q <= !rst && begins && refuses;
  end

  // ---- cycles in a row: a word of data that waits for nothing else
  logic f_waits;
  logic [2:0] f_waits_q;
  assign f_waits = beat_valid_q && !ended_q && data_phase && !leaves_q && !full;
  always_ff @(posedge clk) f_waits_q <= rst || !f_waits || take ? 3'd0 : f_waits_q + 3'd1;

  always_comb
    if (!rst) begin
      state_is_one : lemma (state_q <= SETTLE);
      text_leaves_in_its_states : lemma (!leaves_q || state_q == TEXT || state_q == LENGTHS);
      blocks_have_four_words : lemma (place_q <= 4'd4 || state_q == KEY || state_q == IV
          || state_q == TAG);
      a_block_ends_its_state : lemma (state_q != IDLE || place_q == '0);
      tag_is_counted : lemma (state_q != TAG || !expects || (place_q[3] == f_taken_q[3]
          && (place_q[3] || place_q == f_taken_q)));
      good_was_compared : lemma (state_q != VERDICT || status_q != OK || !expects
          || (f_complete_q && !f_differed_q));
      verdicts_follow_a_tag : lemma (state_q != VERDICT || expects);
      bad_words_are_known : lemma ((f_bad_q & f_shown) == 4'd0);
      text_stays : assert (!f_text_kept_q || (m_axis_tvalid
          && {m_axis_tlast, m_axis_tkeep, m_axis_tdata} == f_text_q));
      answer_stays : assert (!f_tag_kept_q || (m_tag_tvalid
          && {m_tag_tlast, m_tag_tkeep, m_tag_tuser, m_tag_tdata} == f_tag_q));
      first_error_counts : assert (!f_packet_q || !f_packet || f_status_q == OK
          || status_q == f_status_q);
      no_tag_with_an_error : assert (!m_tag_tvalid || m_tag_tuser == OK || m_tag_tdata == '0);
      no_tag_when_decrypting : assert (!m_tag_tvalid || !expects || m_tag_tdata == '0);
      ok_is_a_tag_that_was_compared : assert (!m_tag_tvalid || !expects || m_tag_tuser != OK
          || (f_complete_q && !f_differed_q));
      no_text_of_a_bad_word : assert (!m_axis_tvalid || !f_bad_q[3] || m_axis_tdata == '0);
      text_is_not_shown_as_a_tag : assert (!m_axis_tvalid || !m_tag_tvalid);
      refused_without_a_key : assert (!f_bare_q || status_q == NO_KEY || refused);
      other_direction_is_refused : assert (!f_refused_q || refused);
      word_of_data_is_taken : assert (f_waits_q <= 3'd4);
      one_is_answered : reach (m_tag_tvalid && m_tag_tuser == NO_KEY);
    end
