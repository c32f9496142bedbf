  always_comb begin
    other_direction_is_refused : assert (refuses_o == decrypt_i);
    nothing_is_decrypted : assert (!decrypts_o && !differs_o);
    tag_of_a_refused_command_is_taken : assert (expects_o == refused_i);
    one_is_refused : reach (refuses_o);
  end
