  // What stands at the output is text of a good packet, or zero: E(K, J0) and hash subkeys are
  // key stream of slots that give nothing out.
  always_comb begin
    text_or_zero : assert (out_data_o == '0 || (there_i && slot_i.fact.gives_out
        && slot_i.fact.status == gcm_pkg::STATUS_OK));
    absent_bytes_are_zero : assert (!out_data_o[gcm_pkg::WIDTH-1] || slot_i.keep[0]);
    subkey_of_a_key_slot : assert (!subkey_valid_o
        || (passes_i && slot_i.fact.kind == gcm_pkg::SLOT_KEY));
    text_is_shown : reach (out_data_o != '0 && out_keep_o != '0);
  end
