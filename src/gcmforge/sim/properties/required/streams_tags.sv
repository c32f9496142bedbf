  // ---- packets that have ended come to their tags in so many cycles
  logic [Latency-1:0] f_way_q;
  logic f_room_q;
  always_ff @(posedge clk) begin
    f_way_q  <= rst ? '0 : Latency'({f_way_q, entry_valid_i});
    f_room_q <= !rst && entry_soon_o;
  end

  always_comb
    if (!rst) begin
      a_tag_comes_in_its_time : require (tag_valid_i == f_way_q[Latency-1]);
      a_packet_ends_where_there_is_room : require (!entry_valid_i || f_room_q);
    end
