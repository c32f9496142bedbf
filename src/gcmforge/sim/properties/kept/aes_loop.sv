  // ---- of each beat in the ring: steps until it leaves; of all, whether one leaves, and the most
  localparam int F_STEPS_WIDTH = $clog2(MaxRounds * SubStages + 1);
  logic [Places-1:0] f_fits;  // as many rounds are left as one of the key sizes has at that place
  logic f_leaves, f_in_order;
  (* look = "gen_sizes.last_time_q", where = "MaxRounds > MinRounds && Rounds * SubStages > 1" *) logic [F_STEPS_WIDTH-1:0] f_last;
  logic [F_STEPS_WIDTH-1:0] f_steps, f_most, f_own_steps;

  assign f_own_steps = F_STEPS_WIDTH'(wait_rounds) * F_STEPS_WIDTH'(SubStages);
  always_comb begin
    f_leaves   = 1'b0;
    f_in_order = 1'b1;
    f_fits     = '1;
    f_steps    = '0;
    f_most     = '0;
    for (int p = 0; p < Places; p++) begin
      f_steps = F_STEPS_WIDTH'(left_q[p]) * F_STEPS_WIDTH'(SubStages)
          - F_STEPS_WIDTH'(p % SubStages + 1);
      if (valid_q[p]) begin
        if (f_steps == '0) f_leaves = 1'b1;
        if (f_steps >= f_own_steps) f_in_order = 1'b0;
        if (f_steps > f_most) f_most = f_steps;
        f_fits[p] = left_q[p] >= 4'd1 && left_q[p] <= 4'(MaxRounds) && (
            (MinRounds <= 10 && (32'(left_q[p]) + p / SubStages) % Rounds == 10 % Rounds)
            || (MinRounds <= 12 && MaxRounds >= 12
                && (32'(left_q[p]) + p / SubStages) % Rounds == 12 % Rounds)
            || (MaxRounds >= 14 && (32'(left_q[p]) + p / SubStages) % Rounds == 14 % Rounds));
      end
    end
  end

  always_comb
    if (!rst) begin
      rounds_fit_their_place : lemma (f_fits == '1);
      the_last_is_known : lemma (MaxRounds == MinRounds || Places == 1
          || f_last == f_most);
      leaves_after_its_last_round : lemma ((leaves != '0) == f_leaves);
      stands_only_where_an_answer_does : assert (advance
          == !(f_leaves && out_valid_o && !out_ready_i));
      enters_as_soon_as_it_may : assert (enter == (advance && wait_valid_q
          && (!valid_q[Places-1] || leaves[Rounds-1]) && f_in_order));
    end
