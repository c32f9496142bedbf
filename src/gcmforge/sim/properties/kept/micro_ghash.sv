  // Cycles since a product began: it has 11.
  logic [3:0] f_count_q;
  logic f_busy_q, f_stays_q;
  logic [127:0] f_digest_q;
  always_ff @(posedge clk) begin
    f_count_q <= add_i && multiply_i ? 4'd0 : f_count_q + 4'd1;
    f_stays_q  <= !rst && !f_busy_q && !add_i && !clear_i;
    f_digest_q <= digest_o;
    f_busy_q  <= !rst && ((add_i && multiply_i) || (f_busy_q && f_count_q != 4'd10));
  end

  always_comb
    if (!rst) begin
      digits_follow_the_count : lemma (f_busy_q ? step_q == f_count_q + 4'd1 && f_count_q <= 4'd10
          : step_q == 4'd0);
      product_takes_11_cycles : assert (free_o == (!f_busy_q || f_count_q == 4'd10));
      digest_stays : assert (!f_stays_q || digest_o == f_digest_q);
      product_is_begun : reach (f_busy_q && f_count_q == 4'd9);
    end
