  // Bytes of a key so far, counted plainly: modulo 32, and whether there were more. Whether one of
  // them was wrong; and how many the last key had that is one.
  logic [4:0] f_bytes_q;
  logic f_over_q, f_wrong_q, f_keyed_q, f_long_q;
  logic f_is_key;
  assign f_is_key = !f_over_q && f_bytes_q[3:0] == 4'd15;
  always_ff @(posedge clk) begin
    if (rst) f_keyed_q <= 1'b0;
    if (rst || (write_i && last_i)) begin
      f_bytes_q <= '0;
      f_over_q  <= 1'b0;
      f_wrong_q <= 1'b0;
    end else if (write_i) begin
      f_bytes_q <= f_bytes_q + 5'd1;
      f_over_q  <= f_over_q || f_bytes_q == 5'd31;
      f_wrong_q <= f_wrong_q || wrong_o;
    end
    if (!rst && write_i && last_i) begin
      f_keyed_q <= f_is_key;
      f_long_q  <= f_bytes_q[4];
    end
  end

  always_comb
    if (!rst) begin
      half_is_counted : lemma (half_q == (f_over_q || f_bytes_q[4]));
      too_many_are_wrong : lemma (!f_over_q || f_wrong_q);
      few_are_right : lemma (f_over_q || !f_wrong_q);
      size_is_kept : lemma (!f_keyed_q || long_o == f_long_q);
      a_key_has_16_bytes_or_32 : assert (!write_i || !last_i
          || (whole_o && !wrong_o && !f_wrong_q) == f_is_key);
      another_size_is_wrong : assert (!write_i || !last_i || wrong_o == (f_bytes_q[3:0] != 4'd15));
      long_is_a_key_of_32_bytes : assert (!f_keyed_q || long_o == f_long_q);
      a_long_one_comes : reach (f_keyed_q && long_o);
    end
