  // ---- cycles in a row without an offer, from where it is waited for
  typedef logic [TimerWidth:0] f_time_t;
  (* look = "gen_timer[0].timer_q" *) logic [TimerWidth-1:0] f_command_timer;
  (* look = "gen_timer[1].timer_q" *) logic [TimerWidth-1:0] f_data_timer;
  (* look = "gen_timer[2].timer_q" *) logic [TimerWidth-1:0] f_silent_timer;
  f_time_t f_command_q, f_data_q, f_silent_q;
  logic f_no_command, f_no_data;

  // the rest of an IV, or the command of data that is offered; the data of a command
  assign f_no_command = !command_valid_i && command_ready_i && !made_o
      && (!first || (data_valid_i && ahead_q == '0 && !drop_q));
  assign f_no_data    = !data_valid_i && data_ready_i && !close_o && ahead_q != '0;

  always_ff @(posedge clk) begin
    f_command_q <= rst || !f_no_command ? '0 : f_command_q + f_time_t'(1);
    f_data_q    <= rst || !f_no_data ? '0 : f_data_q + f_time_t'(1);
    if (rst || command_valid_i || data_valid_i) f_silent_q <= '0;
    else if (f_silent_q != f_time_t'(Limit)) f_silent_q <= f_silent_q + f_time_t'(1);
  end

  // ---- the cycle before
  logic f_known_q, f_made_q, f_close_q, f_doubt_q, f_command_kept_q, f_data_kept_q;
  logic f_command_offered_q, f_data_offered_q, f_command_late_q, f_data_late_q;
  logic f_made_end_q, f_close_end_q, f_doubtful_q;
  always_ff @(posedge clk) begin
    f_known_q           <= !rst;
    f_made_q            <= made_o;
    f_close_q           <= close_o;
    f_doubt_q           <= doubt_o;
    f_command_kept_q    <= command_valid_o && !command_ready_i;
    f_data_kept_q       <= data_valid_o && !data_ready_i;
    f_command_offered_q <= command_valid_i;
    f_data_offered_q    <= data_valid_i;
    f_command_late_q    <= f_no_command && f_command_q == f_time_t'(Limit - 1);
    f_data_late_q       <= f_no_data && f_data_q == f_time_t'(Limit - 1);
    f_made_end_q        <= command_end;
    f_close_end_q       <= close_o && data_ready_i;
    f_doubtful_q        <= (made_o && command_ready_i) || (close_o && data_ready_i && !f_inside_q);
  end

  // ---- a frame that is broken off: its rest, up to its last beat, is not of the next packet
  logic f_rest_q, f_inside_q;
  always_ff @(posedge clk)
    if (rst) {f_rest_q, f_inside_q} <= '0;
    else begin
      if (close_o) begin
        if (data_ready_i && f_inside_q) f_rest_q <= 1'b1;
        if (data_ready_i) f_inside_q <= 1'b0;
      end else if (data_valid_i && data_ready_o) begin
        f_rest_q   <= f_rest_q && !data_last_i;
        f_inside_q <= !f_rest_q && !data_last_i;
      end
    end

  always_comb
    if (!rst) begin
      timers_count : lemma (f_time_t'(f_command_timer) == f_command_q
          && f_time_t'(f_data_timer) == f_data_q && f_time_t'(f_silent_timer) <= f_silent_q);
      timers_end : lemma ((f_command_q < f_time_t'(Limit) || (f_command_q == f_time_t'(Limit)
          && made_q)) && (f_data_q < f_time_t'(Limit) || (f_data_q == f_time_t'(Limit) && close_q))
          && f_silent_q <= f_time_t'(Limit) && (32'(f_silent_timer) < Limit
              || (32'(f_silent_timer) == Limit && !doubt_q)));
      an_end_has_its_command : lemma (!close_q || ahead_q != '0);
      rest_is_known : lemma (f_rest_q == drop_q && f_inside_q == begun_q
          && !(f_rest_q && f_inside_q));
      inside_a_packet : lemma (!begun_q || ahead_q != '0);
      count_does_not_wrap : lemma (ahead_q != '1);

      data_has_its_command : assert (!data_valid_o || ahead_q != '0);
      one_end_a_command : assert (!data_end || ahead_q != '0);
      commands_pass : assert (made_o ? !command_ready_o : (command_valid_i && command_ready_o)
          == command_take && command_valid_o == command_valid_i);
      data_passes : assert (close_o ? !data_ready_o : f_rest_q ? data_ready_o && !data_valid_o
          : (data_valid_i && data_ready_o) == (data_valid_o && data_ready_i));
      offers_stay : assert (!f_known_q
          || ((!f_command_kept_q || (command_valid_o && made_o == f_made_q)
              || (f_command_offered_q && !command_valid_i))
          && (!f_data_kept_q || (data_valid_o && close_o == f_close_q)
              || (f_data_offered_q && !data_valid_i))));
      no_command_is_made_early : assert (!f_known_q || f_made_q || !made_o || f_command_late_q);
      a_command_is_made_in_time : assert (!f_known_q || !f_command_late_q || made_o);
      made_to_its_last_word : assert (!f_known_q || !f_made_q || made_o == !f_made_end_q);
      no_frame_is_ended_early : assert (!f_known_q || f_close_q || !close_o || f_data_late_q);
      a_frame_is_ended_in_time : assert (!f_known_q || !f_data_late_q || close_o);
      ended_once : assert (!f_known_q || !f_close_q || close_o == !f_close_end_q);
      doubt_ends_after_silence : assert (!f_known_q || !f_doubt_q || doubt_o
          || f_silent_q == f_time_t'(Limit));
      what_may_come_yet_is_doubted : assert (!f_known_q || !f_doubtful_q || doubt_o);
      doubt_has_a_reason : assert (!f_known_q || f_doubt_q || !doubt_o || f_made_q || f_close_q);
      a_command_is_made : reach (made_o && doubt_o);
      a_frame_is_ended : reach (close_o && f_inside_q);
      doubt_ends : reach (f_known_q && f_doubt_q && !doubt_o);
    end
