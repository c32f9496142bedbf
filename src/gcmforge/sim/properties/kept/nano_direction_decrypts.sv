  // Whether a byte of the expected tag was wrong, since the command.
  logic f_known_q = 1'b0;
  logic f_wrong_q;
  always_ff @(posedge clk)
    if (begin_i) begin
      f_known_q <= 1'b1;
      f_wrong_q <= 1'b0;
    end else if (compare_i && !equal_i) f_wrong_q <= 1'b1;

  always_comb begin
    wrong_bytes_are_kept : lemma (!f_known_q || differs_q == f_wrong_q);
    other_direction_is_refused : assert (refuses_o == !decrypt_i);
    all_is_decrypted : assert (decrypts_o);
    refused_has_no_tag : assert (expects_o == !refused_i);
    differs_where_a_byte_is_wrong : assert (!f_known_q
        || differs_o == (f_wrong_q || !equal_i));
    one_is_wrong : reach (f_known_q && f_wrong_q && equal_i);
  end
