  always_comb if (!rst) an_answer_has_its_iv : require (!answer_take_i || present);
