  logic f_soon_q;
  always_ff @(posedge clk) f_soon_q <= !rst && step_soon_i;

  always_comb if (!rst) step_is_told_before : require (step_i == f_soon_q);
