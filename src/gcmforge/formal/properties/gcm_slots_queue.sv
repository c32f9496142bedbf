  // Facts and data go through queues of their own: as many wait in one as in the other, so that what
  // leaves together came together.
  (* look = "u_facts.count_q" *) logic [$clog2(Depth - 1)-1:0] f_facts;
  (* look = "u_first.valid_q" *) logic f_first;
  (* look = "u_first.spare_valid_q" *) logic f_spare;
  (* look = "gen_data[0].u_data.count_q" *) logic [$clog2(Depth)-1:0] f_data;

  // a slot is watched: one bit of what is said of it, one of its data
  (* look = "u_facts.words_q" *) logic [(gcm_pkg::FACT_WIDTH+4+gcm_pkg::SIDE_WIDTH)*(Depth-2)-1:0] f_fact_words;
  (* look = "gen_data[0].u_data.words_q" *) logic [128*(Depth-1)-1:0] f_data_words;
  (* anyseq *) logic f_watch;
  logic [1:0] f_stage_q;  // 1: it waits; 2: it is at the output
  logic [$clog2(Depth)-1:0] f_before_q;
  logic f_closes_q, f_text_q, f_push, f_pop;
  logic [2:0] f_status_q;
  logic [gcm_pkg::CONTEXT_WIDTH-1:0] f_context_q;
  gcm_pkg::fact_t f_fact;

  assign f_push = in_valid_i && in_ready_o;
  assign f_pop  = first_valid && load;  // of the data; the facts are one step ahead

  always_ff @(posedge clk)
    if (rst) f_stage_q <= 2'd0;
    else
      case (f_stage_q)
        2'd0:
        if (f_push && f_watch) begin
          f_stage_q   <= 2'd1;
          f_before_q  <= f_data - $bits(f_before_q)'(f_pop);
          f_closes_q  <= slot_i.fact.closes;
          f_status_q  <= slot_i.fact.status;
          f_context_q <= slot_i.fact.context_id;
          f_text_q    <= slot_i.data[0];
        end
        2'd1:
        if (f_pop) begin
          f_before_q <= f_before_q - $bits(f_before_q)'(1);
          if (f_before_q == '0) f_stage_q <= 2'd2;
        end
        default: if (load) f_stage_q <= 2'd0;
      endcase

  // its facts, wherever they are: in the queue, or in the two places after it
  localparam int F_SAID = gcm_pkg::FACT_WIDTH + 4 + gcm_pkg::SIDE_WIDTH;
  (* look = "u_first.data_q" *) logic [gcm_pkg::SIZED_WIDTH-1:0] f_first_word;
  (* look = "u_first.spare_q" *) logic [gcm_pkg::SIZED_WIDTH-1:0] f_spare_word;
  logic [$clog2(Depth)-1:0] f_after_queue;
  assign f_after_queue = $bits(f_after_queue)'(f_first) + $bits(f_after_queue)'(f_spare);
  logic f_bit;
  always_comb begin
    f_fact = f_spare_word[gcm_pkg::FACT_WIDTH-1:0];
    f_bit  = 1'b0;
    if (f_before_q == '0 && f_first) f_fact = f_first_word[gcm_pkg::FACT_WIDTH-1:0];
    for (int i = 0; i < Depth - 1; i++) begin
      if (f_before_q == $bits(f_before_q)'(i)) f_bit = f_data_words[128*i];
      if (i < Depth - 2 && 32'(f_before_q) == i + 32'(f_after_queue))
        f_fact = f_fact_words[F_SAID*(i%(Depth-2))+:gcm_pkg::FACT_WIDTH];
    end
  end

  always_comb
    if (!rst) begin
      as_many_facts_as_data : lemma (32'(f_facts) + 32'(f_first) + 32'(f_spare) == 32'(f_data));
      skid_in_order : lemma (f_first || !f_spare);
      lanes_are_alike : lemma (lane_valid == '0 || lane_valid == '1);
      watched_waits : lemma (f_stage_q != 2'd1 || (f_before_q < f_data
          && f_bit == f_text_q && f_fact.closes == f_closes_q
          && f_fact.status == f_status_q && f_fact.context_id == f_context_q));
      data_is_there : assert (!first_valid || lane_valid[0]);
      slot_is_what_came : assert (f_stage_q != 2'd2 || (out_valid_o && slot_o.data[0] == f_text_q
          && slot_o.fact.closes == f_closes_q && slot_o.fact.context_id == f_context_q
          && (f_status_q == gcm_pkg::STATUS_OK || slot_o.fact.status != gcm_pkg::STATUS_OK)));
      is_full : reach (f_stage_q == 2'd1 && 32'(f_data) == Depth - 1);
    end
