  // A word is watched, chosen freely as it comes. Bit 0 stands for each bit of a word.
  (* anyseq *) logic f_watch;
  logic f_watched_q, f_first_q, f_bit_q;

  always_ff @(posedge clk)
    if (rst) f_watched_q <= 1'b0;
    else if (f_watched_q) begin
      if (out_ready_i) f_first_q <= 1'b1;
      if (out_ready_i && f_first_q) f_watched_q <= 1'b0;
    end else if (in_valid_i && in_ready_o && f_watch) begin
      f_watched_q <= 1'b1;
      f_first_q   <= load;
      f_bit_q     <= in_data_i[0];
    end

  logic [1:0] f_held_q;  // words that came and have not left
  always_ff @(posedge clk)
    if (rst) f_held_q <= '0;
    else f_held_q <= f_held_q + 2'(in_valid_i && in_ready_o) - 2'(out_valid_o && out_ready_i);

  // what was offered and not taken
  logic f_waits_q, f_waiting_q;
  always_ff @(posedge clk) begin
    f_waits_q   <= !rst && out_valid_o && !out_ready_i;
    f_waiting_q <= out_data_o[0];
  end

  always_comb
    if (!rst) begin
      ready_says_space : lemma (ready_q == !spare_valid_q);
      first_before_spare : lemma (valid_q || !spare_valid_q);
      counts_its_words : lemma (f_held_q == 2'(valid_q) + 2'(spare_valid_q));
      words_leave_in_order : lemma (!f_watched_q || (f_first_q
          ? valid_q && data_q[0] == f_bit_q : spare_valid_q && spare_q[0] == f_bit_q));
      offers_what_it_has : assert (out_valid_o == (f_held_q != '0));
      takes_what_it_has_room_for : assert (in_ready_o == (f_held_q != 2'd2));
      is_full : reach (spare_valid_q && f_watched_q);
      offers_stay : assert (!f_waits_q || (out_valid_o && out_data_o[0] == f_waiting_q));
    end
