  // ---- what there was in the cycle before
  logic f_there_q, f_fault_q, f_fails_q, f_lost_q, f_found_q;
  always_ff @(posedge clk) begin
    f_there_q <= !rst;
    f_fault_q <= fault_i;
    f_fails_q <= fails_o;
    f_lost_q  <= lost_o;
    f_found_q <= found_i;
  end

  always_comb
    if (!rst) begin
      copies_agree : lemma (copies_q == {3{q}});
      a_fault_takes_the_place : assert (!f_there_q || !f_fault_q || (fails_o && lost_o));
      nothing_else_takes_it : assert (!f_there_q || f_fails_q || f_fault_q || !fails_o);
      key_is_lost_until_another_is_there : assert (!f_there_q || !f_lost_q || lost_o
          || (f_found_q && !f_fails_q));
      something_can_go_on : assert (!fails_o || key_ready_o || command_ready_o || data_ready_o
          || text_valid_o || answer_valid_o);
      answer_comes_last : assert (!answer_valid_o || !(key_ready_o || command_ready_o
          || data_ready_o || text_valid_o));
      it_ends_between_packets_and_keys : assert (!f_there_q || !f_fails_q || fails_o
          || (!open && !key_left));
      one_is_answered : reach (f_there_q && f_fails_q && fails_o && answer_valid_o);
      it_ends : reach (f_there_q && f_fails_q && !fails_o);
    end
