  // A byte that was written, chosen freely as it comes, is at the head after 16 cycles, unless
  // another one took its place meanwhile.
  (* anyseq *) logic f_watch;
  logic f_watched_q = 1'b0;
  logic [3:0] f_age_q;
  logic [7:0] f_byte_q;
  always_ff @(posedge clk)
    if (!f_watched_q || (f_age_q == 4'd15 && write_i)) begin
      f_watched_q <= f_watch && write_i;
      f_age_q     <= 4'd0;
      f_byte_q    <= byte_i;
    end else f_age_q <= f_age_q + 4'd1;

  always_comb begin
    byte_is_in_its_place : lemma (!f_watched_q || ring_q[8*(15-f_age_q)+:8] == f_byte_q);
    byte_comes_round : assert (!f_watched_q || f_age_q != 4'd15 || head_o == f_byte_q);
    one_comes_round : reach (f_watched_q && f_age_q == 4'd4);
  end
