  // ---- what the core is given
  (* look = "u_core.aresetn" *) logic f_core_resetn;
  (* look = "u_core.s_key_tdata" *) logic [255:0] f_key;
  (* look = "u_core.s_key_context" *) logic [ContextWidth-1:0] f_key_context;
  (* look = "u_core.s_cmd_context" *) logic [ContextWidth-1:0] f_cmd_context;
  (* look = "u_core.s_cmd_decrypt" *) logic f_decrypt;
  (* look = "u_core.s_cmd_tag" *) logic [127:0] f_cmd_tag;
  (* look = "u_core.s_cmd_tag_bytes" *) logic [4:0] f_cmd_tag_bytes;
  (* look = "u_core.s_cmd_iv" *) logic [127:0] f_cmd_iv;
  (* look = "u_core.s_cmd_void" *) logic f_void;
  (* look = "u_core.s_axis_tdata" *) logic [Width-1:0] f_data;
  (* look = "u_core.s_axis_tkeep" *) logic [Bytes-1:0] f_keep;
  (* look = "u_core.s_axis_tuser" *) logic f_user;
  (* look = "u_core.s_axis_tlast" *) logic f_last;
  (* look = "u_core.s_axis_aad" *) logic [gcm_pkg::SIDE_LANES*128-1:0] f_aad;
  (* look = "u_core.s_axis_aad_keep" *) logic [gcm_pkg::SIDE_LANES*16-1:0] f_aad_keep;

  // ---- what was offered outside in the cycle before, and not taken
  logic f_text_kept_q, f_answer_kept_q;
  logic [Width+Bytes:0] f_outside_q;
  logic [128+gcm_pkg::STATUS_WIDTH:0] f_told_q;
  always_ff @(posedge clk) begin
    f_text_kept_q   <= !rst && m_axis_tvalid && !m_axis_tready;
    f_answer_kept_q <= !rst && m_tag_tvalid && !m_tag_tready;
    f_outside_q     <= {m_axis_tlast, m_axis_tkeep, m_axis_tdata};
    f_told_q        <= {m_tag_tag, m_tag_ok, m_tag_status};
  end

  always_comb
    if (!rst) begin
      zeros_go_in : assert (!zeros || (f_key == '0 && f_key_context == zeros_context
          && f_cmd_context == zeros_context && !f_decrypt && f_cmd_tag == '0 && f_cmd_iv == '0
          && !f_void && f_data == '0 && f_user && f_last && f_aad == '0 && f_aad_keep == '0));
      key_and_command_go_in : assert (zeros || (f_key == s_key_tdata
          && f_key_context == s_key_context && (made || (f_cmd_context == s_cmd_context
          && f_decrypt == s_cmd_decrypt && f_cmd_tag == s_cmd_tag
          && f_cmd_tag_bytes == s_cmd_tag_bytes))));
      a_command_that_is_made_is_refused : assert (zeros || (f_void == made && (!made
          || (f_decrypt && f_cmd_tag == '0 && f_cmd_context == '0))));
      data_goes_in : assert (zeros || closes || doubt || (f_data == s_axis_tdata
          && f_keep == s_axis_tkeep && f_user == s_axis_tuser && f_last == s_axis_tlast
          && f_aad == s_axis_aad && f_aad_keep == s_axis_aad_keep));
      doubtful_data_is_no_frame : assert (zeros || !(closes || doubt) || (f_data == '0
          && f_aad == '0 && f_aad_keep == '0 && f_keep[1] && !f_keep[0] && !f_user));
      a_frame_that_is_ended_ends : assert (zeros || !closes || f_last);
      core_is_reset_with_the_rest : assert (f_core_resetn == !core_reset);
      nothing_of_the_core_is_seen : assert (!zeros || (m_axis_tdata == '0 && m_axis_tkeep == '0
          && m_tag_tag == '0 && !m_tag_ok));
      erased_text_ends : assert (!zeros || !m_axis_tvalid || m_axis_tlast);
      erased_is_told : assert (!m_tag_tvalid || zeros == (m_tag_status == gcm_pkg::STATUS_ERASED));
      ok_is_status_ok : assert (!m_tag_tvalid || m_tag_ok == (m_tag_status == gcm_pkg::STATUS_OK));
      no_tag_with_an_error : assert (!m_tag_tvalid || m_tag_ok || m_tag_tag == '0);
      nothing_moves_while_busy : assert (!zeroise_busy || !(m_axis_tvalid || m_tag_tvalid
          || s_key_tready || s_cmd_tready || beat_ready));
      text_stays : assert (!f_text_kept_q || zeroise_busy
          || (m_axis_tvalid && {m_axis_tlast, m_axis_tkeep, m_axis_tdata} == f_outside_q));
      answer_stays : assert (!f_answer_kept_q || zeroise_busy
          || (m_tag_tvalid && {m_tag_tag, m_tag_ok, m_tag_status} == f_told_q));
      core_gives_something : reach (text_valid && text_data != '0 && tag_valid && tag != '0
          && (zeros || m_axis_tvalid));
    end
