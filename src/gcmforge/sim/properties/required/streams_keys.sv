  // ---- one stream, whichever: the packet that is open on it, and its context
  (* anyconst *) logic [TidWidth-1:0] f_stream;
  logic f_written_q, f_open_q, f_here;
  logic [ContextWidth-1:0] f_context_q;

  assign f_here = user_write_i && user_tid_i == f_stream;
  always_ff @(posedge clk) begin
    if (rst) f_written_q <= 1'b0;
    else if (f_here) f_written_q <= 1'b1;
    if (f_here) {f_open_q, f_context_q} <= {user_open_i, user_context_i};
  end

  always_comb
    if (!rst) begin
      every_stream_is_written_first : require (!begun_i || f_written_q
          || {1'b0, f_stream} >= (TidWidth + 1)'(Streams));
      a_command_uses_its_context : require (!user_write_i || !user_command_i || user_open_i);
      streams_are_begun_once : require (!user_command_i || begun_i);
      only_a_command_opens : require (!f_here || !user_open_i || user_command_i
          || (f_open_q && user_context_i == f_context_q && f_written_q));
      a_command_leaves_when_it_is_written : require (state_q != USERS_GRANT || !user_write_i
          || !user_command_i || user_context_i != asked_q || (beat_out_i && beat_out_loading_i));
      a_command_leaves_that_came : require (!beat_out_i || old_q != '0 || !beat_out_loading_i
          || mine_q != '0);
      a_beat_leaves_that_came : require (!beat_out_i || beats_q != '0);
      no_more_beats_than_places : require (!beat_in_i || beats_q != 2'd3 || beat_out_i);
      no_packet_begins_under_a_key_that_loads : require (!load_busy_o || !user_write_i
          || !user_command_i || !user_open_i || user_context_i != asked_q);
    end
