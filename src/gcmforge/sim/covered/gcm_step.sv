  always_ff @(posedge clk)
    if (!rst) begin
      waits_for_text : cover (next_i.out && !out_soon_i);
      waits_for_hash : cover (next_i.hash && !hash_soon_i);
      waits_for_tag : cover (next_i.tag && !tag_soon_i);
      waits_for_key_stream : cover (next_i.aes && !stream_soon_i);
    end
