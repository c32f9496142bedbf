  // ---- what is held: packets on their way to their tags, one that has just got it, answers
  localparam int F_ANSWER = TidWidth + 128 + StatusWidth;
  localparam int F_COUNT = $clog2(Latency + Depth + 2);
  (* look = "u_answers.count_q" *) logic [CountWidth-1:0] f_answers;
  (* look = "u_answers.words_q" *) logic [F_ANSWER*Depth-1:0] f_words;
  logic [F_COUNT-1:0] f_on_way;
  logic f_clean;  // no answer that is not OK has a bit of a tag; any one bit stands for all
  (* anyconst *) logic [6:0] f_bit;

  always_comb begin
    f_on_way = '0;
    for (int i = 0; i < Latency; i++) f_on_way = f_on_way + F_COUNT'(f_way_q[i]);
    f_clean = !made_q || made_status_q == gcm_pkg::STATUS_OK || !made_tag_q[f_bit];
    for (int i = 0; i < Depth; i++)
      if (CountWidth'(i) < f_answers && f_words[F_ANSWER*i+StatusWidth+32'(f_bit)]
          && f_words[F_ANSWER*i+:StatusWidth] != gcm_pkg::STATUS_OK)
        f_clean = 1'b0;
  end

  // ---- a tag that differs in that bit from the one expected
  logic f_wrong_q;
  always_ff @(posedge clk)
    f_wrong_q <= !rst && tag_valid_i && decrypt && status == gcm_pkg::STATUS_OK
        && 5'(4'd15 - f_bit[6:3]) < bytes && tag_i[f_bit];

  // ---- an answer that is offered, and not taken
  logic f_waits_q, f_waiting_bit_q;
  logic [TidWidth-1:0] f_waiting_tid_q;
  logic [StatusWidth-1:0] f_waiting_q;
  always_ff @(posedge clk) begin
    f_waits_q       <= !rst && answer_valid_o && !answer_ready_i;
    f_waiting_q     <= answer_status_o;
    f_waiting_tid_q <= answer_tid_o;
    f_waiting_bit_q <= answer_tag_o[f_bit];
  end

  always_comb
    if (!rst) begin
      places_are_counted : lemma ({{F_COUNT{1'b0}}, held_q} == (F_COUNT + CountWidth)'(f_on_way)
          + (F_COUNT + CountWidth)'(made_q) + (F_COUNT + CountWidth)'(f_answers));
      no_more_than_there_are : lemma ({1'b0, held_q} <= (CountWidth + 1)'(Depth));
      room_was_told : lemma (!f_room_q || held_q != CountWidth'(Depth));
      no_tag_of_what_is_refused : lemma (f_clean);
      answer_has_a_place : assert (!made_q || room);
      hidden_when_not_valid : assert (answer_valid_o || answer_tag_o[f_bit] == 1'b0);
      tag_only_with_ok : assert (answer_status_o == gcm_pkg::STATUS_OK || !answer_tag_o[f_bit]);
      wrong_tag_fails : assert (!f_wrong_q
          || (made_q && made_status_q == gcm_pkg::STATUS_AUTH_FAIL));
      answer_stays : assert (!f_waits_q || (answer_valid_o && answer_status_o == f_waiting_q
          && answer_tid_o == f_waiting_tid_q && answer_tag_o[f_bit] == f_waiting_bit_q));
      all_places_are_held : reach (held_q == CountWidth'(Depth));
      a_wrong_tag_is_answered : reach (answer_valid_o
          && answer_status_o == gcm_pkg::STATUS_AUTH_FAIL);
    end
