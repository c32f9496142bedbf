  // ---- powers of a subkey that are still to be stored
  if (Powers > 1 && !PowersGiven) begin : gen_f_made
    logic [ExpWidth-1:0] f_left_q;
    always_ff @(posedge clk)
      if (rst) f_left_q <= '0;
      else if (subkey_valid_i) f_left_q <= ExpWidth'(Powers);
      else if (store_power) f_left_q <= f_left_q - ExpWidth'(1);

    always_comb
      if (!rst) begin
        done_when_all_are_stored : assert (!subkey_done_o || f_left_q == '0);
        a_power_is_made : reach (power_product);
      end
  end
