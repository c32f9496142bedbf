  // Cycles since a product began: it has one for each digit.
  logic [6:0] f_count_q;
  logic f_busy_q, f_stays_q;
  logic [127:0] f_digest_q;
  always_ff @(posedge clk) begin
    f_count_q <= add_i && multiply_i ? 7'd0 : f_count_q + 7'd1;
    f_stays_q  <= !rst && !f_busy_q && !add_i && !clear_i;
    f_digest_q <= digest_o;
    f_busy_q  <= !rst && ((add_i && multiply_i) || (f_busy_q && f_count_q != 7'(STEPS - 1)));
  end

  always_comb
    if (!rst) begin
      digits_follow_the_count : lemma (f_busy_q ? 7'(step_q) == f_count_q + 7'd1
          && f_count_q <= 7'(STEPS - 1) : step_q == '0);
      product_takes_its_digits : assert (free_o == (!f_busy_q || f_count_q == 7'(STEPS - 1)));
      digest_stays : assert (!f_stays_q || digest_o == f_digest_q);
      product_is_begun : reach (f_busy_q && f_count_q == 7'(STEPS - 2));
    end
