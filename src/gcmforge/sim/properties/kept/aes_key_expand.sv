  // ---- the law of the header, counted plainly from a key's start without the cycles of hold_i;
  // round keys that came; and whether nothing was to be done in the cycle before
  logic f_busy_q, f_rest_q;
  logic [7:0] f_cycles_q, f_law;
  logic [3:0] f_round_q, f_rounds;

  assign f_rounds = size == gcm_pkg::KEY_128 ? 4'd10 : size == gcm_pkg::KEY_192 ? 4'd12 : 4'd14;
  assign f_law    = 8'd4 * (8'(f_rounds) + 8'd1) + 8'd1 + 8'(SubStages + 1)
      * (size == gcm_pkg::KEY_128 ? 8'd10 : size == gcm_pkg::KEY_192 ? 8'd8 : 8'd13);

  always_ff @(posedge clk)
    if (rst) {f_busy_q, f_rest_q} <= '0;
    else begin
      f_rest_q <= !busy_o && !hold_i && !start_i;
      if (start_i) begin
        f_busy_q   <= 1'b1;
        f_cycles_q <= 8'd1;
        f_round_q  <= '0;
      end else begin
        if (!hold_i) f_cycles_q <= f_cycles_q + 8'd1;
        if (key_valid_o) f_round_q <= f_round_q + 4'd1;
        if (key_valid_o && f_round_q == f_rounds) f_busy_q <= 1'b0;
      end
    end

  always_comb
    if (!rst) begin
      busy_from_its_start_to_its_last_round_key : assert (busy_o == f_busy_q);
      round_keys_come_in_order : assert (!key_valid_o || (f_busy_q && key_round_o == f_round_q));
      no_later_than_the_law : assert (!f_busy_q || f_cycles_q <= f_law);
      nothing_of_the_key_is_left : assert (!f_rest_q || window_q == '0);
      last_round_key_comes : reach (key_valid_o && f_round_q == f_rounds);
    end
