  // ---- the sum of a packet, counted plainly
  localparam int F_WIDTH = Low + Upper + 1;
  typedef logic [F_WIDTH-1:0] f_sum_t;
  f_sum_t f_sum_q, f_shown_q, f_next;
  logic f_any_q, f_over_q, f_began_q;
  logic [Upper-1:0] f_upper_q;
  logic [Low-1:0] f_left;

  assign f_left = Low'(Max) - Low'(f_sum_q);
  assign f_next = f_sum_q + f_sum_t'(step_i);

  always_ff @(posedge clk) begin
    f_upper_q <= upper_q;
    f_began_q <= !rst;
    if (rst || end_i) f_sum_q <= '0;
    else if (add_i) f_sum_q <= f_next;
    if (rst) f_any_q <= 1'b0;
    else if (add_i) begin
      f_any_q   <= 1'b1;
      f_shown_q <= f_next;
    end
    if (rst || end_i) f_over_q <= 1'b0;
    else if (add_i) f_over_q <= f_next > f_sum_t'(Max);
  end

  always_comb
    if (!rst) begin
      step_is_not_longer : require (32'(step_i) <= Step);
      nothing_after_it_is_over : require (!f_over_q || !add_i);
      sum_is_kept : lemma (!f_any_q || f_sum_t'({upper_q, low_q}) == f_shown_q);
      first_begins_at_none : lemma (f_sum_q == (first_q ? '0 : f_shown_q) && (first_q || f_any_q));
      left_is_of_the_limit : lemma (left_q == f_left);
      is_over_once : lemma (f_over_q == (f_sum_q > f_sum_t'(Max))
          && f_sum_q <= f_sum_t'(Max) + f_sum_t'(Step));
      upper_stands : lemma (first_q || !f_began_q || f_upper_q == upper_q
          || 32'(low_q) <= 2 * Step);
      sum_is_of_the_steps : assert (!f_any_q || sum_o == 64'(f_shown_q));
      limit_is_told : assert (f_over_q || over_o == (f_next > f_sum_t'(Max)));
      is_reached : reach (f_any_q && add_i);
    end
