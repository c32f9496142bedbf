  // Cycles since a block began, counted plainly: 16 to load, 20 a round, 24 for the last key. Where
  // another key comes meanwhile, after an error, the block is lost, but it ends. What only passes is
  // there when it is loaded, and is not a block.
  logic [8:0] f_count_q;
  logic f_block_q, f_passes;
  assign f_passes = pass_i && load && step_q == 5'd15;
  logic f_long_q, f_stays_q;  // the key's size as the block began; it was so ever since
  always_ff @(posedge clk) begin
    f_block_q <= !rst && (start_i || (f_block_q && !f_passes));
    f_count_q <= start_i ? 9'd0 : done_o ? f_count_q : f_count_q + 9'd1;
    if (start_i) f_long_q <= long_i;
    f_stays_q <= start_i || (f_stays_q && (done_o || long_i == f_long_q));
  end

  // The count in which a round begins; in which the last key begins, with 128 bits or with 256.
  logic [9:0] f_begins;
  logic f_early, f_late;
  assign f_begins = round_q == LOAD ? 10'd0 : 10'd16 + 10'd20 * (10'(round_q) - 10'd1);
  assign f_early  = 10'(f_count_q) == 10'd216 + 10'(step_q);
  assign f_late   = 10'(f_count_q) == 10'd296 + 10'(step_q);

  always_comb
    if (!rst) begin
      rounds_follow_the_count : lemma (round_q <= REST && (done_o == rests)
          && (f_block_q || rests)
          && (rests ? step_q == '0
              : last ? step_q <= 5'd23 && (f_early || f_late)
              : 10'(f_count_q) == f_begins + 10'(step_q) && step_q <= (load ? 5'd15 : 5'd19)));
      size_of_the_key_counts : lemma (!f_block_q || !f_stays_q
          || (rests ? f_count_q == (f_long_q ? 9'd320 : 9'd240)
              : last ? (f_long_q ? f_late : f_early) : f_long_q || round_q <= 5'd10));
      rest_follows_a_block : lemma (!f_block_q || !rests || f_count_q == 9'd240
          || f_count_q == 9'd320);
      block_takes_240_cycles_or_320 : assert (!f_block_q || !f_stays_q
          || done_o == (f_count_q == (f_long_q ? 9'd320 : 9'd240)));
      block_ends : assert (!f_block_q || f_count_q <= 9'd320);
      block_is_loaded : reach (f_block_q && f_count_q == 9'd9);
    end
