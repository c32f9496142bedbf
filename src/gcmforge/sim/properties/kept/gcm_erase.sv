  // ---- the cycle before
  state_t f_state_q;
  logic f_known_q, f_request_q, f_all_q, f_busy_q, f_reset_q;
  logic f_text_kept_q, f_tag_kept_q, f_closed_q;        // offered and not taken; a text was closed
  logic f_key_kept_q, f_command_kept_q, f_beat_kept_q;  // of zeros, offered and not taken
  always_ff @(posedge clk) begin
    f_known_q        <= !rst;
    f_state_q        <= state_q;
    f_request_q      <= request_i;
    f_all_q          <= all_q;
    f_busy_q         <= busy_o;
    f_reset_q        <= core_reset_o;
    f_text_kept_q    <= text_valid_o && !text_ready_i;
    f_tag_kept_q     <= tag_valid_o && !tag_ready_i;
    f_closed_q       <= text_take && text_close_o;
    f_key_kept_q     <= zeros_o && key_valid_o && !key_ready_i;
    f_command_kept_q <= zeros_o && command_valid_o && !command_ready_i;
    f_beat_kept_q    <= zeros_o && data_valid_o && !data_ready_i;
  end

  // ---- what the core was given and gave since this erasing began
  logic f_key_take, f_void_take;
  logic [ContextWidth-1:0] f_context_q;  // the one that is to be erased, where it is one
  logic [ContextWidth:0] f_keys_q;       // zero keys that it took
  logic [CountWidth-1:0] f_commands_q, f_beats_q, f_texts_q, f_tags_q;
  logic f_voided_q;                      // it was reset again, or took the key size that is none
  logic f_clean_q;                       // and took nothing after it was erased whole

  assign f_key_take  = zeros_o && key_valid_o && key_ready_i && key_size_o == KeyCode
      && context_o == (all_q ? f_keys_q[ContextWidth-1:0] : f_context_q);
  assign f_void_take = zeros_o && key_valid_o && key_ready_i
      && key_size_o == gcm_pkg::KEY_ERASE && context_o == f_context_q;

  always_ff @(posedge clk) begin
    if (rst || !zeros_o || state_q == ERASE_RESET) begin
      f_keys_q   <= '0;
      f_voided_q <= 1'b0;
      {f_commands_q, f_beats_q, f_texts_q, f_tags_q} <= '0;
    end else begin
      f_keys_q     <= f_keys_q + (ContextWidth + 1)'(f_key_take);
      f_commands_q <= f_commands_q + CountWidth'(command_valid_o && command_ready_i);
      f_beats_q    <= f_beats_q + CountWidth'(data_valid_o && data_ready_i);
      f_texts_q    <= f_texts_q + CountWidth'(text_valid_i && play);
      f_tags_q     <= f_tags_q + CountWidth'(tag_valid_i && play);
      f_voided_q   <= f_voided_q || (all_q ? core_reset_o : f_void_take);
    end
    if (key_valid_i && key_ready_o) f_context_q <= key_context_i;
    if (rst || (busy_o && !core_reset_o)) f_clean_q <= 1'b0;
    else if (core_reset_o && all_q) f_clean_q <= state_q == ERASE_VOID;
    else if ((key_valid_o && key_ready_i) || (command_valid_o && command_ready_i)
        || (data_valid_o && data_ready_i)) f_clean_q <= 1'b0;
  end

  logic f_whole;  // so much is to have gone through it
  assign f_whole = f_keys_q == (all_q ? (ContextWidth + 1)'(Contexts)
          : (ContextWidth + 1)'(1))
      && f_commands_q == CountWidth'(Packets) && f_beats_q == CountWidth'(Packets)
      && f_texts_q == CountWidth'(Packets) && f_tags_q == CountWidth'(Packets);

  always_comb
    if (!rst) begin
      state_is_one_of_these : lemma (state_q <= ERASE_ANSWER);
      resets_for_all : lemma ((state_q != ERASE_RESET && !answer) || all_q);
      one_when_not_all : lemma (!(run || drain) || !all_q);
      context_exists : lemma (run || {1'b0, context_q} < (ContextWidth + 1)'(Contexts));
      context_is_the_one_asked : lemma (run || all_q || context_q == f_context_q);
      all_begin_at_the_first : lemma (state_q != ERASE_RESET || context_q == '0);
      key_is_offered_in_its_step : lemma (!offered_q || key_step
          || state_q == ERASE_RESET);
      keys_are_counted : lemma (state_q != ERASE_KEY || f_keys_q
          == (all_q ? {1'b0, context_q} : '0) + (ContextWidth + 1)'(offered_q));
      all_keys_before_zeros : lemma (!(play || state_q == ERASE_VOID) || f_keys_q
          == (all_q ? (ContextWidth + 1)'(Contexts) : (ContextWidth + 1)'(1)));
      zeros_begin_whole : lemma (state_q != ERASE_KEY || (commands_q == CountWidth'(Packets)
          && beats_q == CountWidth'(Packets) && texts_q == CountWidth'(Packets)
          && tags_q == CountWidth'(Packets)));
      none_before_zeros : lemma (!zeros_o || answer || play || state_q == ERASE_VOID
          || state_q == ERASE_RESET || {f_commands_q, f_beats_q, f_texts_q, f_tags_q} == '0);
      zeros_are_counted : lemma (!play || (f_commands_q == CountWidth'(Packets) - commands_q
          && f_beats_q == CountWidth'(Packets) - beats_q
          && f_texts_q == CountWidth'(Packets) - texts_q
          && f_tags_q == CountWidth'(Packets) - tags_q));
      zeros_come_back : lemma (!play || (beats_q <= texts_q && beats_q <= tags_q
          && commands_q <= tags_q && texts_q <= CountWidth'(Packets)
          && tags_q <= CountWidth'(Packets)));
      last_step_comes_last : lemma (!f_voided_q || state_q == ERASE_VOID || state_q == ERASE_RESET
          || !zeros_o || answer);
      whole_when_it_is_over : lemma (state_q != ERASE_VOID || (f_whole
          && f_voided_q == (!all_q && offered_q)));
      clean_when_it_answers : lemma (!answer || f_clean_q);

      nothing_of_the_core_goes_out : assert (!zeros_o || ((!text_valid_o || text_close_o)
          && (!tag_valid_o || tag_erased_o)));
      nothing_goes_out_while_busy : assert (!busy_o || (zeros_o && !text_valid_o && !tag_valid_o));
      nothing_of_outside_goes_in : assert (!zeros_o || (!key_ready_o
          && !(command_ready_o && command_valid_o) && !(data_ready_o && data_valid_o)));
      nothing_is_taken_while_busy : assert (!busy_o
          || !(key_ready_o || command_ready_o || data_ready_o));
      else_streams_pass : assert (zeros_o
          || ((command_valid_i && command_ready_o) == (command_valid_o && command_ready_i)
              && (data_valid_i && data_ready_o) == (data_valid_o && data_ready_i)
              && (text_valid_i && text_ready_o) == text_take
              && (tag_valid_i && tag_ready_o) == tag_take
              && !text_close_o && !tag_erased_o && !core_reset_o));
      keys_pass_but_for_an_erasure : assert (zeros_o || (key_valid_o && key_ready_i)
          == (key_valid_i && key_ready_o && key_size_i != gcm_pkg::KEY_ERASE));
      steps_in_order : assert (!f_known_q || state_q == f_state_q
          || (state_q == ERASE_RESET && f_request_q && !f_all_q)
          || (f_state_q == ERASE_RUN && state_q == ERASE_DRAIN)
          || ((f_state_q == ERASE_DRAIN || f_state_q == ERASE_RESET) && state_q == ERASE_KEY)
          || (f_state_q == ERASE_KEY && state_q == ERASE_PLAY)
          || (f_state_q == ERASE_PLAY && state_q == ERASE_VOID)
          || (f_state_q == ERASE_VOID && state_q == (f_all_q ? ERASE_ANSWER : ERASE_RUN))
          || (f_state_q == ERASE_ANSWER && state_q == ERASE_RUN));
      a_request_is_heard : assert (!f_known_q || !f_request_q || busy_o || f_clean_q);
      busy_after_a_reset : assert (f_known_q || busy_o);
      erased_when_busy_ends : assert (!f_known_q || !f_busy_q || busy_o || (f_whole && f_voided_q));
      zero_keys_in_order : assert (!zeros_o || !key_valid_o || !key_ready_i || f_key_take
          || (!all_q && f_void_take));
      others_keep_theirs : assert (!core_reset_o || all_q);
      offers_stay_unless_all_is_erased : assert (!f_known_q || (busy_o && all_q)
          || ((!f_text_kept_q || text_valid_o) && (!f_tag_kept_q || tag_valid_o)));
      zeros_stay_offered : assert (!f_known_q || state_q == ERASE_RESET || ((!f_key_kept_q
          || key_valid_o) && (!f_command_kept_q || command_valid_o)
          && (!f_beat_kept_q || data_valid_o)));
      text_is_closed_once : assert (!f_known_q || !f_closed_q || !zeros_o || !text_valid_o);
      all_erased : reach (f_known_q && f_busy_q && answer && owed_q != '0);
    end

  // ---- a command is watched, chosen freely: how many answers come before its own, how many frames
  (* anyseq *) logic f_watch;
  logic f_watched_q, f_ended_q, f_lost_q;
  logic [11:0] f_before_q, f_frames_q;

  always_ff @(posedge clk)
    if (rst) f_watched_q <= 1'b0;
    else if (!f_watched_q) begin
      f_watched_q <= command_first && f_watch;
      f_ended_q   <= 1'b0;
      f_lost_q    <= 1'b0;
      f_before_q  <= owed_q - 12'(tag_take);
      f_frames_q  <= unfinished_q - 12'(data_end);
    end else begin
      f_before_q <= f_before_q - 12'(tag_take);
      f_frames_q <= f_frames_q - 12'(data_end);
      f_ended_q  <= f_ended_q || (data_end && f_frames_q == '0);
      f_lost_q   <= f_lost_q || core_reset_o;
      if (tag_take && f_before_q == '0) f_watched_q <= 1'b0;
    end

  // cycles in a row in which a context could be erased, as soon as text has been away long enough
  logic [QuietWidth:0] f_still_q;
  always_ff @(posedge clk)
    if (rst || !drain || text_valid_i || owed_q != '0 || !first) f_still_q <= '0;
    else if (f_still_q <= (QuietWidth + 1)'(Quiet)) f_still_q <= f_still_q + (QuietWidth + 1)'(1);

  // what is left to do for packets that were given up, if nobody outside was waited for
  logic [13:0] f_rank, f_rank_q;
  logic f_outside, f_outside_q;
  assign f_rank    = 14'(owed_q) + 14'(unfinished_q) + 14'(text_open_q);
  assign f_outside = (tag_valid_o && !tag_ready_i) || (text_valid_o && !text_ready_i)
      || (unfinished_q != '0 && !data_end) || !first;
  always_ff @(posedge clk) begin
    f_rank_q    <= f_rank;
    f_outside_q <= f_outside;
  end

  always_comb
    if (!rst) begin
      frames_before_answers : lemma (unfinished_q <= owed_q);
      watched_is_owed : lemma (!f_watched_q || (f_before_q < owed_q
          && f_ended_q == (owed_q - f_before_q > unfinished_q)
          && (f_ended_q || (f_frames_q < unfinished_q
              && owed_q - f_before_q == unfinished_q - f_frames_q))));
      lost_is_answered_first : lemma (!f_watched_q || !f_lost_q || !(run || drain));
      all_is_lost : lemma (!f_watched_q || f_lost_q || !zeros_o || !all_q
          || state_q == ERASE_RESET);
      one_waits_for_answers : lemma (run || drain || all_q || (owed_q == '0 && first));
      quiet_is_counted : lemma (!drain || (quiet_q <= QuietWidth'(Quiet)
          && (quiet_q == QuietWidth'(Quiet) || f_still_q <= {1'b0, quiet_q})));

      answered_after_its_frame : assert (!f_watched_q || f_before_q != '0 || !tag_valid_o
          || f_ended_q);
      answer_tells_what_was_lost : assert (!f_watched_q || f_before_q != '0 || !tag_valid_o
          || tag_erased_o == f_lost_q);
      no_answer_without_its_command : assert (!tag_valid_o || owed_q != '0);
      never_below_none : assert ((owed_q != '0 || !tag_take) && (unfinished_q != '0 || !data_end));
      runs_when_all_is_answered : assert (!f_known_q || f_state_q != ERASE_ANSWER || !run
          || (owed_q == '0 && unfinished_q == '0 && first && !text_open_q));
      one_is_erased_in_time : assert (!drain || f_still_q <= (QuietWidth + 1)'(Quiet)
          || text_open_q);
      answers_in_time : assert (!f_known_q || f_state_q != ERASE_ANSWER || !answer || f_outside_q
          || f_rank < f_rank_q);
      runs_in_time : assert (!f_known_q || f_state_q != ERASE_ANSWER || !answer || f_outside_q
          || f_rank_q != '0);
      one_is_erased : reach (f_known_q && f_busy_q && run);
      erased_is_answered : reach (f_watched_q && f_before_q == '0 && tag_take && tag_erased_o);
    end
