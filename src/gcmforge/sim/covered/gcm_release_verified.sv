  always_ff @(posedge clk)
    if (!rst) begin
      ring_is_full : cover (used_q == CountWidth'(Depth));
      beat_waits_for_a_place : cover (in_valid_i && !in_ready_o);
      two_packets_wait_for_their_verdicts : cover (pending_valid && end_i);
      good_packet_waits_for_its_turn : cover (turn_valid && verdict_valid_i && verdict_ok_i);
      bad_packet_is_skipped : cover (skip);
      bad_packet_is_skipped_as_a_beat_comes : cover (skip && push);
      bad_packet_after_beats : cover (in_error_i && length_q != '0);
      bad_packet_without_beats : cover (end_i && in_error_i && length_q == '0);
      packet_without_a_beat : cover (end_i && !in_error_i && length == '0);
      reader_waits : cover (fetched_q && !out_ready_i);
      last_beat_leaves_and_the_next_packet_follows : cover (turn_done && fetch && verdict_valid_i);
      end_as_a_verdict_comes : cover (end_i && verdict_valid_i);
      write_address_wraps : cover (push && write_q == PtrWidth'(Depth - 1));
    end
