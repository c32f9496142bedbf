  // ---- a packet as its command and its beats say it, from the table of docs/reference/ports.md
  logic f_open_q, f_text_q, f_partial_q, f_leaves_q, f_ended_q;
  logic [gcm_pkg::STATUS_WIDTH-1:0] f_status_q, f_at_start;
  logic f_decrypt_q;
  logic [gcm_pkg::CONTEXT_WIDTH-1:0] f_context_q;
  logic [1:0] f_size_q;
  logic [4:0] f_tag_bytes_q;
  logic f_tag_good, f_holes, f_bad, f_slot_ends;
  logic [gcm_pkg::BYTES-1:0] f_above;

  assign f_tag_good = command_i.tag_bytes == 5'd4 || command_i.tag_bytes == 5'd8
      || command_i.tag_bytes == 5'd12 || command_i.tag_bytes == 5'd13
      || command_i.tag_bytes == 5'd14 || command_i.tag_bytes == 5'd15
      || command_i.tag_bytes == 5'd16;
  assign f_at_start = command_i.is_void ? gcm_pkg::STATUS_BAD_FRAME
      : !usable_i ? gcm_pkg::STATUS_NO_KEY
      : command_i.iv_bytes == '0 || (command_i.iv_bytes != 16'd12 && !gcm_pkg::ANY_IV)
          ? gcm_pkg::STATUS_BAD_IV
      : !f_tag_good ? gcm_pkg::STATUS_BAD_TAG_LENGTH : gcm_pkg::STATUS_OK;

  // a byte after one that is not there; byte 0 is the top of the beat, and bit 0 of keep
  always_comb begin
    f_above = '0;
    for (int b = 1; b < gcm_pkg::BYTES; b++) f_above[b] = in_keep_i[b] && !in_keep_i[b-1];
  end
  assign f_holes = f_above != '0;
  assign f_bad   = f_holes || (f_text_q && !in_text_i) || (f_partial_q && f_text_q == in_text_i);
  assign f_slot_ends = slot_valid_o && slot_ready_i && slot_o.fact.closes
      && (slot_o.fact.kind == gcm_pkg::SLOT_TEXT || slot_o.fact.kind == gcm_pkg::SLOT_AAD);

  always_ff @(posedge clk)
    if (rst) {f_open_q, f_ended_q} <= '0;
    else begin
      if (start) begin
        f_open_q   <= 1'b1;
        f_ended_q  <= 1'b0;
        f_status_q <= f_at_start;
        {f_decrypt_q, f_context_q, f_size_q, f_tag_bytes_q}
            <= {command_i.decrypt, command_i.context_id, size_i, command_i.tag_bytes};
        {f_text_q, f_partial_q, f_leaves_q} <= '0;
      end else begin
        if (f_slot_ends) f_open_q <= 1'b0;
        if (command_valid_i && command_ready_o && command_i.is_void
            && f_status_q == gcm_pkg::STATUS_OK)
          f_status_q <= gcm_pkg::STATUS_BAD_FRAME;
        if (in_valid_i && in_ready_o) begin
          if (f_bad && f_status_q == gcm_pkg::STATUS_OK) f_status_q <= gcm_pkg::STATUS_BAD_FRAME;
          f_text_q    <= f_text_q || in_text_i;
          f_partial_q <= in_keep_i != '1;
          f_leaves_q  <= f_leaves_q || (in_text_i && in_keep_i != '0);
          f_ended_q   <= in_last_i;
        end
      end
    end

  // ---- cycles in a row in which all send and all take, no J0 is computed, and yet nothing moves
  logic f_all, f_moves;
  logic [1:0] f_still_q;
  assign f_all   = command_valid_i && !command_blocked_i && in_valid_i && slot_ready_i
      && aes_ready_i && !in_iv_wait;
  assign f_moves = (command_valid_i && command_ready_o) || (in_valid_i && in_ready_o)
      || (slot_valid_o && slot_ready_i);
  always_ff @(posedge clk)
    if (rst || !f_all || f_moves) f_still_q <= 2'd0;
    else if (f_still_q != 2'd3) f_still_q <= f_still_q + 2'd1;

  always_comb
    if (!rst) begin
      no_lanes_of_aad : suppose (in_side_keep_i == '0);
      one_state_at_a_time : lemma ($onehot({idle, in_iv, in_iv_length, in_iv_wait, in_data, in_close})
          || ({idle, in_iv, in_iv_length, in_iv_wait, in_data, in_close} == '0 && f_open_q));
      idle_between_packets : lemma (idle == !f_open_q);
      data_before_its_end : lemma (!(f_open_q && !f_ended_q) == (idle || in_close));
      status_is_the_first_error : lemma (gcm_pkg::AHEAD_PLACES != 0 || !f_open_q
          || status_q == f_status_q);
      command_is_remembered : lemma (!f_open_q || {decrypt_q, context_q, size_q, tag_bytes_q}
          == {f_decrypt_q, f_context_q, f_size_q, f_tag_bytes_q});
      slot_says_its_command : assert (!(slot_valid_o && f_open_q)
          || slot_o.fact.kind == gcm_pkg::SLOT_KEY
          || (slot_o.fact.decrypt == f_decrypt_q && slot_o.fact.context_id == f_context_q
              && slot_o.fact.tag_bytes == f_tag_bytes_q));
      blocks_are_of_its_key : assert (!(aes_valid_o && f_open_q)
          || slot_o.fact.kind == gcm_pkg::SLOT_KEY
          || (aes_context_o == f_context_q && aes_size_o == f_size_q));
      frame_is_remembered : lemma (!f_open_q || (text_seen_q == f_text_q
          && out_seen_q == f_leaves_q));
      partial_beat_is_remembered : lemma (!f_open_q || f_status_q != gcm_pkg::STATUS_OK
          || partial_q == f_partial_q);
      slot_says_its_status : assert (gcm_pkg::AHEAD_PLACES != 0
          || !(slot_valid_o && (data_slot || close_slot))
          || slot_o.fact.status == (f_status_q != gcm_pkg::STATUS_OK ? f_status_q
              : data_slot && f_bad ? gcm_pkg::STATUS_BAD_FRAME : gcm_pkg::STATUS_OK));
      one_end_a_packet : assert (!f_slot_ends || (f_open_q
          && (f_ended_q || (in_valid_i && in_ready_o && in_last_i))));
      next_begins_after_the_end : assert (!start || !f_open_q || f_slot_ends);
      next_begins_with_the_end : assert (!f_slot_ends || !command_valid_i || command_blocked_i
          || start);
      nothing_waits_for_a_beat_of_nothing : assert (!(f_open_q && !f_ended_q && in_data)
          || subkey_want_i || !empty_beat || in_last_i || in_ready_o);
      beats_of_text_leave : assert (!(in_valid_i && in_ready_o && in_text_i && !in_null_i)
          || (slot_valid_o && slot_ready_i && slot_o.fact.gives_out));
      nothing_else_leaves : assert (!(slot_valid_o && slot_o.fact.gives_out) || (in_valid_i
          && ((in_text_i && !in_null_i) || (in_last_i && f_leaves_q))));
      text_ends_once : assert (!(slot_valid_o && slot_o.fact.gives_out)
          || slot_o.fact.out_last == in_last_i);
      key_slot_gives_nothing_out : assert (!(slot_valid_o && slot_o.fact.kind == gcm_pkg::SLOT_KEY)
          || (!slot_o.fact.gives_out && !slot_o.fact.closes && !slot_o.fact.has_j0));
      no_tag_is_expected_of_plaintext : lemma (!f_open_q || f_decrypt_q || tag_q == '0);
      no_slot_without_a_use : assert (!(slot_valid_o && data_slot) || !in_null_i || in_last_i);
      no_key_stream_without_a_use : assert (!aes_valid_o || drain_slot || slot_o.fact.has_j0
          || slot_o.fact.kind == gcm_pkg::SLOT_KEY
          || (slot_o.fact.kind == gcm_pkg::SLOT_TEXT && in_valid_i && !in_null_i));
      goes_on_in_time : assert (gcm_pkg::AHEAD_PLACES != 0 || !f_all || f_moves
          || f_still_q < 2'd2);
      bad_frame_is_said : reach (slot_valid_o && slot_o.fact.closes && f_open_q
          && slot_o.fact.kind == gcm_pkg::SLOT_TEXT
          && slot_o.fact.status == gcm_pkg::STATUS_BAD_FRAME);
      good_packet_ends : reach (f_slot_ends && slot_o.fact.status == gcm_pkg::STATUS_OK
          && slot_o.fact.gives_out);
    end
