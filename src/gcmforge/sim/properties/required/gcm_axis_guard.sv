  // What the core offers stays, and stays what it is; an answer is one of the table.
  logic f_text_waits_q, f_answer_waits_q;
  logic [Width+Bytes:0] f_text_q;
  logic [128+gcm_pkg::STATUS_WIDTH:0] f_answer_q;
  always_ff @(posedge clk) begin
    f_text_waits_q   <= !rst && !core_reset && text_valid && !text_ready;
    f_answer_waits_q <= !rst && !core_reset && tag_valid && !tag_ready;
    f_text_q         <= {text_last, text_keep, text_data};
    f_answer_q       <= {tag, tag_ok, tag_status};
  end

  always_comb
    if (!rst) begin
      core_text_stays : require (!f_text_waits_q
          || (text_valid && {text_last, text_keep, text_data} == f_text_q));
      core_answer_stays : require (!f_answer_waits_q
          || (tag_valid && {tag, tag_ok, tag_status} == f_answer_q));
      core_ok_is_status_ok : require (!tag_valid || tag_ok == (tag_status == gcm_pkg::STATUS_OK));
      core_shows_no_tag_with_an_error : require (!tag_valid || tag_ok || tag == '0);
      core_erases_nothing : require (!tag_valid || tag_status != gcm_pkg::STATUS_ERASED);
    end
