  // Bytes of the IV so far; of 16 or more the top bit stays. Its last byte came.
  logic [4:0] f_bytes_q;
  logic f_ended_q;
  always_ff @(posedge clk) begin
    if (rst || !active_i || done_o) f_bytes_q <= 5'd0;
    else if (taken_i) f_bytes_q <= (f_bytes_q + 5'd1) | {f_bytes_q[4], 4'b0};
    f_ended_q <= !rst && active_i && !done_o && (f_ended_q || (taken_i && last_i));
  end

  always_comb
    if (!rst && f_begun_q) begin
      state_is_one : lemma (state_q <= PASSES);
      bytes_come_first : lemma (f_ended_q == !takes);
      first_block_has_fewer_bytes : lemma (state_q != FIRST || !f_bytes_q[4]);
      short_is_12_bytes : lemma (!f_ended_q || !short_q || f_bytes_q == 5'd12);
      others_are_multiplied : lemma (!f_ended_q || short_q || f_bytes_q != 5'd12);
      no_byte_after_the_last : assert (!f_ended_q || !ready_o);
      one_is_added_to_12_bytes : assert (taken_i || hashed_o == 8'd0
          || (f_bytes_q == 5'd12 && hashed_o == 8'd1));
      begins_at_once_after_12_bytes : assert (begins_o == (done_o && f_bytes_q == 5'd12));
      only_others_have_a_length : assert (!lengths_o || f_bytes_q != 5'd12);
      ends_with_a_turn : assert (!done_o || phase_i == 4'd15);
      short_one_is_done : reach (begins_o);
    end
