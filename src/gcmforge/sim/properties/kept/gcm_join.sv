  // What stands at the output is text of a good packet, byte by byte as keep says, or zero: E(K, J0)
  // and hash subkeys are key stream of slots that give nothing out.
  logic [gcm_pkg::WIDTH-1:0] f_text, f_given;

  assign f_text = slot_i.data[gcm_pkg::SLOT_WIDTH-1-:gcm_pkg::WIDTH]
      ^ stream_i[gcm_pkg::AES_WIDTH-1-:gcm_pkg::WIDTH];

  always_comb begin
    f_given = '0;
    for (int b = 0; b < gcm_pkg::BYTES; b++)
      if (there_i && slot_i.fact.gives_out && slot_i.fact.status == gcm_pkg::STATUS_OK
          && slot_i.keep[b])
        f_given[gcm_pkg::WIDTH-1-8*b-:8] = f_text[gcm_pkg::WIDTH-1-8*b-:8];
  end

  always_comb begin
    text_or_zero : assert (out_data_o == f_given);
    keep_is_of_text : assert (out_keep_o
        == (slot_i.fact.kind == gcm_pkg::SLOT_TEXT ? slot_i.keep : '0));
    subkey_of_a_key_slot : assert (subkey_valid_o
        == (passes_i && slot_i.fact.kind == gcm_pkg::SLOT_KEY));
    entry_is_of_its_slot : assert (tag_iv_o == (slot_i.fact.kind == gcm_pkg::SLOT_IV)
        && tag_decrypt_o == slot_i.fact.decrypt && tag_status_o == slot_i.fact.status
        && tag_bytes_o == slot_i.fact.tag_bytes && out_last_o == slot_i.fact.out_last);
    digest_is_of_its_slot : assert (hash_context_o == slot_i.fact.context_id
        && hash_last_o == slot_i.fact.closes && hash_count_o == slot_i.hash_count);
    text_is_shown : reach (out_data_o != '0 && out_keep_o != '0);
  end
