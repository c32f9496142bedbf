  logic f_rest_q;  // there was nothing to do in the cycle before
  always_ff @(posedge clk) f_rest_q <= !rst && !f_open_q && !f_begins;

  always_comb
    if (!rst) begin
      states_say_what_is_open : lemma (f_open_q == (schedule_q || powers_q != POWERS_IDLE
          || (first_q && Powers == 1)) && (!busy_q || schedule_q));
      counts_what_is_out : lemma (powers_q == POWERS_MAKE ? 32'(exponent_q) == 32'(f_powers_q)
              + 32'(first_q) + 32'(digit_q != '0) && 32'(exponent_q) + 32'(digit_q == '0) <= Powers
              && (first_q || f_powers_q != '0)
          : powers_q == POWERS_NEXT ? 32'(exponent_q) == 32'(f_powers_q) + 1
              && 32'(exponent_q) <= Powers && digit_q == '0 && f_powers_q != '0
          : powers_q == POWERS_FIRST ? exponent_q == PowerWidth'(1) && f_powers_q == '0
              && digit_q == '0
          : !schedule_q || f_powers_q == '0);
      first_is_first : lemma (!first_q || (f_powers_q == '0
          && (Powers == 1 ? powers_q == POWERS_IDLE : powers_q == POWERS_MAKE && digit_q == '0)));
      one_after_the_other : lemma (!schedule_q || (powers_q == POWERS_IDLE && !first_q));
      makes_more_than_one : lemma (Powers > 1 || powers_q == POWERS_IDLE
          || powers_q == POWERS_FIRST);
      as_many_as_there_are_powers : assert (!subkey_valid_o || (f_open_q
          && subkey_first_o == (f_powers_q == '0)));
      asked_for_while_it_is_there : assert (!taken_o || (f_open_q && f_powers_q == '0));
      done_when_all_are_in_place : assert (!done_o || (powers_done_i
          && (!f_open_q || f_powers_q == '0)));
      nothing_of_the_key_is_left : assert (!f_rest_q || {state_q, next_q, left_q, sum_q} == '0);
      a_round_ends : reach (end_of_round && f_round_q == 4'd2);
    end
