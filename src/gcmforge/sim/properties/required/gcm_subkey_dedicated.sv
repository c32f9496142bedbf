  // Round keys come in order, held back by hold_o, of one key at a time.
  logic f_open_q;  // a key came, and not all of its powers are out
  logic [3:0] f_round_q;
  logic [PowerWidth-1:0] f_powers_q;
  logic f_begins, f_ends;

  assign f_begins = round_valid_i && !f_open_q;
  assign f_ends   = subkey_valid_o && f_powers_q == PowerWidth'(Powers - 1);

  always_ff @(posedge clk)
    if (rst) f_open_q <= 1'b0;
    else begin
      if (f_begins) f_open_q <= 1'b1;
      else if (f_ends) f_open_q <= 1'b0;
      if (f_begins) f_round_q <= 4'd1;
      else if (round_valid_i) f_round_q <= f_round_q + 4'd1;
      if (f_begins) f_powers_q <= '0;
      else if (subkey_valid_o) f_powers_q <= f_powers_q + PowerWidth'(1);
    end

  always_comb
    if (!rst) begin
      round_keys_come_in_order : require (!round_valid_i
          || round_index_i == (f_open_q ? f_round_q : 4'd0));
      its_number_stays_in_its_round : require (!busy_q || round_index_i == f_round_q - 4'd1);
      none_comes_amid_a_round : require (!round_valid_i || !busy_q);
      none_comes_after_the_last : require (!round_valid_i || f_begins
          || (f_powers_q == '0 && powers_q == POWERS_IDLE && schedule_q));
    end
