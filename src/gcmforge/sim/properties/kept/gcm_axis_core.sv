  // ---- AXI4-Stream: what is offered stays, and stays the same, until it is taken. (Of data and
  // tag themselves axis_skid and gcm_tag are proven to keep that.)
  logic f_text_waits_q, f_tag_waits_q;
  logic [gcm_pkg::BYTES:0] f_text_q;
  logic [gcm_pkg::STATUS_WIDTH:0] f_tag_q;

  always_ff @(posedge clk) begin
    f_text_waits_q <= !rst && m_axis_tvalid && !m_axis_tready;
    f_text_q       <= {m_axis_tlast, m_axis_tkeep};
    f_tag_waits_q  <= !rst && m_tag_tvalid && !m_tag_tready;
    f_tag_q        <= {m_tag_ok, m_tag_status};
  end

  always_comb
    if (!rst) begin
      text_stays : assert (!f_text_waits_q
          || (m_axis_tvalid && f_text_q == {m_axis_tlast, m_axis_tkeep}));
      answer_stays : assert (!f_tag_waits_q
          || (m_tag_tvalid && f_tag_q == {m_tag_ok, m_tag_status}));
    end

  // ---- packets: one answer for each command, when its frame has come in, in order
  localparam int F_COUNT = 7;
  logic f_command, f_first, f_frame_ends, f_answer;
  logic [11:0] f_more_q;  // beats of a long IV that are still to come
  logic [F_COUNT-1:0] f_commands_q, f_frames_q, f_answers_q;

  assign f_first      = f_more_q == '0;
  assign f_command    = s_cmd_tvalid && s_cmd_tready && f_first;
  assign f_frame_ends = s_axis_tvalid && s_axis_tready && s_axis_tlast;
  assign f_answer     = m_tag_tvalid && m_tag_tready;

  always_ff @(posedge clk)
    if (rst) {f_more_q, f_commands_q, f_frames_q, f_answers_q} <= '0;
    else begin
      if (s_cmd_tvalid && s_cmd_tready) begin
        if (!f_first) f_more_q <= f_more_q - 12'd1;
        else if (s_cmd_iv_bytes > 16'd16)
          f_more_q <= 12'((17'(s_cmd_iv_bytes) + 17'd15) >> 4) - 12'd1;
      end
      f_commands_q <= f_commands_q + F_COUNT'(f_command);
      f_frames_q   <= f_frames_q + F_COUNT'(f_frame_ends);
      f_answers_q  <= f_answers_q + F_COUNT'(f_answer);
    end

  // ---- a packet is watched, whichever: its command, its frame and its answer have one number
  logic f_bad_q, f_partial_q, f_text_q1;
  logic f_decrypt_q, f_void_q, f_iv_good_q, f_tag_good_q, f_key_q;
  logic [gcm_pkg::CONTEXTS-1:0] f_key_seen_q;  // a key was offered for the context
  logic f_beat, f_bad;
  logic [gcm_pkg::BYTES-1:0] f_next_keep;

  (* anyconst *) logic [F_COUNT-1:0] f_chosen;
  assign f_beat      = s_axis_tvalid && s_axis_tready && f_frames_q == f_chosen;
  assign f_next_keep = s_axis_tkeep & (s_axis_tkeep + gcm_pkg::BYTES'(1));
  assign f_bad       = f_next_keep != '0 || (f_text_q1 && !s_axis_tuser)
      || (f_partial_q && f_text_q1 == s_axis_tuser);

  always_ff @(posedge clk)
    if (rst) begin
      {f_bad_q, f_partial_q, f_text_q1} <= '0;
      f_key_seen_q <= '0;
    end else begin
      if (s_key_tvalid && s_key_tready)
        for (int c = 0; c < gcm_pkg::CONTEXTS; c++)
          if (s_key_context == gcm_pkg::CONTEXT_WIDTH'(c)) f_key_seen_q[c] <= 1'b1;
      if (f_command && f_commands_q == f_chosen) begin
        f_decrypt_q  <= s_cmd_decrypt;
        f_void_q     <= s_cmd_void;
        f_iv_good_q  <= s_cmd_iv_bytes == 16'd12 || (gcm_pkg::ANY_IV && s_cmd_iv_bytes != '0);
        f_tag_good_q <= s_cmd_tag_bytes == 5'd4 || s_cmd_tag_bytes == 5'd8
            || (s_cmd_tag_bytes >= 5'd12 && s_cmd_tag_bytes <= 5'd16);
        f_key_q      <= s_key_tvalid && s_key_tready;
        for (int c = 0; c < gcm_pkg::CONTEXTS; c++)
          if (s_cmd_context == gcm_pkg::CONTEXT_WIDTH'(c))
            f_key_q <= f_key_seen_q[c] || (s_key_tvalid && s_key_tready);
      end
      if (f_beat) begin
        f_bad_q     <= f_bad_q || f_bad;
        f_partial_q <= s_axis_tkeep != '1;
        f_text_q1   <= f_text_q1 || s_axis_tuser;
      end
    end

  logic f_ours;  // the answer at the port is the watched packet's
  logic f_one_way;  // it is refused by a core that has the other direction
  assign f_ours    = m_tag_tvalid && f_answers_q == f_chosen;
  assign f_one_way = gcm_pkg::STATUS_WIDTH > 3 && 32'(m_tag_status) == 8;

  always_comb
    if (!rst) begin
      numbers_do_not_wrap : suppose (f_commands_q != '1 && f_frames_q != '1);
      answer_has_its_command : assert (!m_tag_tvalid || f_answers_q != f_commands_q);
      answer_has_its_frame : assert (!m_tag_tvalid || f_answers_q != f_frames_q);
      ok_is_status_ok : assert (!m_tag_tvalid || m_tag_ok == (m_tag_status == gcm_pkg::STATUS_OK));
      void_is_bad_frame : assert (!(f_ours && f_void_q) || m_tag_status == gcm_pkg::STATUS_BAD_FRAME);
      no_key_is_said : assert (!(f_ours && !f_void_q && !f_key_q)
          || m_tag_status == gcm_pkg::STATUS_NO_KEY);
      bad_iv_is_said : assert (!(f_ours && !f_void_q && f_key_q && !f_iv_good_q)
          || m_tag_status == gcm_pkg::STATUS_NO_KEY || m_tag_status == gcm_pkg::STATUS_BAD_IV);
      bad_tag_length_is_said : assert (!(f_ours && !f_void_q && f_key_q && f_iv_good_q
          && !f_tag_good_q) || m_tag_status == gcm_pkg::STATUS_NO_KEY
          || m_tag_status == gcm_pkg::STATUS_BAD_TAG_LENGTH || f_one_way);
      bad_frame_is_said : assert (!(f_ours && f_bad_q) || m_tag_status != gcm_pkg::STATUS_OK);
      good_frame_is_taken : assert (!(f_ours && !f_void_q && !f_bad_q)
          || m_tag_status != gcm_pkg::STATUS_BAD_FRAME || gcm_pkg::AHEAD_PLACES != 0
          || gcm_pkg::AAD_LANES != 0);
      only_decryption_fails : assert (!(f_ours && !f_decrypt_q)
          || m_tag_status != gcm_pkg::STATUS_AUTH_FAIL);
    end
