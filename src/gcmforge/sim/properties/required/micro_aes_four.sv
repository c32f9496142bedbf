  // A key stays while a block is encrypted, and a block begins after the one before.
  logic f_begun_with_q, f_known_q;
  always_ff @(posedge clk) begin
    f_begun_with_q <= long_i;
    f_known_q      <= !rst && (start_i || !done_o);
  end

  always_comb
    if (!rst) begin
      begins_after_the_last : require (!start_i || done_o);
      key_stays : require (!f_known_q || done_o || long_i == f_begun_with_q);
    end
