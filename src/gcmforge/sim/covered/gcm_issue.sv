  always_ff @(posedge clk)
    if (!rst) begin
      slot_of_aad : cover (fire && data_slot && !in_text_i);
      slot_of_text : cover (fire && data_slot && in_text_i);
      end_in_a_slot_of_its_own : cover (fire && close_slot);
      end_with_the_last_beat : cover (fire && data_slot && final_slot);
      packet_starts_as_one_ends : cover (start && closing);
      packet_starts_after_a_pause : cover (start && idle);
      beat_without_a_byte_in_a_packet : cover (taken && empty_beat && !in_last_i && beat_seen_q);
      packet_without_a_byte : cover (taken && empty_beat && in_last_i && !beat_seen_q);
      subkey_before_a_packet : cover (subkey_taken_o && idle);
      subkey_in_a_packet : cover (subkey_taken_o && in_data && beat_seen_q);
      subkey_before_a_packets_end : cover (subkey_taken_o && in_close);
      slots_stand : cover (want && !slot_ready_i);
      aes_stands : cover (want && uses_aes && slot_ready_i && !aes_ready_i);
      data_waits_for_its_command : cover (idle && in_valid_i && !command_valid_i);
      command_waits_for_its_data : cover (in_data && !in_valid_i);
      text_after_text_that_was_cut : cover (taken && in_text_i && text_seen_q && partial_q);
      aad_after_text : cover (taken && !in_text_i && text_seen_q && !empty_beat);
      hole_in_a_beat : cover (taken && holes);
      first_error_in_the_last_beat : cover (taken && in_last_i && bad_frame
          && status_q == gcm_pkg::STATUS_OK);
      bad_frame_of_a_refused_packet : cover (taken && bad_frame
          && status_q != gcm_pkg::STATUS_OK);
    end
