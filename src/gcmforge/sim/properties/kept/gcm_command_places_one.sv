  // A word is watched, chosen freely as it comes: any one bit of its fields and of its blocks.
  (* look = "u_fields.words_q" *) logic [Width-1:0] f_word;
  (* anyseq *) logic f_watch;
  (* anyconst *) logic [7:0] f_bit;
  logic f_watched_q, f_field_q, f_block_q;

  always_ff @(posedge clk)
    if (rst) f_watched_q <= 1'b0;
    else if (!f_watched_q) begin
      f_watched_q <= in_valid_i && in_ready_o && f_watch;
      f_field_q   <= in_fields_i[0];
      f_block_q   <= in_blocks_i[f_bit];
    end else if (out_ready_i) f_watched_q <= 1'b0;

  always_comb
    if (!rst) begin
      watched_is_here : lemma (!f_watched_q || (out_valid_o && f_word[0] == f_field_q
          && out_blocks_o[f_bit] == f_block_q));
      full_or_empty : assert (in_ready_o == !out_valid_o && !out_two_o);
      words_leave_in_order : assert (!f_watched_q || (out_valid_o && out_fields_o[0] == f_field_q
          && out_blocks_o[f_bit] == f_block_q));
      is_full : reach (f_watched_q);
    end
