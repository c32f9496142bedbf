  always_ff @(posedge clk)
    if (!rst) begin
      text_alone_stands : cover (there_o && !out_clear && hash_clear && tag_clear);
      hash_alone_stands : cover (there_o && out_clear && !hash_clear && tag_clear);
      tag_alone_stands : cover (there_o && out_clear && hash_clear && !tag_clear);
      key_stream_is_late : cover (slot_valid && slot_o.fact.aes && !stream_valid);
      key_stream_waits : cover (stream_valid && slot_valid && !slot_o.fact.aes);
    end
