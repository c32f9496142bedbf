  always_comb
    if (!rst) begin
      one_of_no_byte_is_not_hashed : assert (!start_i || bytes_i != '0 || (at_once_o && !taken_o));
      one_of_96_bits_neither : assert (!start_i || bytes_i != 16'd12 || (at_once_o && taken_o));
      a_block_is_hashed : reach (hash_o && slot_i);
    end
