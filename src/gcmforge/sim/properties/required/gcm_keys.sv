  // Packets under way, counted plainly: there is a place for each, and none is done that is not.
  logic [TurnWidth-1:0] f_under_way_q;
  always_ff @(posedge clk)
    if (rst) f_under_way_q <= '0;
    else f_under_way_q <= f_under_way_q + TurnWidth'(command_accept_i) - TurnWidth'(packet_done_i);

  always_comb
    if (!rst) begin
      a_packet_has_a_place : require (!command_accept_i || 32'(f_under_way_q) < 2 ** PlaceWidth);
      done_is_under_way : require (!packet_done_i || f_under_way_q != '0);
    end
