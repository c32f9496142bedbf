  logic c_under_way;
  assign c_under_way = newest_q != oldest_q;

  always_ff @(posedge clk)
    if (!rst) begin
      key_waits_for_the_key_before : cover (key_valid_i && !key_ready_o);
      state_idle : cover (state_q == KEYS_IDLE);
      state_fence : cover (state_q == KEYS_FENCE);
      state_expand : cover (state_q == KEYS_EXPAND);
      state_ask : cover (state_q == KEYS_ASK);
      state_subkey : cover (state_q == KEYS_SUBKEY);
      state_powers : cover (state_q == KEYS_POWERS);
      key_of_no_use : cover (passed_q && !loadable);
      key_waits_for_packets : cover (state_q == KEYS_FENCE && looked && !begin_q
          && !to_wait[TurnWidth-1] && to_wait != '0);
      key_with_a_command : cover (begin_q && command_q);
      key_as_a_packet_ends : cover (begin_q && done_q);
      key_while_nothing_is_under_way : cover (begin_q && !c_under_way && !command_q);
    end
  if (Contexts > 1) begin : gen_covered_contexts
    always_ff @(posedge clk)
      if (!rst) begin
        expands_beside_packets : cover (state_q == KEYS_EXPAND && c_under_way);
        asks_beside_packets : cover (state_q == KEYS_ASK && c_under_way);
        powers_beside_packets : cover (state_q == KEYS_POWERS && c_under_way);
      end
  end
