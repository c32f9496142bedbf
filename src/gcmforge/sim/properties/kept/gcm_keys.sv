  // ---- a packet is watched, chosen freely, from its command until it is done
  typedef logic [TurnWidth-1:0] f_turn_t;
  localparam f_turn_t F_ALL = f_turn_t'(2 ** PlaceWidth);
  localparam f_turn_t F_LOOKS = Contexts == 1 ? '0 : F_ALL;  // cycles in which it looks, at most
  (* anyseq *) logic f_watch;
  logic f_watched_q, f_earlier_q;  // it came before the key that is loaded, or with it
  logic [ContextWidth-1:0] f_context_q;
  f_turn_t f_before_q, f_at_q;     // packets before it; its number
  logic f_comes, f_goes, f_holds_up;

  assign f_comes    = command_accept_i && f_watch && !f_watched_q;
  assign f_goes     = f_watched_q && packet_done_i && f_before_q == '0;
  assign f_holds_up = f_watched_q && f_earlier_q && exists
      && (Contexts == 1 || f_context_q == context_q);

  always_ff @(posedge clk)
    if (rst) {f_watched_q, f_earlier_q} <= '0;
    else begin
      if (f_comes) begin
        f_watched_q <= 1'b1;
        f_context_q <= command_context_i;
        f_before_q  <= f_under_way_q - f_turn_t'(packet_done_i);
        f_at_q      <= newest_d;
      end else if (f_watched_q) begin
        f_before_q <= f_before_q - f_turn_t'(packet_done_i);
        if (f_goes) f_watched_q <= 1'b0;
      end
      if (accept) f_earlier_q <= f_comes || (f_watched_q && !f_goes);
      else if (f_comes || f_goes) f_earlier_q <= 1'b0;
    end

  // ---- packets before the key that are not done, and cycles in a row in which there was none
  f_turn_t f_rest_q, f_free_q, f_stays_q;  // and those since the key came
  always_ff @(posedge clk)
    if (rst) {f_rest_q, f_free_q, f_stays_q} <= '0;
    else begin
      if (state_q != KEYS_FENCE) f_stays_q <= '0;
      else if (f_stays_q != '1) f_stays_q <= f_stays_q + f_turn_t'(1);
      if (accept)
        f_rest_q <= f_under_way_q + f_turn_t'(command_accept_i) - f_turn_t'(packet_done_i);
      else f_rest_q <= f_rest_q - f_turn_t'(packet_done_i && f_rest_q != '0);
      if (state_q != KEYS_FENCE || f_rest_q != '0) f_free_q <= '0;
      else f_free_q <= f_free_q + f_turn_t'(1);
    end

  // ---- the way of a key, and what a context, whichever, holds: the key that came last, if it was
  // loaded whole; while a key waits, what was there before it
  (* anyconst *) logic [ContextWidth-1:0] f_context;
  logic [1:0] f_step_q;  // 1: its subkey was taken; 2: and came; 3: and its powers are there
  logic f_ours, f_ends, f_whole_q, f_old_q, f_built;
  logic [1:0] f_size_q, f_old_size_q, f_kept;

  assign f_ours  = load_busy_o && context_q == f_context;
  assign f_ends  = f_step_q == 2'd2 && powers_done_i;
  assign f_built = f_size_q != gcm_pkg::KEY_ERASE && Sizes[f_size_q];

  always_ff @(posedge clk)
    if (rst) {f_step_q, f_whole_q, f_old_q} <= '0;
    else begin
      if (accept) f_step_q <= 2'd0;
      else if (f_step_q == 2'd0 && subkey_want_o && subkey_taken_i) f_step_q <= 2'd1;
      else if (f_step_q == 2'd1 && subkey_valid_i) f_step_q <= 2'd2;
      else if (f_ends) f_step_q <= 2'd3;
      if (accept && key_context_i == f_context) begin
        {f_old_q, f_old_size_q} <= {f_whole_q, f_size_q};
        {f_whole_q, f_size_q}   <= {1'b0, key_size_i};
      end else if (f_ours && f_ends) f_whole_q <= !subkey_wrong_i;
    end

  logic f_known_q, f_busy_q, f_done_q, f_asks_q;  // the cycle before
  always_ff @(posedge clk) begin
    f_known_q <= !rst;
    f_busy_q  <= load_busy_o;
    f_done_q  <= loadable ? f_ends : passed_q;
    f_asks_q  <= !rst && subkey_want_o && !subkey_taken_i;
  end

  logic [2:0] f_held;  // what stands for it in the registers, or was written into the memory
  if (Contexts > 16) begin : gen_f_memory
    always_ff @(posedge clk)
      if (rst) f_held <= '0;
      else if (note && context_q == f_context) f_held <= {note_usable, size};
  end else begin : gen_f_flip_flops
    assign f_held = gen_flip_flops.held_q[3*f_context+:3];
  end

  always_comb
    if (!rst) begin
      context_exists : suppose ({1'b0, f_context} < (ContextWidth + 1)'(Contexts));
      copies_say_so : lemma (idle_q == (state_q == KEYS_IDLE) && want_q == (state_q == KEYS_ASK)
          && (!passed_q || state_q == KEYS_FENCE) && (!begin_q || state_q == KEYS_FENCE)
          && state_q <= KEYS_POWERS && !(passed_q && begin_q));
      packets_are_counted : lemma (f_turn_t'(newest_d - oldest_d) == f_under_way_q
          && f_under_way_q <= F_ALL);
      watched_is_under_way : lemma (!f_watched_q || (f_before_q < f_under_way_q
          && f_at_q == f_turn_t'(oldest_d + f_before_q)));
      key_step_is_known : lemma (
          state_q == KEYS_SUBKEY ? f_step_q == 2'd1 && loadable
        : state_q == KEYS_POWERS ? f_step_q == 2'd2 && loadable
        : state_q == KEYS_EXPAND || state_q == KEYS_ASK ? f_step_q == 2'd0 && loadable
        : state_q == KEYS_FENCE ? f_step_q == 2'd0 : 1'b1);
      whole_was_built : lemma (!f_whole_q || f_built);
      old_was_built : lemma (!f_old_q || (f_old_size_q != gcm_pkg::KEY_ERASE
          && Sizes[f_old_size_q]));
      size_of_the_load : lemma (!f_ours || size_q == f_size_q);
      loads_until_it_is_whole : lemma (!f_ours || !f_whole_q);
      none_is_earlier_when_idle : lemma (!f_holds_up || idle_q || (state_q == KEYS_FENCE
          && !passed_q));
      context_holds_its_key : lemma (f_held[2]
          == (f_ours ? f_old_q && state_q == KEYS_FENCE : f_whole_q)
          && (!f_held[2] || $onehot(Sizes)
              || f_held[1:0] == (f_ours ? f_old_size_q : f_size_q)));
      begins_to_wait : lemma (!begin_q || f_free_q == '0);
      passes_when_it_has_looked : lemma (state_q != KEYS_FENCE || begin_q || !looked
          || f_free_q <= F_LOOKS + f_turn_t'(1) + f_turn_t'(passed_q));
      passes_in_time : lemma (f_free_q <= F_LOOKS + f_turn_t'(3));
      key_waits_for_its_packets : assert (!f_holds_up || !load_busy_o
          || (state_q == KEYS_FENCE && !passed_q));
      nothing_is_loaded_before : assert (!(idle_q || (state_q == KEYS_FENCE && !passed_q))
          || (!subkey_want_o && !note && !expand_start));
      one_key_at_a_time : assert (!key_ready_o || !load_busy_o);
      busy_until_it_is_whole : assert (!f_known_q || !f_busy_q || load_busy_o || f_done_q);
      no_wrong_size_is_loaded : assert (!subkey_want_o || (exists && size_q != gcm_pkg::KEY_ERASE
          && Sizes[size_q]));
      none_that_is_not_built_is_expanded : assert (!expand_start || loadable);
      subkey_is_asked_for_after_its_round_keys : assert (!subkey_want_o || !expand_busy);
      it_is_asked_for_until_it_is_taken : assert (!f_asks_q || subkey_want_o);
      without_a_key_the_size_is_built : assert (lookup_usable_o || lookup_size_o == SMALLEST);
      usable_when_whole : assert (lookup_context_i != f_context || f_ours || !cleared
          || (lookup_usable_o == f_whole_q && (!lookup_usable_o || lookup_size_o == f_size_q)));
      the_old_one_until_the_fence : assert (lookup_context_i != f_context || !f_ours || !cleared
          || (lookup_usable_o == (f_old_q && state_q == KEYS_FENCE)
              && (!lookup_usable_o || lookup_size_o == f_old_size_q)));
      only_built_sizes_are_usable : assert (!lookup_usable_o || lookup_context_i != f_context
          || (lookup_size_o != gcm_pkg::KEY_ERASE && Sizes[lookup_size_o]));
      beyond_the_last_holds_none : assert ({1'b0, lookup_context_i} < (ContextWidth + 1)'(Contexts)
          || !lookup_usable_o);
      is_waited_for : reach (f_holds_up && load_busy_o && f_before_q != '0);
      goes_on_after_them : reach (state_q == KEYS_EXPAND && f_watched_q && f_ours);
    end

  // ---- a key on its way through the packets; it passes soon after the last one before it is done
  if (Contexts == 1) begin : gen_f_way
    always_comb
      if (!rst) begin
        one_of_no_context_waits_for_none : assert (state_q != KEYS_FENCE || exists
            || f_stays_q <= f_turn_t'(3));
        waits_for_all : lemma (!f_holds_up || state_q != KEYS_FENCE || begin_q
            || f_turn_t'(fence_q - f_at_q - f_turn_t'(1)) < F_ALL);
        for_none_that_came_later : lemma (state_q != KEYS_FENCE || begin_q || (f_rest_q != '0
            ? f_turn_t'(oldest_d + f_rest_q - fence_q) <= F_ALL
            : f_turn_t'(oldest_d - fence_q) <= F_ALL + f_free_q
                && (f_free_q == '0 || f_turn_t'(oldest_q - fence_q) <= F_ALL + f_free_q)));
      end
  end else begin : gen_f_way
    f_turn_t f_look, f_end;
    assign f_look = gen_some.look_q;
    assign f_end  = gen_some.end_q;
    always_comb
      if (!rst) begin
        context_is_noted : lemma (!f_watched_q || (command_q && newest_q == f_at_q
            ? gen_some.command_context_q == f_context_q
            : gen_some.under_way_q[f_at_q[PlaceWidth-1:0]] == f_context_q));
        looks_up_to_the_end : lemma (state_q != KEYS_FENCE || begin_q
            || (f_turn_t'(f_end - f_look) <= F_ALL && f_turn_t'(f_end - fence_q) <= F_ALL));
        end_is_after_it : lemma (!f_holds_up || state_q != KEYS_FENCE || begin_q
            || f_turn_t'(f_end - f_at_q - f_turn_t'(1)) < F_ALL);
        looks_at_it : lemma (!f_holds_up || state_q != KEYS_FENCE || begin_q
            || f_turn_t'(f_at_q - f_look) < F_ALL
            || f_turn_t'(fence_q - f_at_q - f_turn_t'(1)) < F_ALL);
        rest_is_before_the_end : lemma (state_q != KEYS_FENCE || (begin_q
            ? newest_d == f_turn_t'(oldest_d + f_rest_q)
            : f_rest_q != '0 ? f_end == f_turn_t'(oldest_d + f_rest_q)
            : f_turn_t'(oldest_d - f_end) <= f_free_q
                && (f_free_q == '0 || f_turn_t'(oldest_q - f_end) <= f_free_q)));
        looks_a_place_a_cycle : lemma (state_q != KEYS_FENCE || begin_q || looked
            || f_free_q + f_turn_t'(f_end - f_look) <= F_ALL + f_turn_t'(1));
      end
  end
