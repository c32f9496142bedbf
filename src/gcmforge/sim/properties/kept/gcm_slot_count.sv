  // ---- the first error of a packet stays its status to its end; a new packet begins without one
  (* look = "u_text.add_i" *) logic f_adds_text;
  (* look = "u_text.end_i" *) logic f_ends_text;
  (* look = "u_text.step_i" *) logic [gcm_pkg::SIZE_WIDTH-1:0] f_text_bytes;
  (* look = "u_text.over_o" *) logic f_text_over;
  (* look = "u_aad.add_i" *) logic f_adds_aad;
  (* look = "u_aad.end_i" *) logic f_ends_aad;
  (* look = "u_aad.step_i" *) logic [gcm_pkg::SIZE_WIDTH-1:0] f_aad_bytes;
  (* look = "u_aad.over_o" *) logic f_aad_over;
  logic [gcm_pkg::STATUS_WIDTH-1:0] f_first_q, f_status, f_status_q;
  logic [gcm_pkg::BYTES-1:0] f_keep, f_keep_q;
  // the length block goes with the end, or has a slot of its own; a key's block is for nobody here
  logic f_blocks, f_lengths, f_key, f_lengths_q, f_hash_q, f_tag_q, f_gives_q;
  assign f_key     = sized_i.fact.kind == gcm_pkg::SLOT_KEY;
  assign f_blocks  = sized_i.fact.count != '0 || (sized_i.side && gcm_pkg::AAD_LANES != 0);
  assign f_lengths = sized_i.packet && sized_i.fact.closes && !(gcm_pkg::OWN_TAIL && f_blocks);

  assign f_status = f_first_q != gcm_pkg::STATUS_OK ? f_first_q
      : sized_i.fact.status != gcm_pkg::STATUS_OK ? sized_i.fact.status
      : sized_i.packet && (f_text_over || f_aad_over) ? gcm_pkg::STATUS_TOO_LONG
      : gcm_pkg::STATUS_OK;

  always_comb
    for (int b = 0; b < gcm_pkg::BYTES; b++)
      f_keep[b] = 32'(sized_i.fact.count) * 16 > b + 16 - 32'(sized_i.tail_bytes);

  always_ff @(posedge clk)
    if (rst) f_first_q <= gcm_pkg::STATUS_OK;
    else if (passes_i) f_first_q <= sized_i.fact.closes ? gcm_pkg::STATUS_OK : f_status;

  always_ff @(posedge clk)
    if (load_i) begin
      f_status_q  <= f_status;
      f_keep_q    <= f_keep;
      f_lengths_q <= f_lengths;
      f_hash_q    <= !f_key && (f_blocks || f_lengths);
      f_tag_q     <= !f_key && sized_i.fact.closes;
      f_gives_q   <= sized_i.fact.gives_out;
    end

  always_comb
    if (!rst) begin
      first_error_is_kept : lemma (f_first_q == so_far);
      good_says_so : lemma (good_q == (status_q == gcm_pkg::STATUS_OK)
          && (!over_q || status_q == gcm_pkg::STATUS_OK));
      status_is_the_first_error : lemma (!valid_o || slot_o.fact.status == f_status_q);
      bytes_are_counted_to_the_first_error : assert (f_adds_text == f_adds_aad
          && f_adds_text == (passes_i && f_first_q == gcm_pkg::STATUS_OK)
          && f_text_bytes == sized_i.text_bytes && f_aad_bytes == sized_i.aad_bytes);
      a_packet_ends_once : assert (f_ends_text == f_ends_aad
          && f_ends_text == (passes_i && sized_i.fact.closes));
      keep_is_of_its_bytes : assert (!valid_o || slot_o.keep == f_keep_q);
      lengths_go_with_the_end : assert (!valid_o || slot_o.adds_lengths == f_lengths_q);
      takers_are_its_own : assert (!valid_o || {slot_o.hash, slot_o.tag, slot_o.fact.gives_out}
          == {f_hash_q, f_tag_q, f_gives_q});
      no_key_goes_into_a_tag : assert (!valid_o || !slot_o.tag
          || slot_o.fact.kind != gcm_pkg::SLOT_KEY);
      end_goes_to_the_tag : assert (!valid_o || !slot_o.fact.closes
          || slot_o.fact.kind == gcm_pkg::SLOT_KEY || slot_o.tag);
      nothing_without_a_slot : assert (valid_o
          || !(slot_o.tag || slot_o.hash || slot_o.fact.gives_out));
      error_is_told : reach (valid_o && slot_o.tag
          && slot_o.fact.status == gcm_pkg::STATUS_BAD_FRAME);
    end
