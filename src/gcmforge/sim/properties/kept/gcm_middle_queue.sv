  // A slot passes when everybody who is to take it does, and nobody takes it before; it waits for
  // none but its key stream and these.
  always_comb
    if (!rst) begin
      text_passes_with_its_slot : assert ((out_valid_o && out_ready_i)
          == (passes_o && slot_o.fact.gives_out));
      hash_passes_with_its_slot : assert ((hash_valid_o && hash_ready_i)
          == (passes_o && slot_o.hash));
      entry_passes_with_its_slot : assert ((tag_valid_o && tag_ready_i)
          == (passes_o && slot_o.tag));
      key_stream_passes_with_its_slot : assert (!passes_o || !slot_o.fact.aes || stream_valid);
      does_not_wait_for_others : assert (!(slot_valid && (stream_valid || !slot_o.fact.aes)
          && (out_ready_i || !slot_o.fact.gives_out) && (hash_ready_i || !slot_o.hash)
          && (tag_ready_i || !slot_o.tag)) || passes_o);
      one_is_waited_for : reach (there_o && !passes_o && slot_o.tag && !tag_ready_i);
    end
