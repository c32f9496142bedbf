  // The phase goes round, and no product begins amid another.
  logic [3:0] f_phase_q;
  logic f_known_q;
  always_ff @(posedge clk) begin
    f_phase_q <= phase_i + 4'd1;
    f_known_q <= !rst;
  end

  always_comb
    if (!rst) begin
      phase_goes_round : require (!f_known_q || phase_i == f_phase_q);
      begins_after_the_last : require (!start_i || phase_i != 4'd15 || !busy_o || turn_q == 3'd7);
    end
