  // ---- what gcm_nano keeps to: phases go round; bytes come one after another, when asked for; an IV
  // goes on until it is done, and the next one comes later
  logic [3:0] f_phase_q, f_place_q;
  logic f_goes_on_q, f_done_q;
  always_ff @(posedge clk) begin
    f_goes_on_q <= !rst && active_i && !done_o;
    f_done_q    <= !rst && done_o;
    f_phase_q   <= rst ? 4'd0 : phase_i + 4'd1;
    f_place_q   <= rst || !active_i ? 4'd0 : place_i + {3'b0, taken_i};
  end

  always_comb
    if (!rst && f_begun_q) begin
      phase_goes_round : require (phase_i == f_phase_q);
      byte_is_asked_for : require (!taken_i || (active_i && ready_o));
      iv_goes_on : require (f_goes_on_q ? active_i : !f_done_q || !active_i);
      places_follow : require (!active_i || place_i == f_place_q);
    end
