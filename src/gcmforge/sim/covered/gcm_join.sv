  always_ff @(posedge clk) begin
    text_is_shown : cover (shown && passes_i);
    text_of_a_bad_packet_is_not : cover (passes_i && fact.gives_out
        && fact.status != gcm_pkg::STATUS_OK);
    slot_without_text : cover (passes_i && !fact.gives_out);
    text_waits : cover (shown && !passes_i);
    decrypts : cover (shown && passes_i && fact.decrypt);
    encrypts : cover (shown && passes_i && !fact.decrypt);
    subkey_passes : cover (subkey_valid_o);
  end
