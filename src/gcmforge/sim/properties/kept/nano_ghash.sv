  // Cycles since a product began: it has 128.
  logic [7:0] f_count_q;
  logic f_was_busy_q;
  always_ff @(posedge clk) begin
    f_count_q    <= (phase_i == 4'd15 && start_i) || !busy_o ? 8'd0 : f_count_q + 8'd1;
    f_was_busy_q <= !rst && busy_o;
  end

  always_comb
    if (!rst) begin
      turns_follow_the_count : lemma (!busy_o || !f_known_q
          || f_count_q == {1'b0, turn_q, phase_i});
      product_takes_128_cycles : assert (!f_known_q || !busy_o || f_count_q < 8'd128);
      and_no_fewer : assert (!f_was_busy_q || busy_o || f_count_q == 8'd128);
      product_is_begun : reach (busy_o && f_count_q == 8'd2);
    end
