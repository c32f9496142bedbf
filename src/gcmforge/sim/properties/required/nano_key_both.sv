  // Places are counted from a key's first byte on.
  logic [3:0] f_place_q;
  always_ff @(posedge clk)
    if (rst || (write_i && last_i)) f_place_q <= '0;
    else if (write_i) f_place_q <= f_place_q + 4'd1;

  always_comb
    if (!rst) begin
      places_follow_each_other : require (!write_i || place_i == f_place_q);
    end
