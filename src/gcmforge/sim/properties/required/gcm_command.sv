  // A key load begins while there is none, and lasts from the cycle after.
  logic f_started_q, f_loading_q;
  always_ff @(posedge clk) begin
    f_started_q <= !rst && load_start_i;
    f_loading_q <= !rst && load_busy_i;
  end

  always_comb
    if (!rst) begin
      one_load_at_a_time : require (!load_start_i || !load_busy_i);
      a_load_lasts_from_its_start : require (f_started_q ? load_busy_i
          : f_loading_q || !load_busy_i);
    end
