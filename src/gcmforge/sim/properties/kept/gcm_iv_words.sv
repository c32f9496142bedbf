  // The words of a command, counted plainly: one, and one more for each 16 bytes of its IV after
  // the first 16.
  logic [11:0] f_left_q;  // words that are still to come
  logic f_first, f_last;

  assign f_first = f_left_q == '0;
  assign f_last  = f_first ? 17'(iv_bytes_i) <= 17'd16 : f_left_q == 12'd1;

  always_ff @(posedge clk)
    if (rst) f_left_q <= '0;
    else if (take_i)
      f_left_q <= !f_first ? f_left_q - 12'd1
          : f_last ? '0 : 12'((17'(iv_bytes_i) + 17'd15) / 17'd16 - 17'd1);

  always_comb
    if (!rst) begin
      first_comes_after_the_last : lemma (first_q == f_first && (first_q || more_q == f_left_q));
      first_is_told : assert (first_o == f_first);
      last_is_told : assert (last_o == f_last);
      longest_iv_ends : reach (take_i && f_left_q == 12'd4095);
    end
