  // ---- words of a command, and commands that wait here, counted plainly
  logic [11:0] f_left_q;  // words of the command that are still to come
  logic f_first, f_kept;
  logic [1:0] f_held_q;

  assign f_first = f_left_q == '0;
  assign f_kept  = keep && space;

  always_ff @(posedge clk)
    if (rst) begin
      f_left_q <= '0;
      f_held_q <= '0;
    end else begin
      if (push && !f_first) f_left_q <= f_left_q - 12'd1;
      else if (push && in_iv_bytes_i > 16'd16)
        f_left_q <= 12'((17'(in_iv_bytes_i) + 17'd15) / 17'd16 - 17'd1);
      f_held_q <= f_held_q + 2'(f_kept) - 2'(pop);
    end

  // ---- one of them is watched, chosen freely as it comes
  (* anyseq *) logic f_watch;
  logic f_watched_q, f_second_q;  // one is before it
  logic f_late_q;                 // it came after the load that goes on

  always_ff @(posedge clk)
    if (rst) f_watched_q <= 1'b0;
    else begin
      if (!f_watched_q) begin
        f_watched_q <= f_kept && f_watch;
        f_second_q  <= f_held_q != 2'(pop);
        f_late_q    <= load_busy_i;
      end else if (pop) begin
        f_second_q <= 1'b0;
        if (!f_second_q) f_watched_q <= 1'b0;
      end
      if (load_start_i) f_late_q <= 1'b0;
    end

  always_comb
    if (!rst) begin
      first_comes_after_the_last : lemma (first_q == f_first && (first_q || more_q == f_left_q));
      counts_its_words : lemma (f_held_q == 2'(some) + 2'(two) && (some || !two));
      watched_is_here : lemma (!f_watched_q || (2'(f_second_q) < f_held_q));
      load_begins_once : lemma (started_q == f_started_q && (!started_q || load_busy_i));
      late_says_so : lemma (late_q == (f_loading_q && !started_q && free_q == '0) || !f_loading_q);
      blocks_in_loads : lemma (!late_q || f_loading_q);
      counts_the_earlier : lemma (!load_busy_i || (f_loading_q || started_q)
          && free <= f_held_q);
      earlier_come_first : lemma (!f_watched_q || !load_busy_i
          || (f_late_q ? !started_q && free <= 2'(f_second_q) : free > 2'(f_second_q)));
      accepted_once_a_command : assert (accept_o == (in_valid_i && in_ready_o && f_first));
      kept_where_there_is_space : assert (!f_kept || !two);
      none_leaves_that_is_not_here : assert (!pop || f_held_q != '0);
      shown_when_here : assert (!out_valid_o || f_held_q != '0);
      late_waits_for_its_key : assert (!f_watched_q || f_second_q || !f_late_q || !load_busy_i
          || (Contexts > 1 && out_context_o != load_context_i) || out_blocked_o);
      earlier_does_not_wait : assert (!f_watched_q || f_second_q || f_late_q || !load_busy_i
          || !out_blocked_o);
      waits_for_its_load_alone : assert (!out_blocked_o || (f_loading_q
          && (Contexts == 1 || out_context_o == load_context_i)));
      late_one_waits : reach (f_watched_q && !f_second_q && out_blocked_o);
      earlier_one_goes_on : reach (f_watched_q && !f_second_q && !f_late_q && load_busy_i
          && out_valid_o);
    end
