  // A slot is watched on its way, chosen freely as it comes: what is said of it, and one bit of its
  // data.
  localparam int F_SAID = gcm_pkg::FACT_WIDTH + 4 + gcm_pkg::SIDE_WIDTH;
  localparam int F_PLACE = $clog2(Depth);
  (* look = "gen_facts.u_facts.words_q" *) logic [F_SAID*(Depth-2)-1:0] f_facts;
  (* look = "u_data.words_q" *) logic [gcm_pkg::SLOT_WIDTH*(Depth-1)-1:0] f_data;
  (* anyseq *) logic f_watch;
  logic [1:0] f_stage_q;  // 1: on its way; 2: at the output
  logic [F_PLACE-1:0] f_place_q;
  logic f_closes_q, f_text_q, f_soon_q;
  logic [2:0] f_status_q;
  logic [gcm_pkg::CONTEXT_WIDTH-1:0] f_context_q;
  gcm_pkg::fact_t f_fact;

  always_ff @(posedge clk) begin
    f_soon_q <= !rst && step_soon_i;
    if (rst) f_stage_q <= 2'd0;
    else if (step_i)
      case (f_stage_q)
        2'd1: begin
          f_place_q <= f_place_q + F_PLACE'(1);
          if (f_place_q == F_PLACE'(Depth - 2)) f_stage_q <= 2'd2;
        end
        default: begin
          f_stage_q <= 2'd0;
          if (valid_i && f_watch) begin
            f_stage_q   <= 2'd1;
            f_place_q   <= '0;
            f_closes_q  <= slot_i.fact.closes;
            f_status_q  <= slot_i.fact.status;
            f_context_q <= slot_i.fact.context_id;
            f_text_q    <= slot_i.data[0];
          end
        end
      endcase
  end

  logic f_bit;
  always_comb begin
    f_fact = first_q.fact;
    f_bit  = 1'b0;
    for (int i = 0; i < Depth - 1; i++)
      if (f_place_q == F_PLACE'(i)) begin
        f_bit = f_data[gcm_pkg::SLOT_WIDTH*i];
        if (i < Depth - 2) f_fact = f_facts[F_SAID*(i%(Depth-2))+:gcm_pkg::FACT_WIDTH];
      end
  end

  always_comb
    if (!rst) begin
      step_is_told_before : require (step_i == f_soon_q);
      counts_says_so : lemma (counts_q == (valid_q[Depth-2] && first_q.packet));
      passes_with_a_step : lemma (passes_q == (f_soon_q && counts_q));
      watched_is_on_its_way : lemma (f_stage_q != 2'd1 || (f_place_q <= F_PLACE'(Depth - 2)
          && valid_q[f_place_q] && f_bit == f_text_q
          && f_fact.closes == f_closes_q && f_fact.status == f_status_q
          && f_fact.context_id == f_context_q));
      counted_once : assert (passes_q == (step_i && valid_q[Depth-2] && first_q.packet));
      slot_is_what_came : assert (f_stage_q != 2'd2 || (valid_o && slot_o.data[0] == f_text_q
          && slot_o.fact.closes == f_closes_q && slot_o.fact.context_id == f_context_q
          && (f_status_q == gcm_pkg::STATUS_OK || slot_o.fact.status != gcm_pkg::STATUS_OK)));
      goes_through : reach (f_stage_q == 2'd2);
    end
