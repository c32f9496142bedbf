  // Cycles since a block began, counted plainly; and the size of the key then.
  logic [6:0] f_count_q;
  logic f_busy_q, f_long_q;
  always_ff @(posedge clk) begin
    f_long_q  <= long_i;
    f_count_q <= start_i ? 7'd0 : f_count_q + 7'd1;
    f_busy_q  <= !rst && (start_i || (f_busy_q && f_count_q != (long_i ? 7'd73 : 7'd53)));
  end

  always_comb
    if (!rst) begin
      steps_follow_the_count : lemma (f_busy_q ? 7'(step_q) + 7'd5 * 7'(round_q) == f_count_q + 7'd1
          : round_q == 4'd0 && step_q == 3'd0);
      steps_are_five : lemma (step_q <= 3'd4);
      rounds_are_those_of_the_key : lemma (round_q <= 4'd14
          && (!f_busy_q || f_long_q || round_q <= 4'd10));
      block_takes_54_or_74_cycles : assert (done_o == !f_busy_q);
      block_ends : assert (!f_busy_q || f_count_q <= (f_long_q ? 7'd73 : 7'd53));
      block_is_begun : reach (f_busy_q && f_count_q == 7'd53);
    end
