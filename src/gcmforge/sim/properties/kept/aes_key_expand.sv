  // ---- round keys that came since the key; cycles without hold_i in which its next word was not
  // made; and whether nothing was to be done in the cycle before
  logic f_busy_q, f_rest_q;
  logic [3:0] f_round_q, f_rounds;
  logic [4:0] f_waits_q;

  assign f_rounds = size == gcm_pkg::KEY_128 ? 4'd10 : size == gcm_pkg::KEY_192 ? 4'd12 : 4'd14;

  always_ff @(posedge clk)
    if (rst) {f_busy_q, f_rest_q} <= '0;
    else begin
      f_rest_q <= !busy_o && !hold_i && !start_i;
      if (start_i || step) f_waits_q <= '0;
      else if (busy_q && !hold_i && f_waits_q != '1) f_waits_q <= f_waits_q + 5'd1;
      if (start_i) begin
        f_busy_q  <= 1'b1;
        f_round_q <= '0;
      end else if (key_valid_o) begin
        f_round_q <= f_round_q + 4'd1;
        if (f_round_q == f_rounds) f_busy_q <= 1'b0;
      end
    end

  always_comb
    if (!rst) begin
      busy_from_its_start_to_its_last_round_key : assert (busy_o == f_busy_q);
      round_keys_come_in_order : assert (!key_valid_o || (f_busy_q && key_round_o == f_round_q));
      words_are_made_in_time : assert (!busy_q
          || f_waits_q <= (substitute_q ? 5'(SubStages + 1) : 5'd0));
      nothing_of_the_key_is_left : assert (!f_rest_q || window_q == '0);
      a_round_key_comes : reach (key_valid_o);
    end
