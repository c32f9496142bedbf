  // ---- a context is watched, whichever, and packets encrypted under its key are counted plainly
  (* look = "u_fixed.words_q" *) logic [32*Contexts-1:0] f_fixed_words;
  (* look = "u_count.words_q" *) logic [(Upper+Low)*Contexts-1:0] f_count_words;
  (* look = "u_next.words_q" *) logic [Upper*Contexts-1:0] f_next_words;
  (* look = "u_used.count_q" *) logic [$clog2(Depth + 1)-1:0] f_used;
  (* look = "u_used.words_q" *) logic [96*Depth-1:0] f_used_words;
  (* anyconst *) logic [ContextWidth-1:0] f_context;
  (* anyconst *) logic [4:0] f_fixed_bit;
  logic f_exists, f_key, f_makes, f_fresh, f_pending, f_known_q;
  logic [63:0] f_count_q, f_shown;
  logic [31:0] f_fixed_q;
  logic [Low-1:0] f_low;
  logic [Upper-1:0] f_upper, f_next;

  assign f_exists  = {1'b0, f_context} < (ContextWidth + 1)'(Contexts);
  assign f_key     = key_take_i && key_context_i == f_context;
  assign f_makes   = command_valid_o && first && !command_decrypt_i
      && command_context_i == f_context;
  assign f_fresh   = fresh_q[f_context];
  assign f_pending = new_q && new_context_q == f_context;
  assign {f_upper, f_low} = f_count_words[(Upper+Low)*f_context+:Upper+Low];
  assign f_next    = f_next_words[Upper*f_context+:Upper];
  for (genvar b = 0; b < 8; b++) begin : gen_f_byte  // the first byte is the highest
    assign f_shown[8*(7-b)+:8] = command_iv_o[32+8*b+:8];
  end

  always_ff @(posedge clk)
    if (rst) begin
      f_known_q <= 1'b0;
      f_count_q <= '0;
    end else if (f_key) begin  // the command of this cycle is of the key before
      f_known_q <= 1'b1;
      f_count_q <= '0;
      f_fixed_q <= key_fixed_i;
    end else if (f_makes && command_ready_i && f_count_q < Limit) f_count_q <= f_count_q + 64'd1;

  // ---- an IV that was given under this key, chosen freely
  (* anyseq *) logic f_choose;
  logic f_chosen_q;
  logic [63:0] f_given_q;
  always_ff @(posedge clk)
    if (rst || f_key) f_chosen_q <= 1'b0;
    else if (f_makes && command_ready_i && command_iv_bytes_o != '0 && f_choose) begin
      f_chosen_q <= 1'b1;
      f_given_q  <= f_shown;
    end

  // ---- a command, chosen freely, and any one bit of its IV until its answer
  (* anyseq *) logic f_watch;
  (* anyconst *) logic [6:0] f_bit;
  logic f_watched_q, f_bit_q;
  logic [$clog2(Depth + 1)-1:0] f_before_q;
  logic [31:0] f_owed_q;  // commands without an answer
  logic f_shows_q, f_shown_q;
  always_ff @(posedge clk) begin
    f_shows_q <= !rst && present && !answer_take_i;
    f_shown_q <= answer_iv_o[f_bit];
  end
  always_ff @(posedge clk)
    if (rst) f_owed_q <= '0;
    else f_owed_q <= f_owed_q + 32'(take && first) - 32'(answer_take_i);

  always_ff @(posedge clk)
    if (rst) f_watched_q <= 1'b0;
    else if (!f_watched_q) begin
      f_watched_q <= take && first && f_watch;
      f_before_q  <= f_used - $bits(f_used)'(answer_take_i);
      f_bit_q     <= command_iv_o[f_bit] && (command_decrypt_i || command_iv_bytes_o != '0);
    end else if (answer_take_i) begin
      f_before_q <= f_before_q - $bits(f_used)'(1);
      if (f_before_q == '0) f_watched_q <= 1'b0;
    end

  always_comb
    if (!rst) begin
      key_and_command_are_of_contexts : suppose (f_exists && f_bit < 7'd96);
      fresh_begins_at_none : lemma (!f_fresh || f_count_q == '0);
      count_is_kept : lemma (f_fresh || (f_count_q == 64'({f_upper, f_low}) && f_count_q != '0));
      never_beyond_the_limit : lemma (f_count_q <= Limit);
      next_is_ready_in_time : lemma (f_fresh || (f_pending
          ? new_upper_q == f_upper && f_low <= Low'(1) : f_next == Upper'(f_upper + 1'b1)));
      fixed_field_is_kept : lemma (!f_known_q
          || f_fixed_words[32*f_context+f_fixed_bit] == f_fixed_q[f_fixed_bit]);
      known_by_its_key : lemma (known_q[f_context] == f_known_q);
      given_is_below : lemma (!f_chosen_q || f_given_q < f_count_q);
      one_iv_a_command : lemma (f_owed_q == 32'(f_used));
      watched_waits : lemma (!f_watched_q || (f_before_q < f_used
          && f_used_words[96*f_before_q+f_bit] == f_bit_q));
      iv_is_key_and_count : assert (!f_makes || f_count_q == Limit || (f_shown == f_count_q
          && command_iv_bytes_o == 16'd12 && command_iv_o[127:96] == '0
          && (!f_known_q || command_iv_o[f_fixed_bit] == f_fixed_q[f_fixed_bit])));
      no_fixed_field_without_a_key : assert (!f_makes || f_known_q || command_iv_o[31:0] == '0);
      no_iv_twice : assert (!f_makes || !f_chosen_q || command_iv_bytes_o == '0
          || f_shown != f_given_q);
      none_is_left_after_the_limit : assert (!f_makes || f_count_q != Limit
          || command_iv_bytes_o == '0);
      decryption_brings_its_own : assert ((first && !command_decrypt_i)
          || (command_iv_o == command_iv_i && command_iv_bytes_o == command_iv_bytes_i));
      answer_tells_its_iv : assert (!f_watched_q || f_before_q != '0
          || (present && answer_iv_o[f_bit] == f_bit_q));
      answer_stays : assert (!f_shows_q || (present && answer_iv_o[f_bit] == f_shown_q));
      a_command_has_a_place : assert (!take || !first || 32'(f_used) < Depth);
      commands_pass : assert ((command_valid_i && command_ready_o) == take
          && command_ready_o == (command_ready_i && 32'(f_used) < Depth));
      iv_is_made : reach (f_makes && f_chosen_q && f_known_q);
    end
