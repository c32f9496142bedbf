  // What was said a cycle before holds now: who is to take the oldest slot, and who can.
  gcm_pkg::takers_t f_next_q;
  logic f_step_q, f_out_q, f_hash_q, f_tag_q, f_stream_q, f_begun_step_q;

  always_ff @(posedge clk) begin
    f_begun_step_q <= !rst;
    f_next_q   <= next_i;
    f_out_q    <= out_soon_i;
    f_hash_q   <= hash_soon_i;
    f_tag_q    <= tag_soon_i;
    f_stream_q <= stream_soon_i;
    f_step_q   <= soon_o;
  end

  always_comb
    if (!rst && f_begun_step_q) begin
      soon_is_ready : require ((!f_out_q || out_ready_i) && (!f_hash_q || hash_ready_i)
          && (!f_tag_q || tag_ready_i));
      error_needs_no_place : require (!(Drops && f_next_q.error) || out_ready_i);
      next_is_this_slot : require (f_next_q.out == slot_i.fact.gives_out
          && f_next_q.hash == slot_i.hash && f_next_q.tag == slot_i.tag);
    end
