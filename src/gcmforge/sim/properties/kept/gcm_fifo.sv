  // A word is watched, chosen freely as it comes: it is the next one out when as many words have
  // left as were before it. Bit 0 stands for each bit of a word, as all are moved alike.
  (* anyseq *) logic f_watch;
  logic f_watched_q, f_bit_q;
  logic [CountWidth-1:0] f_before_q, f_held_q;
  logic [PtrWidth-1:0] f_at_q;
  logic [PtrWidth:0] f_end, f_at;

  always_ff @(posedge clk)
    if (rst) begin
      f_watched_q <= 1'b0;
      f_held_q    <= '0;
    end else begin
      f_held_q <= f_held_q + CountWidth'(push) - CountWidth'(pop);
      if (f_watched_q) begin
        if (pop) f_before_q <= f_before_q - CountWidth'(1);
        if (pop && f_before_q == '0) f_watched_q <= 1'b0;
      end else if (push && f_watch) begin
        f_watched_q <= 1'b1;
        f_before_q  <= f_held_q - CountWidth'(pop);
        f_bit_q     <= in_data_i[0];
        f_at_q      <= write_q;
      end
    end

  assign f_end = (PtrWidth + 1)'(read_q) + (PtrWidth + 1)'(count_q);
  assign f_at  = (PtrWidth + 1)'(read_q) + (PtrWidth + 1)'(f_before_q);

  always_comb
    if (!rst) begin
      counts_its_words : lemma (f_held_q == count_q && count_q <= CountWidth'(Depth));
      full_says_so : lemma (full_q == (count_q == CountWidth'(Depth)));
      some_says_so : lemma (some_q == (count_q != '0));
      pointers_lie_in_it : lemma (read_q <= LAST && write_q <= LAST);
      pointers_meet : lemma ((PtrWidth + 1)'(write_q)
          == (f_end > (PtrWidth + 1)'(LAST) ? f_end - (PtrWidth + 1)'(Depth) : f_end));
      watched_is_inside : lemma (!f_watched_q || f_before_q < count_q);
      watched_keeps_its_place : lemma (!f_watched_q || (PtrWidth + 1)'(f_at_q)
          == (f_at > (PtrWidth + 1)'(LAST) ? f_at - (PtrWidth + 1)'(Depth) : f_at));
      word_is_kept : lemma (!f_watched_q || mem_q[f_at_q][0] == f_bit_q);
      never_overflows : assert (count_q != CountWidth'(Depth) || !push);
      never_underflows : assert (count_q != '0 || !pop);
      offers_what_it_has : assert (out_valid_o == (count_q != '0));
      takes_what_it_has_room_for : assert (in_ready_o == (count_q != CountWidth'(Depth)));
      is_full : reach (count_q == CountWidth'(Depth) && f_watched_q);
      words_leave_in_order : assert (!f_watched_q || f_before_q != '0
          || (out_valid_o && out_data_o[0] == f_bit_q));
    end
