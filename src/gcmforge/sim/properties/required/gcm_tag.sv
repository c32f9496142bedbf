  (* look = "u_entries.count_q" *) logic [CountWidth-1:0] f_entries;

  always_comb
    if (!rst) begin
      a_digest_has_an_entry : require (!digest_valid_i || f_entries != '0);
      an_iv_where_it_is_taken : require (AnyIv || !entry_valid_i || !entry_iv_i);
      a_tag_has_4_bytes : require (!entry_valid_i || entry_status_i != gcm_pkg::STATUS_OK
          || entry_iv_i || (entry_bytes_i >= 5'd4 && entry_bytes_i <= 5'd16));
    end
