  // A slot is watched on its way, chosen freely as it comes: all that is said of it, and one bit of
  // each lane of its data.
  localparam int F_SAID = gcm_pkg::FACT_WIDTH + 4 + gcm_pkg::SIDE_WIDTH;
  localparam int F_LANES = gcm_pkg::SLOT_WIDTH / 128;
  localparam int F_PLACE = $clog2(Depth);
  localparam int F_FACTS = Depth > 2 ? Depth - 2 : 1;
  (* look = "gen_facts.u_facts.words_q", where = "Depth > 2" *) logic [F_SAID*F_FACTS-1:0] f_facts;
  (* look = "u_count.valid_q" *) logic f_last;
  (* look = "u_data.words_q" *) logic [gcm_pkg::SLOT_WIDTH*(Depth-1)-1:0] f_data_words;
  (* anyseq *) logic f_watch;
  logic [1:0] f_stage_q;  // 1: on its way; 2: at the output
  logic [F_PLACE-1:0] f_place_q;
  logic [Depth-1:0] f_there_q;  // places that hold a slot that came
  gcm_pkg::slot_t f_slot_q;
  gcm_pkg::sized_t f_sized;
  gcm_pkg::fact_t f_fact;
  logic [F_SAID-1:0] f_said_there;
  logic [F_LANES-1:0] f_bits, f_bits_there, f_bits_out;
  logic [gcm_pkg::BYTES-1:0] f_keep;

  always_ff @(posedge clk)
    if (rst) begin
      f_stage_q <= 2'd0;
      f_there_q <= '0;
    end else if (step_i) begin
      f_there_q <= {f_there_q[Depth-2:0], valid_i};
      case (f_stage_q)
        2'd1: begin
          f_place_q <= f_place_q + F_PLACE'(1);
          if (f_place_q == F_PLACE'(Depth - 2)) f_stage_q <= 2'd2;
        end
        default: begin
          f_stage_q <= 2'd0;
          if (valid_i && f_watch) begin
            f_stage_q <= 2'd1;
            f_place_q <= '0;
            f_slot_q  <= slot_i;
          end
        end
      endcase
    end

  gcm_slot_sizes f_sizes (
      .fact_i (f_slot_q.fact),
      .tail_i (f_slot_q.tail),
      .side_i (f_slot_q.side),
      .sized_o(f_sized)
  );

  always_comb begin
    f_said_there = '0;
    f_bits_there = '0;
    for (int i = 0; i < Depth - 1; i++)
      if (f_place_q == F_PLACE'(i)) begin
        for (int l = 0; l < F_LANES; l++)
          f_bits_there[l] = f_data_words[gcm_pkg::SLOT_WIDTH*i+128*l];
        if (i < Depth - 2) f_said_there = f_facts[F_SAID*(i%F_FACTS)+:F_SAID];
      end
    for (int l = 0; l < F_LANES; l++) begin
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
      counts_says_so : lemma (counts_q == (valid_q[Depth-2] && first_q.packet));
      passes_with_a_step : lemma (passes_q == (f_soon_q && counts_q));
      slots_are_those_that_came : lemma ({f_last, valid_q} == f_there_q);
      watched_is_on_its_way : lemma (f_stage_q != 2'd1 || (f_place_q <= F_PLACE'(Depth - 2)
          && f_there_q[f_place_q] && f_bits_there == f_bits
          && (f_place_q == F_PLACE'(Depth - 2) ? first_q == f_sized
              : f_said_there == {f_slot_q.side, f_slot_q.tail, f_slot_q.fact})));
      counted_once : assert (passes_q == (step_i && valid_q[Depth-2] && first_q.packet));
      none_but_these_leaves : assert (valid_o == f_there_q[Depth-1]);
      slot_is_what_came : assert (f_stage_q != 2'd2 || (valid_o && slot_o.fact == f_fact
          && slot_o.keep == f_keep && f_bits_out == f_bits
          && (f_slot_q.fact.status == gcm_pkg::STATUS_OK
              || slot_o.fact.status != gcm_pkg::STATUS_OK)));
      goes_through : reach (f_stage_q == 2'd2);
    end
