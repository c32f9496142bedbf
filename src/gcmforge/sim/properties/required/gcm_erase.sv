  // Of packets from outside: one answer each, after its frame. Of packets of zeros: one text beat
  // and one answer each, after what was sent of it. What the core offers stays.
  logic f_text_waits_q, f_tag_waits_q;
  always_ff @(posedge clk) begin
    f_text_waits_q <= !rst && !core_reset_o && text_valid_i && !text_ready_o;
    f_tag_waits_q  <= !rst && !core_reset_o && tag_valid_i && !tag_ready_o;
  end

  always_comb
    if (!rst) begin
      few_are_under_way : require (owed_q != '1 || !command_first);
      an_answer_has_its_frame : require (!tag_valid_i || !(run || drain) || owed_q > unfinished_q);
      zeros_have_one_answer : require (!tag_valid_i || !play
          || (tags_q > beats_q && tags_q > commands_q));
      zeros_have_one_text : require (!text_valid_i || !play || texts_q > beats_q);
      none_comes_after_quiet : require (!text_valid_i || !drain || quiet_q != QuietWidth'(Quiet));
      text_of_the_core_stays : require (!f_text_waits_q || text_valid_i);
      answer_of_the_core_stays : require (!f_tag_waits_q || tag_valid_i);
    end
