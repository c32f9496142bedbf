  // ---- the sum of a packet, counted plainly
  typedef logic [Low+Upper:0] f_sum_t;
  f_sum_t f_sum_q, f_next;
  logic f_over_q;

  assign f_next = f_sum_q + f_sum_t'(step_i);

  always_ff @(posedge clk)
    if (rst || end_i) begin
      f_sum_q  <= '0;
      f_over_q <= 1'b0;
    end else if (add_i) begin
      f_sum_q  <= f_next;
      f_over_q <= f_next > f_sum_t'(Max);
    end

  always_comb
    if (!rst) begin
      step_is_not_longer : require (!add_i || 32'(step_i) <= Step);
      nothing_after_it_is_over : require (!f_over_q || !add_i);
    end
