  // ---- one more than a value that stands
  logic f_there_q = 1'b0;  // there is a cycle before this one
  logic [Width-1:0] f_before_q;
  always_ff @(posedge clk) begin
    f_there_q  <= 1'b1;
    f_before_q <= value_i;
  end

  always_comb one_more_than_what_stands : assert (!f_there_q || value_i != f_before_q
      || next_o == value_i + Width'(1));
