  // Cycles since a block began, counted plainly up to 255: 15 more after the first of them to load,
  // 20 a round, 24 for the last key. What only passes is there when it is loaded.
  logic [7:0] f_count_q;
  logic f_busy_q, f_passes;
  assign f_passes = pass_i && f_count_q == 8'd15;
  always_ff @(posedge clk) begin
    f_count_q <= start_i ? 8'd0 : f_busy_q ? f_count_q + 8'd1 : f_count_q;
    f_busy_q  <= !rst && (start_i || (f_busy_q && f_count_q != 8'd239 && !f_passes));
  end

  // The count in which a round begins.
  logic [8:0] f_begins;
  assign f_begins = round_q == LOAD ? 9'd0 : 9'd16 + 9'd20 * (9'(round_q) - 9'd1);

  always_comb
    if (!rst) begin
      rounds_follow_the_count : lemma (round_q <= REST && (f_busy_q == !rests)
          && (rests ? step_q == '0
              : 9'(f_count_q) == f_begins + 9'(step_q) && step_q <= (load ? 5'd15
                  : last ? 5'd23 : 5'd19)));
      block_takes_240_cycles : assert (done_o == !f_busy_q);
      block_ends : assert (!f_busy_q || f_count_q <= 8'd239);
      block_is_loaded : reach (f_busy_q && f_count_q == 8'd9);
    end
