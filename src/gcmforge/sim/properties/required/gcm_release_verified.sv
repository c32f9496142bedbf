  (* look = "u_pending.count_q" *) logic [$clog2(Pending + 1)-1:0] f_pending;

  always_comb
    if (!rst) begin
      verdict_has_its_end : require (!verdict_valid_i || f_pending != '0);
      end_has_a_place : require (!end_i || 32'(f_pending) < Pending);
    end
