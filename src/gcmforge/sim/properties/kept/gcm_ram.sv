  // A word is watched, whichever, in bit 0, which stands for each of its bits.
  localparam bit F_THROUGH = Depth == 1 || !ReadRegister;
  (* anyconst *) logic [AddrWidth-1:0] f_at;
  logic f_written_q = 1'b0;
  logic f_bit_q, f_read_q, f_read_bit_q;

  always_ff @(posedge clk) begin
    if (write_i && (Depth == 1 || write_addr_i == f_at)) begin
      f_written_q <= 1'b1;
      f_bit_q     <= write_data_i[0];
    end
    if (read_i) begin
      f_read_q     <= f_written_q && read_addr_i == f_at;
      f_read_bit_q <= f_bit_q;
    end
    if (!f_begun_q) f_read_q <= 1'b0;
  end

  always_comb begin
    reads_what_was_written : assert (!f_written_q || 32'(f_at) >= Depth || (F_THROUGH
        ? (Depth > 1 && read_addr_i != f_at) || read_data_o[0] == f_bit_q
        : !f_read_q || read_data_o[0] == f_read_bit_q));
    is_read : reach (f_written_q && (F_THROUGH || f_read_q) && read_data_o[0]);
  end
