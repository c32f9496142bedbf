  f_sum_t f_shown_q;
  logic f_any_q, f_began_q;
  logic [Upper-1:0] f_upper_q;
  logic [Low-1:0] f_left;

  assign f_left = Low'(Max) - Low'(f_sum_q);

  always_ff @(posedge clk) begin
    f_upper_q <= upper_q;
    f_began_q <= !rst;
    if (rst) f_any_q <= 1'b0;
    else if (add_i) begin
      f_any_q   <= 1'b1;
      f_shown_q <= f_next;
    end
  end

  always_comb
    if (!rst) begin
      sum_is_kept : lemma (!f_any_q || f_sum_t'(sum_o) == f_shown_q);
      first_begins_at_none : lemma (f_sum_q == (first_q ? '0 : f_shown_q) && (first_q || f_any_q));
      left_is_of_the_limit : lemma (left_q == f_left);
      is_over_once : lemma (f_over_q == (f_sum_q > f_sum_t'(Max))
          && f_sum_q <= f_sum_t'(Max) + f_sum_t'(Step));
      upper_stands : lemma (first_q || !f_began_q || f_upper_q == upper_q
          || 32'(low_q) <= 2 * Step);
      sum_is_of_the_steps : assert (!f_any_q || sum_o == 64'(f_shown_q));
      limit_is_told : assert (f_over_q || 32'(step_i) > Step
          || over_o == (f_next > f_sum_t'(Max)));
      is_reached : reach (f_any_q && add_i);
    end
