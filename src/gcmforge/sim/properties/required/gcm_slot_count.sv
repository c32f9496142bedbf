  always_comb
    if (!rst) begin
      a_block_has_16_bytes : require (!valid_i || sized_i.tail_bytes <= 5'd16);
      passes_as_it_is_loaded : require (!passes_i || (load_i && valid_i));
    end
