  // Whether a byte of the expected tag was wrong, since the command; and what it asked for.
  logic f_known_q = 1'b0;
  logic f_wrong_q, f_decrypt_q;
  always_ff @(posedge clk)
    if (begin_i) begin
      f_known_q   <= 1'b1;
      f_wrong_q   <= 1'b0;
      f_decrypt_q <= decrypt_i;
    end else if (compare_i && !equal_i) f_wrong_q <= 1'b1;

  always_comb begin
    wrong_bytes_are_kept : lemma (!f_known_q
        || (differs_q == f_wrong_q && decrypt_q == f_decrypt_q));
    none_is_refused : assert (!refuses_o);
    direction_is_that_of_the_command : assert (!f_known_q
        || (decrypts_o == f_decrypt_q && expects_o == f_decrypt_q));
    differs_where_a_byte_is_wrong : assert (!f_known_q
        || differs_o == (f_wrong_q || !equal_i));
    one_is_wrong : reach (f_known_q && f_wrong_q && equal_i);
  end
