  // ---- the first error of a packet stays its status to its end; a new packet begins without one
  logic [2:0] f_first_q, f_status_q;
  logic f_over_q;  // found in a slot that has passed, told with the next

  always_ff @(posedge clk)
    if (rst) f_first_q <= gcm_pkg::STATUS_OK;
    else if (passes_i)
      f_first_q <= sized_i.fact.closes ? gcm_pkg::STATUS_OK
          : f_first_q != gcm_pkg::STATUS_OK ? f_first_q
          : sized_i.fact.status != gcm_pkg::STATUS_OK ? sized_i.fact.status
          : over ? gcm_pkg::STATUS_TOO_LONG : gcm_pkg::STATUS_OK;

  always_ff @(posedge clk)
    if (load_i)
      f_status_q <= f_first_q != gcm_pkg::STATUS_OK ? f_first_q
          : sized_i.fact.status != gcm_pkg::STATUS_OK ? sized_i.fact.status
          : over ? gcm_pkg::STATUS_TOO_LONG : gcm_pkg::STATUS_OK;

  always_comb
    if (!rst) begin
      passes_as_it_is_loaded : require (!passes_i || (load_i && valid_i));
      first_error_is_kept : lemma (f_first_q == so_far);
      good_says_so : lemma (good_q == (status_q == gcm_pkg::STATUS_OK)
          && (!over_q || status_q == gcm_pkg::STATUS_OK));
      status_is_the_first_error : lemma (!valid_o || slot_o.fact.status == f_status_q);
      no_key_goes_into_a_tag : assert (!valid_o || !slot_o.tag
          || slot_o.fact.kind != gcm_pkg::SLOT_KEY);
      end_goes_to_the_tag : assert (!valid_o || !slot_o.fact.closes
          || slot_o.fact.kind == gcm_pkg::SLOT_KEY || slot_o.tag);
      nothing_without_a_slot : assert (valid_o
          || !(slot_o.tag || slot_o.hash || slot_o.fact.gives_out));
      error_is_told : reach (valid_o && slot_o.tag
          && slot_o.fact.status == gcm_pkg::STATUS_BAD_FRAME);
    end
