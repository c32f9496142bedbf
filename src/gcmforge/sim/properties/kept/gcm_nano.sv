  // ---- what was offered in the cycle before, and not taken; what a byte of text was given with
  logic f_text_kept_q, f_tag_kept_q, f_bad_q;
  logic [9:0] f_text_q;
  logic [StatusBits+8:0] f_tag_q;
  always_ff @(posedge clk) begin
    f_text_kept_q <= !rst && m_axis_tvalid && !m_axis_tready;
    f_text_q      <= {m_axis_tlast, m_axis_tkeep, m_axis_tdata};
    f_tag_kept_q  <= !rst && m_tag_tvalid && !m_tag_tready;
    f_tag_q       <= {m_tag_tlast, m_tag_tuser, m_tag_tdata};
    f_bad_q       <= !rst && text_given && !good;
  end

  // ---- a packet, from its data to its answer: its first error; bytes of its expected tag, whether
  // there were enough, and what nano_direction, which is proven alone, said with the last one
  logic f_packet, f_packet_q, f_differed_q, f_complete_q;
  logic [StatusBits-1:0] f_status_q;
  logic [TextBits:0] f_taken_q;  // of the tag
  (* look = "u_lengths.text_q" *) logic [TextBits:0] f_text_bytes;

  assign f_packet = state_q >= AAD && state_q <= ANSWER;
  always_ff @(posedge clk) begin
    f_packet_q <= !rst && f_packet;
    f_status_q <= status_q;
    if (state_q == LENGTHS && turn_ends) f_taken_q <= '0;
    else if (tag_taken) f_taken_q <= f_taken_q + (TextBits + 1)'(1);
    if (state_q == LENGTHS) f_complete_q <= 1'b0;
    else if (tag_taken && s_cmd_tlast) begin
      f_complete_q <= f_taken_q == (TextBits + 1)'(tag_top_q);
      f_differed_q <= tag_differs;
    end
  end

  // A command was taken in the cycle before: there was no key; it was of the other direction.
  logic f_bare_q, f_refused_q;
  always_ff @(posedge clk) begin
    f_bare_q    <= !rst && state_q == IDLE && !key_taken && command_taken && !keyed_q;
    f_refused_q <= !rst && state_q == IDLE && !key_taken && command_taken && refuses;
  end

  // ---- cycles in a row: in a state of one turn; of a byte that waits for its phase alone
  logic f_turn, f_aad_waits, f_text_waits;
  logic [4:0] f_turn_q, f_aad_q, f_text_wait_q;
  assign f_turn       = state_q == SUBKEY || state_q == LENGTHS;
  assign f_aad_waits  = beat_valid_q && !ended_q && state_q == AAD && aad_byte && !hash_busy;
  assign f_text_waits = beat_valid_q && !ended_q && state_q == TEXT && text_byte && !hash_busy
      && stream_there && out_free;
  always_ff @(posedge clk) begin
    f_turn_q      <= rst || !f_turn ? 5'd0 : f_turn_q + 5'd1;
    f_aad_q       <= rst || !f_aad_waits || take ? 5'd0 : f_aad_q + 5'd1;
    f_text_wait_q <= rst || !f_text_waits || take ? 5'd0 : f_text_wait_q + 5'd1;
  end

  always_comb
    if (!rst) begin
      state_is_one : lemma (state_q <= ANSWER);
      one_thing_is_offered : lemma (!(out_valid_q && tag_valid_q));
      answers_in_its_states : lemma (tag_valid_q
          ? state_q == ANSWER || (state_q == TAG && !expects && status_q == OK)
          : state_q != ANSWER);
      verdict_has_no_tag : lemma (!tag_valid_q || (status_q == OK && !expects) || out_q == 8'h00);
      tag_is_counted : lemma (state_q != TAG || f_text_bytes == f_taken_q || !expects);
      good_was_compared : lemma ((state_q != VERDICT && state_q != ANSWER) || status_q != OK
          || !expects || (f_complete_q && !f_differed_q));
      turn_follows_the_phase : lemma (f_turn ? f_turn_q == {1'b0, phase_q} : f_turn_q <= 5'd16);
      bytes_wait_for_their_phase : lemma ((f_aad_q == '0
          || f_aad_q + {1'b0, 4'(aad_place - phase_q)} <= 5'd15) && (f_text_wait_q == '0
          || f_text_wait_q + {1'b0, 4'(text_place - phase_q)} <= 5'd15));
      text_stays : assert (!f_text_kept_q || (m_axis_tvalid
          && {m_axis_tlast, m_axis_tkeep, m_axis_tdata} == f_text_q));
      answer_stays : assert (!f_tag_kept_q
          || (m_tag_tvalid && {m_tag_tlast, m_tag_tuser, m_tag_tdata} == f_tag_q));
      first_error_counts : assert (!f_packet_q || !f_packet || f_status_q == OK
          || status_q == f_status_q);
      no_tag_with_an_error : assert (!m_tag_tvalid || m_tag_tuser == OK || m_tag_tdata == 8'h00);
      no_tag_when_decrypting : assert (!m_tag_tvalid || !expects || m_tag_tdata == 8'h00);
      ok_is_a_tag_that_was_compared : assert (!m_tag_tvalid || !expects || m_tag_tuser != OK
          || (f_complete_q && !f_differed_q));
      no_text_of_a_bad_packet : assert (!f_bad_q || !m_axis_tvalid || m_axis_tdata == 8'h00);
      ending_beat_is_zero : lemma (!out_valid_q || out_keep_q || out_q == 8'h00);
      byte_without_keep_is_zero : assert (!m_axis_tvalid || m_axis_tkeep || m_axis_tdata == 8'h00);
      text_is_not_shown_as_a_tag : assert (!m_axis_tvalid || !m_tag_tvalid);
      refused_without_a_key : assert (!f_bare_q || status_q == NO_KEY
          || refused);
      other_direction_is_refused : assert (!f_refused_q || refused);
      state_of_a_turn_ends : assert (f_turn_q <= 5'd16);
      byte_of_aad_is_taken : assert (f_aad_q <= 5'd15);
      byte_of_text_is_taken : assert (f_text_wait_q <= 5'd15);
      one_is_answered : reach (m_tag_tvalid && m_tag_tuser == NO_KEY);
    end
