  always_comb if (!rst) few_commands_ahead : require (!command_end || ahead_q < 4'd14);
