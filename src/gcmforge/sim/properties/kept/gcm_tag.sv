  // ---- what is held: entries without a digest, a digest that has just come, results
  localparam int F_STATUS = gcm_pkg::STATUS_WIDTH;
  localparam int F_ENTRY = F_STATUS + 7;  // whether of an IV, whether it decrypts, status, bytes
  (* look = "u_entries.words_q" *) logic [F_ENTRY*Depth-1:0] f_entry_words;
  (* look = "u_results.count_q" *) logic [CountWidth-1:0] f_results;
  (* look = "u_results.words_q" *) logic [F_STATUS*Depth-1:0] f_result_words;
  logic [CountWidth-1:0] f_packets, f_packets_before;  // entries that are of packets; before ours
  logic [CountWidth-1:0] f_before_q;

  always_comb begin
    f_packets        = '0;
    f_packets_before = '0;
    for (int i = 0; i < Depth; i++) begin
      if (CountWidth'(i) < f_entries && !(AnyIv && f_entry_words[F_ENTRY*i+F_ENTRY-1]))
        f_packets = f_packets + CountWidth'(1);
      if (CountWidth'(i) < f_before_q && !(AnyIv && f_entry_words[F_ENTRY*i+F_ENTRY-1]))
        f_packets_before = f_packets_before + CountWidth'(1);
    end
  end

  // a place so many after another one
  function automatic logic [PtrWidth:0] f_after(input logic [PtrWidth-1:0] at,
                                                input logic [CountWidth-1:0] many);
    f_after = (PtrWidth + 1)'(at) + (PtrWidth + 1)'(many);
    if (f_after > (PtrWidth + 1)'(LAST)) f_after = f_after - (PtrWidth + 1)'(Depth);
  endfunction

  // what is told of a packet, and the J0 of an IV whose digest has come; f_bit: any bit
  (* look = "u_results.in_valid_i" *) logic f_result_comes;
  (* anyconst *) logic [6:0] f_bit;
  logic f_soon_q, f_iv_q, f_digest_q;
  logic f_waits_q, f_waiting_bit_q;  // an answer that is offered, and not taken
  logic [F_STATUS-1:0] f_waiting_q;
  always_ff @(posedge clk) begin
    f_waits_q       <= !rst && tag_valid_o && !tag_ready_i;
    f_waiting_q     <= tag_status_o;
    f_waiting_bit_q <= tag_o[f_bit];
    f_soon_q   <= !rst && entry_soon_o;
    f_iv_q     <= !rst && digest_valid_i && AnyIv && f_entry_words[F_ENTRY-1];
    f_digest_q <= digest_i[f_bit];
  end

  always_comb begin
    if (!rst) begin
      places_are_counted : lemma (held_q <= CountWidth'(Depth)
          && (CountWidth + 2)'(held_q) == (CountWidth + 2)'(f_entries)
              + (CountWidth + 2)'(f_results) + (CountWidth + 2)'(digest_valid_q));
      space_says_so : lemma (space_q == (held_q != CountWidth'(Depth))
          && one_q == (held_q == CountWidth'(Depth - 1)));
      places_lie_in_it : lemma (mask_at_q <= LAST && digest_at_q <= LAST && tag_at_q <= LAST);
      masks_meet_digests : lemma ((PtrWidth + 1)'(mask_at_q) == f_after(digest_at_q, f_packets));
      digests_meet_tags : lemma ((PtrWidth + 1)'(digest_at_q)
          == f_after(tag_at_q, f_results + CountWidth'(result_valid)));
      result_at_its_place : lemma (!result_valid
          || (PtrWidth + 1)'(result_at_q) == f_after(tag_at_q, f_results));
      entry_has_a_place : assert (!entry_push || entry_space);
      result_has_a_place : assert (!result_valid || result_space);
      soon_keeps_its_word : assert (!f_soon_q || entry_ready_o);
      hidden_when_not_valid : assert (tag_valid_o || tag_o == '0);
      ok_is_status_ok : assert (!tag_valid_o
          || tag_ok_o == (tag_status_o == gcm_pkg::STATUS_OK));
      answer_stays : assert (!f_waits_q || (tag_valid_o && tag_status_o == f_waiting_q
          && tag_o[f_bit] == f_waiting_bit_q));
      one_verdict_for_each_result : assert (packet_done_o == f_result_comes);
      j0_is_the_digest_of_an_iv : assert (j0_valid_o == f_iv_q
          && (!j0_valid_o || j0_o[f_bit] == f_digest_q));
    end
  end

  // ---- a packet is watched from its entry to its result, and with it any one bit of its tag
  (* anyseq *) logic f_watch;
  logic [1:0] f_stage_q;  // 1: its digest is to come; 2: it has just come; 3: its result waits
  logic [gcm_pkg::STATUS_WIDTH-1:0] f_status_q, f_result;
  logic [4:0] f_bytes_q;
  logic f_decrypt_q, f_value_q, f_counts;  // that bit of mask, then of digest and mask
  logic f_told_q;  // its verdict
  logic [PtrWidth-1:0] f_at_q;

  always_ff @(posedge clk)
    if (rst) f_stage_q <= 2'd0;
    else
      case (f_stage_q)
        2'd0:
        if (mask_push && f_watch) begin
          f_stage_q   <= 2'd1;
          f_before_q  <= f_entries - CountWidth'(digest_valid_i);
          f_status_q  <= entry_status_i;
          f_decrypt_q <= entry_decrypt_i;
          f_bytes_q   <= entry_bytes_i;
          f_value_q   <= entry_mask_i[f_bit];
          f_at_q      <= mask_at_q;
        end
        2'd1:
        if (digest_valid_i) begin
          f_before_q <= f_before_q - CountWidth'(1);
          if (f_before_q == '0) begin
            f_stage_q <= 2'd2;
            f_value_q <= f_value_q ^ digest_i[f_bit];
          end
        end
        2'd2: begin
          f_stage_q  <= 2'd3;
          f_before_q <= f_results - CountWidth'(result_pop);
          f_told_q   <= packet_ok_o;
        end
        default:
        if (result_pop) begin
          f_before_q <= f_before_q - CountWidth'(1);
          if (f_before_q == '0) f_stage_q <= 2'd0;
        end
      endcase

  assign f_counts = 5'(4'd15 - f_bit[6:3]) < f_bytes_q;
  assign f_result = f_result_words[F_STATUS*f_before_q+:F_STATUS];

  always_comb
    if (!rst) begin
      has_4_bytes : lemma (f_stage_q == 2'd0 || f_status_q != gcm_pkg::STATUS_OK
          || (f_bytes_q >= 5'd4 && f_bytes_q <= 5'd16));
      waits_for_its_digest : lemma (f_stage_q != 2'd1 || (f_before_q < f_entries
          && f_entry_words[F_ENTRY*f_before_q+:F_ENTRY]
              == {1'b0, f_decrypt_q, f_status_q, f_bytes_q}
          && (PtrWidth + 1)'(f_at_q) == f_after(digest_at_q, f_packets_before)
          && word_q[f_at_q][f_bit] == f_value_q));
      meets_its_digest : lemma (f_stage_q != 2'd2 || (digest_valid_q && !iv_q
          && sum_q[f_bit] == f_value_q && keep_q[4'd15-f_bit[6:3]] == f_counts
          && status_q == f_status_q && decrypt_q == f_decrypt_q && result_at_q == f_at_q));
      waits_to_leave : lemma (f_stage_q != 2'd3 || (f_before_q < f_results
          && (PtrWidth + 1)'(f_at_q) == f_after(tag_at_q, f_before_q)
          && word_q[f_at_q][f_bit]
              == (f_status_q == gcm_pkg::STATUS_OK && !f_decrypt_q && f_counts && f_value_q)));
      first_error_stays : lemma (f_stage_q != 2'd3 || f_status_q == gcm_pkg::STATUS_OK
          || f_result == f_status_q);
      encrypting_is_ok : lemma (f_stage_q != 2'd3 || f_status_q != gcm_pkg::STATUS_OK
          || f_decrypt_q || f_result == gcm_pkg::STATUS_OK);
      wrong_tag_fails : lemma (f_stage_q != 2'd3 || f_status_q != gcm_pkg::STATUS_OK
          || !f_decrypt_q || f_result == gcm_pkg::STATUS_AUTH_FAIL
          || (f_result == gcm_pkg::STATUS_OK && !(f_counts && f_value_q)));
      verdict_is_that_of_its_answer : assert (f_stage_q != 2'd3
          || f_told_q == (f_result == gcm_pkg::STATUS_OK));
      answers_leave_in_order : assert (f_stage_q != 2'd3 || f_before_q != '0
          || (tag_valid_o && tag_status_o == f_result));
      tag_is_what_was_computed : assert (f_stage_q != 2'd3 || f_before_q != '0 || tag_o[f_bit]
          == (f_status_q == gcm_pkg::STATUS_OK && !f_decrypt_q && f_counts && f_value_q));
    end

  always_comb
    if (!rst) begin
      wrong_tag_is_answered : reach (f_stage_q == 2'd3 && f_before_q == '0 && tag_valid_o
          && tag_status_o == gcm_pkg::STATUS_AUTH_FAIL);
      all_places_are_held : reach (held_q == CountWidth'(Depth) && f_stage_q == 2'd3);
    end
