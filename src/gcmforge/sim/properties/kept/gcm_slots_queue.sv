  // Facts and data go through queues of their own: as many wait in one as in the other, so that what
  // leaves together came together.
  localparam int F_SAID = gcm_pkg::FACT_WIDTH + 4 + gcm_pkg::SIDE_WIDTH;
  localparam int F_COUNT = $clog2(Depth + 1);
  typedef logic [F_COUNT-1:0] f_count_t;
  (* look = "u_facts.count_q" *) logic [$clog2(Depth - 1)-1:0] f_facts;
  (* look = "u_facts.words_q" *) logic [F_SAID*(Depth-2)-1:0] f_fact_words;
  (* look = "u_first.valid_q" *) logic f_first;
  (* look = "u_first.data_q" *) logic [gcm_pkg::SIZED_WIDTH-1:0] f_first_word;
  (* look = "u_first.spare_valid_q" *) logic f_spare;
  (* look = "u_first.spare_q" *) logic [gcm_pkg::SIZED_WIDTH-1:0] f_spare_word;
  (* look = "gen_data[SLOT_WIDTH/128].u_data.count_q" *) logic [$clog2(Depth)*SLOT_LANES-1:0] f_counts;
  (* look = "gen_data[SLOT_WIDTH/128].u_data.words_q" *) logic [128*(Depth-1)*SLOT_LANES-1:0] f_data_words;
  (* look = "u_count.passes_i" *) logic f_passes;

  logic f_push, f_pop, f_alike;
  f_count_t f_data, f_held_q;  // of data; slots that came and have not left

  assign f_push = in_valid_i && in_ready_o;
  assign f_pop  = first_valid && load;  // of the data; the facts are one step ahead
  assign f_data = f_count_t'(f_counts[$clog2(Depth)-1:0]);

  always_comb begin
    f_alike = 1'b1;
    for (int l = 1; l < SLOT_LANES; l++)
      if (f_count_t'(f_counts[$clog2(Depth)*l+:$clog2(Depth)]) != f_data) f_alike = 1'b0;
  end

  always_ff @(posedge clk)
    if (rst) f_held_q <= '0;
    else f_held_q <= f_held_q + f_count_t'(f_push) - f_count_t'(out_valid_o && out_ready_i);

  // cycles in a row in which slots are here and none is at the end of the queue
  logic [1:0] f_hidden_q;
  always_ff @(posedge clk)
    if (rst || first_valid || f_data == '0) f_hidden_q <= 2'd0;
    else if (f_hidden_q != 2'd3) f_hidden_q <= f_hidden_q + 2'd1;

  // ---- a slot is watched: all that is said of it, and one bit of each lane of its data
  (* anyseq *) logic f_watch;
  logic [1:0] f_stage_q;  // 1: it waits; 2: it is at the output
  f_count_t f_before_q, f_after_queue;
  gcm_pkg::slot_t f_slot_q;
  gcm_pkg::sized_t f_sized, f_sized_there;
  gcm_pkg::fact_t f_fact;
  logic [F_SAID-1:0] f_said_there;
  logic [SLOT_LANES-1:0] f_bits, f_bits_there, f_bits_out;
  logic [gcm_pkg::BYTES-1:0] f_keep;

  always_ff @(posedge clk)
    if (rst) f_stage_q <= 2'd0;
    else
      case (f_stage_q)
        2'd0:
        if (f_push && f_watch) begin
          f_stage_q  <= 2'd1;
          f_before_q <= f_data - f_count_t'(f_pop);
          f_slot_q   <= slot_i;
        end
        2'd1:
        if (f_pop) begin
          f_before_q <= f_before_q - f_count_t'(1);
          if (f_before_q == '0) f_stage_q <= 2'd2;
        end
        default: if (load) f_stage_q <= 2'd0;
      endcase

  gcm_slot_sizes f_sizes (
      .fact_i (f_slot_q.fact),
      .tail_i (f_slot_q.tail),
      .side_i (f_slot_q.side),
      .sized_o(f_sized)
  );

  // where it is: in the queue, or in the two places after it
  assign f_after_queue = f_count_t'(f_first) + f_count_t'(f_spare);
  always_comb begin
    f_sized_there = f_before_q == '0 ? f_first_word : f_spare_word;
    f_said_there  = '0;
    f_bits_there  = '0;
    for (int i = 0; i < Depth - 1; i++) begin
      for (int l = 0; l < SLOT_LANES; l++)
        if (f_before_q == f_count_t'(i)) f_bits_there[l] = f_data_words[128*((Depth-1)*l+i)];
      if (i < Depth - 2 && f_before_q == f_count_t'(i) + f_after_queue)
        f_said_there = f_fact_words[F_SAID*(i%(Depth-2))+:F_SAID];
    end
    for (int l = 0; l < SLOT_LANES; l++) begin
      f_bits[l]     = f_slot_q.data[128*l];
      f_bits_out[l] = slot_o.data[128*l];
    end
    f_fact        = f_slot_q.fact;
    f_fact.status = slot_o.fact.status;  // of the packet, counted here
    for (int b = 0; b < gcm_pkg::BYTES; b++)
      f_keep[b] = 32'(f_slot_q.fact.count) * 16 > b + 15 - 32'(f_slot_q.tail);
  end

  always_comb
    if (!rst) begin
      as_many_facts_as_data : lemma (32'(f_facts) + 32'(f_first) + 32'(f_spare) == 32'(f_data));
      skid_in_order : lemma (f_first || !f_spare);
      lanes_are_alike : lemma (f_alike);
      one_waits_behind_none : lemma (32'(f_facts) < 2 || f_first);
      facts_have_room : assert (!in_ready_o || fact_space);
      counts_its_slots : lemma (f_held_q == f_data + f_count_t'(out_valid_o));
      watched_waits : lemma (f_stage_q != 2'd1 || (f_before_q < f_data && f_bits_there == f_bits
          && (f_before_q < f_after_queue ? f_sized_there == f_sized
              : f_said_there == {f_slot_q.side, f_slot_q.tail, f_slot_q.fact})));
      data_is_there : assert (!first_valid || lane_valid == '1);
      counted_once : assert (f_passes == (load && first_valid && first.packet));
      slot_is_what_came : assert (f_stage_q != 2'd2 || (out_valid_o && slot_o.fact == f_fact
          && slot_o.keep == f_keep && f_bits_out == f_bits
          && (f_slot_q.fact.status == gcm_pkg::STATUS_OK
              || slot_o.fact.status != gcm_pkg::STATUS_OK)));
      a_slot_comes_through_in_time : assert (first_valid || f_data == '0 || f_hidden_q < 2'd2);
      is_full : reach (f_stage_q == 2'd1 && 32'(f_data) == Depth - 1);
    end
