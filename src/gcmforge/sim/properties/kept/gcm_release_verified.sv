  // ---- where beats lie: the head of the turns, what else has its turn, what waits for its verdict,
  // the packet under way
  (* look = "u_pending.words_q" *) logic [CountWidth*Pending-1:0] f_pending_words;
  (* look = "u_turns.count_q" *) logic [CountWidth-1:0] f_turns;
  (* look = "u_turns.words_q" *) logic [(CountWidth+1)*Depth-1:0] f_turn_words;

  // what the memory is told, and what has been read of it and not taken
  (* look = "u_beats.read_i" *) logic f_ram_read;
  (* look = "u_beats.read_addr_i" *) logic [PtrWidth-1:0] f_ram_at;
  logic f_offered_q, f_waits_q, f_waiting_q;

  always_ff @(posedge clk) begin
    f_offered_q <= !rst && (f_ram_read || (f_offered_q && !out_ready_i));
    f_waits_q   <= !rst && out_valid_o && !out_ready_i;
    f_waiting_q <= out_beat_o[0];
  end

  localparam int F_WIDTH = CountWidth + 4;
  typedef logic [F_WIDTH-1:0] f_sum_t;
  f_sum_t f_turn_beats, f_turn_beats_before, f_pending_beats, f_pending_beats_before;
  logic f_turns_have_beats;
  logic [2:0] f_stage_q;
  logic [CountWidth-1:0] f_before_q, f_index_q;

  always_comb begin
    {f_turn_beats, f_turn_beats_before, f_pending_beats, f_pending_beats_before} = '0;
    f_turns_have_beats = 1'b1;
    for (int i = 0; i < Depth; i++)
      if (i < 32'(f_turns)) begin
        f_turn_beats = f_turn_beats + f_sum_t'(f_turn_words[(CountWidth+1)*i+:CountWidth]);
        if (i < 32'(f_before_q))
          f_turn_beats_before = f_turn_beats_before
              + f_sum_t'(f_turn_words[(CountWidth+1)*i+:CountWidth]);
        if (f_turn_words[(CountWidth+1)*i+:CountWidth] == '0) f_turns_have_beats = 1'b0;
      end
    for (int i = 0; i < Pending; i++)
      if (i < 32'(f_pending)) begin
        f_pending_beats = f_pending_beats + f_sum_t'(f_pending_words[CountWidth*i+:CountWidth]);
        if (i < 32'(f_before_q))
          f_pending_beats_before = f_pending_beats_before
              + f_sum_t'(f_pending_words[CountWidth*i+:CountWidth]);
      end
  end

  // a place so many beats after another one, at most two rounds
  function automatic f_sum_t f_after(input logic [PtrWidth-1:0] at, input f_sum_t many);
    f_after = f_sum_t'(at) + many;
    if (f_after >= f_sum_t'(Depth)) f_after = f_after - f_sum_t'(Depth);
  endfunction

  logic f_soon_q;
  always_ff @(posedge clk) f_soon_q <= !rst && in_soon_o;

  always_comb
    if (!rst) begin
      beats_are_counted : lemma (f_sum_t'(used_q) + f_sum_t'(taken_q)
          == f_turn_beats + f_pending_beats + f_sum_t'(length_q));
      ring_holds_them : lemma (32'(used_q) <= Depth && 32'(read_q) < Depth && 32'(write_q) < Depth
          && 32'(start_q) < Depth);
      turns_have_beats : lemma (f_turns_have_beats);
      taken_of_the_head : lemma (taken_q == '0 || (f_turns != '0
          && f_turn_words[CountWidth] && taken_q < f_turn_words[CountWidth-1:0]));
      write_after_all : lemma (f_sum_t'(write_q) == f_after(read_q, f_sum_t'(used_q)));
      packet_starts_before : lemma (length_q <= used_q
          && f_sum_t'(start_q) == f_after(read_q, f_sum_t'(used_q) - f_sum_t'(length_q)));
      turn_has_a_place : assert (!verdict_valid_i || judged_length == '0 || turn_space);
      soon_keeps_its_word : assert (!f_soon_q || in_ready_o);
      offers_what_was_read : lemma (out_valid_o == f_offered_q);
      reads_where_there_is_room : assert (!f_ram_read || !out_valid_o || out_ready_i);
      goes_on : assert (!turn_valid || fetch || turn_done || (out_valid_o && !out_ready_i));
      offers_stay : assert (!f_waits_q || (out_valid_o && out_beat_o[0] == f_waiting_q));
    end

  // ---- a beat is watched, chosen freely as it comes in
  localparam logic [2:0] F_NONE = 3'd0;
  localparam logic [2:0] F_COMES = 3'd1;   // its packet is under way
  localparam logic [2:0] F_WAITS = 3'd2;   // its packet has no verdict
  localparam logic [2:0] F_GOOD = 3'd3;    // its packet is good, and waits for its turn
  localparam logic [2:0] F_BAD = 3'd4;     // its packet is bad, and waits for its turn
  localparam logic [2:0] F_DROPPED = 3'd5; // it lies there, and its place is free
  (* anyseq *) logic f_watch;
  logic [PtrWidth-1:0] f_at_q;
  logic f_bit_q, f_given_back, f_read, f_read_q, f_read_bit_q;

  assign f_given_back = in_error_i && (end_i || (in_valid_i && in_ready_o));
  assign f_read       = fetch && f_stage_q == F_GOOD && f_before_q == '0 && taken_q == f_index_q;

  always_ff @(posedge clk) begin
    f_read_q     <= !rst && f_read;
    f_read_bit_q <= f_bit_q;
    if (rst) f_stage_q <= F_NONE;
    else
      case (f_stage_q)
        F_NONE:
        if (push && f_watch) begin
          f_stage_q  <= end_i ? F_WAITS : F_COMES;
          f_at_q     <= write_q;
          f_index_q  <= length_q;
          f_bit_q    <= in_beat_i[0];
          f_before_q <= CountWidth'(f_pending) - CountWidth'(verdict_valid_i);
        end
        F_COMES:
        if (f_given_back) f_stage_q <= F_DROPPED;
        else if (end_i) begin
          f_stage_q  <= F_WAITS;
          f_before_q <= CountWidth'(f_pending) - CountWidth'(verdict_valid_i);
        end
        F_WAITS:
        if (verdict_valid_i) begin
          f_before_q <= f_before_q - CountWidth'(1);
          if (f_before_q == '0) begin
            f_stage_q  <= verdict_ok_i ? F_GOOD : F_BAD;
            f_before_q <= f_turns - CountWidth'(turn_done);
          end
        end
        F_DROPPED: if (push && write_q == f_at_q) f_stage_q <= F_NONE;
        default:
        if (f_read) f_stage_q <= F_NONE;
        else if (turn_done) begin
          f_before_q <= f_before_q - CountWidth'(1);
          if (f_before_q == '0) f_stage_q <= F_DROPPED;
        end
      endcase
  end

  f_sum_t f_place;  // of the watched beat, after the read pointer
  always_comb
    case (f_stage_q)
      F_COMES: f_place = f_sum_t'(used_q) - f_sum_t'(length_q) + f_sum_t'(f_index_q);
      F_WAITS: f_place = f_turn_beats + f_pending_beats_before + f_sum_t'(f_index_q)
          - f_sum_t'(taken_q);
      default: f_place = f_turn_beats_before + f_sum_t'(f_index_q) - f_sum_t'(taken_q);
    endcase

  always_comb
    if (!rst) begin
      stage_is_one_of_these : lemma (f_stage_q <= F_DROPPED);
      lies_in_its_packet : lemma (
          f_stage_q == F_COMES ? f_index_q < length_q
        : f_stage_q == F_WAITS ? 32'(f_before_q) < 32'(f_pending)
            && f_index_q < f_pending_words[CountWidth*f_before_q+:CountWidth]
        : f_stage_q == F_GOOD || f_stage_q == F_BAD ? f_before_q < f_turns
            && f_index_q < f_turn_words[(CountWidth+1)*f_before_q+:CountWidth]
            && f_turn_words[(CountWidth+1)*f_before_q+CountWidth] == (f_stage_q == F_GOOD)
            && (f_before_q != '0 || f_stage_q == F_BAD || f_index_q >= taken_q)
        : 1'b1);
      lies_at_its_place : lemma (f_stage_q == F_NONE || f_stage_q == F_DROPPED
          || (f_sum_t'(f_at_q) == f_after(read_q, f_place) && f_place < f_sum_t'(used_q)));
      place_is_free : lemma (f_stage_q != F_DROPPED || (32'(f_at_q) < Depth
          && (f_at_q >= read_q ? f_sum_t'(f_at_q) - f_sum_t'(read_q)
              : f_sum_t'(f_at_q) + f_sum_t'(Depth) - f_sum_t'(read_q)) >= f_sum_t'(used_q)));
      no_text_before_a_good_verdict : assert (f_stage_q == F_NONE || f_stage_q == F_GOOD
          || !f_ram_read || f_ram_at != f_at_q);
      good_text_is_read_once_in_order : assert (f_stage_q != F_GOOD
          || (f_ram_read && f_ram_at == f_at_q) == f_read);
      good_text_is_not_lost : assert (f_stage_q != F_GOOD || f_before_q != '0 || !turn_done
          || f_read);
      text_is_what_came : assert (!f_read_q || (out_valid_o && out_beat_o[0] == f_read_bit_q));
      is_read : reach (f_read);
      is_dropped : reach (f_stage_q == F_DROPPED && used_q != '0);
    end
