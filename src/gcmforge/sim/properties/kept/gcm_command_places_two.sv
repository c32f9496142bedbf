  // A word is watched, chosen freely as it comes: bit 0 of its fields, which stands for each, and
  // any one bit of its blocks, which lie in a memory of their own.
  (* look = "u_fields.spare_q" *) logic [Width-1:0] f_spare;
  (* anyseq *) logic f_watch;
  (* anyconst *) logic [7:0] f_bit;
  logic f_watched_q, f_second_q, f_field_q, f_block_q;
  logic [1:0] f_held_q;
  logic f_push;

  assign f_push = in_valid_i && in_ready_o;

  always_ff @(posedge clk)
    if (rst) {f_held_q, f_watched_q} <= '0;
    else begin
      f_held_q <= f_held_q + 2'(f_push) - 2'(out_ready_i);
      if (!f_watched_q) begin
        f_watched_q <= f_push && f_watch;
        f_second_q  <= f_held_q != 2'(out_ready_i);
        f_field_q   <= in_fields_i[0];
        f_block_q   <= in_blocks_i[f_bit];
      end else if (out_ready_i) begin
        f_second_q <= 1'b0;
        if (!f_second_q) f_watched_q <= 1'b0;
      end
    end

  always_comb
    if (!rst) begin
      counts_its_words : lemma (f_held_q == 2'(out_valid_o) + 2'(!in_ready_o)
          && (out_valid_o || in_ready_o));
      blocks_meet_fields : lemma (write_q == (read_q ^ f_held_q[0]));
      watched_is_here : lemma (!f_watched_q || (2'(f_second_q) < f_held_q
          && blocks_q[read_q^f_second_q][f_bit] == f_block_q
          && (f_second_q ? f_spare[0] : out_fields_o[0]) == f_field_q));
      never_overflows : assert (!f_push || f_held_q != 2'd2);
      words_leave_in_order : assert (!f_watched_q || f_second_q || (out_valid_o
          && out_fields_o[0] == f_field_q && out_blocks_o[f_bit] == f_block_q));
      two_says_so : assert (out_two_o == (f_held_q == 2'd2));
      is_full : reach (f_held_q == 2'd2 && f_second_q && f_watched_q);
    end
