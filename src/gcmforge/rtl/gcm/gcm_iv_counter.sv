// SPDX-License-Identifier: Apache-2.0
// Makes the IVs of a core that encrypts: SP 800-38D, section 8.2.1, a fixed field of 32 bits that
// came with the key and an invocation field of 64 bits that counts the packets encrypted under it,
// from 0. Nobody can set the count; only a key load begins it anew. After Limit packets the context
// has no IV left: further commands get one of no byte, which the core refuses. An IV is used up by
// its command, also when the packet is refused for something else. A packet to be decrypted brings
// its own IV.
// Latency: commands pass combinationally; each IV comes out again with its packet's answer.
// Throughput: one command a cycle, Depth of them between command and answer.
module gcm_iv_counter #(
    parameter int Contexts = 1,
    parameter longint unsigned Limit = 64'd4294967296,
    parameter int Depth = 32,
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                    clk,
    input  logic                    rst,
    // a key is taken, with its fixed field
    input  logic                    key_take_i,
    input  logic [ContextWidth-1:0] key_context_i,
    input  logic [            31:0] key_fixed_i,        // byte 0 in the low bits
    // commands, byte 0 of the IV in the low bits
    input  logic                    command_valid_i,
    output logic                    command_ready_o,
    input  logic [ContextWidth-1:0] command_context_i,
    input  logic                    command_decrypt_i,
    input  logic [            15:0] command_iv_bytes_i,
    input  logic [           127:0] command_iv_i,
    output logic                    command_valid_o,
    input  logic                    command_ready_i,
    output logic [            15:0] command_iv_bytes_o,
    output logic [           127:0] command_iv_o,
    // the IV of the oldest packet that has no answer
    input  logic                    answer_take_i,
    output logic [            95:0] answer_iv_o
);
  logic [Contexts-1:0] fresh_q;  // no packet has been encrypted under this key
  logic [Contexts-1:0] known_q;  // a key has come, and with it the fixed field
  logic take, first, last, counts, fresh, known, exhausted, space, present, exists, key_exists;
  logic [31:0] fixed, stored_fixed;
  logic [63:0] count_bytes;
  logic [95:0] made, used;

  // A count is two parts, and what its upper one comes to next is kept with it: made in the cycle
  // after the change, long before it is wanted. So nothing waits for a long carry.
  localparam int Bits = Limit >> 63 != 64'd0 ? 64 : $clog2(Limit + 64'd1);
  localparam int Low = 4;  // a carry comes once in 16 commands at most
  localparam int Upper = Bits > Low ? Bits - Low : 1;
  logic [Low-1:0] low, stored_low;
  logic [Upper-1:0] upper, stored_upper, next_upper, new_upper, new_upper_q;
  logic [ContextWidth-1:0] new_context_q;
  logic [63:0] count;
  logic full, advance, new_q;

  gcm_iv_words u_words (
      .clk       (clk),
      .rst       (rst),
      .take_i    (take),
      .iv_bytes_i(command_iv_bytes_o),
      .first_o   (first),
      .last_o    (last)
  );

  assign take       = command_valid_o && command_ready_i;
  assign counts     = first && !command_decrypt_i;
  assign exists     = {1'b0, command_context_i} < (ContextWidth + 1)'(Contexts);
  assign key_exists = {1'b0, key_context_i} < (ContextWidth + 1)'(Contexts);

  always_comb begin
    fresh = 1'b1;
    known = 1'b0;
    for (int c = 0; c < Contexts; c++)
      if (command_context_i == ContextWidth'(c)) begin
        fresh = fresh_q[c];
        known = known_q[c];
      end
  end

  gcm_ram #(
      .Width       (32),
      .Depth       (Contexts),
      .ReadRegister(1'b0)
  ) u_fixed (
      .clk         (clk),
      .write_i     (key_take_i && key_exists),
      .write_addr_i(key_context_i),
      .write_data_i(key_fixed_i),
      .read_i      (1'b1),
      .read_addr_i (command_context_i),
      .read_data_o (stored_fixed)
  );

  gcm_ram #(
      .Width       (Upper + Low),
      .Depth       (Contexts),
      .ReadRegister(1'b0)
  ) u_count (
      .clk         (clk),
      .write_i     (advance),
      .write_addr_i(command_context_i),
      .write_data_i({new_upper, Low'(low + 1'b1)}),
      .read_i      (1'b1),
      .read_addr_i (command_context_i),
      .read_data_o ({stored_upper, stored_low})
  );

  gcm_ram #(
      .Width       (Upper),
      .Depth       (Contexts),
      .ReadRegister(1'b0)
  ) u_next (
      .clk         (clk),
      .write_i     (new_q),
      .write_addr_i(new_context_q),
      .write_data_i(Upper'(new_upper_q + 1'b1)),
      .read_i      (1'b1),
      .read_addr_i (command_context_i),
      .read_data_o (next_upper)
  );

  assign fixed     = known ? stored_fixed : '0;
  assign low       = fresh ? '0 : stored_low;
  assign upper     = fresh ? '0 : stored_upper;
  assign count     = 64'({upper, low});
  assign exhausted = count == Limit;
  assign full      = low == '1;
  assign new_upper = full ? next_upper : upper;
  assign advance   = take && counts && exists && !exhausted;

  always_ff @(posedge clk) begin
    new_q         <= !rst && advance && (fresh || full);
    new_context_q <= command_context_i;
    new_upper_q   <= new_upper;
  end

  // The count's first byte is its highest: IVs are in the order in which they are sent.
  for (genvar b = 0; b < 8; b++) begin : gen_byte
    assign count_bytes[8*b+:8] = count[8*(7-b)+:8];
  end
  assign made = {count_bytes, fixed};
  assign used = !counts ? command_iv_i[95:0] : exhausted ? '0 : made;

  assign command_iv_o       = counts ? {32'd0, made} : command_iv_i;
  assign command_iv_bytes_o = !counts ? command_iv_bytes_i : exhausted ? 16'd0 : 16'd12;
  assign command_valid_o    = command_valid_i && space;
  assign command_ready_o    = command_ready_i && space;

  // A command that is taken together with a key is the last one under the key before it.
  always_ff @(posedge clk) begin
    if (rst) begin
      fresh_q <= '1;
      known_q <= '0;
    end else
      for (int c = 0; c < Contexts; c++) begin
        if (key_take_i && key_context_i == ContextWidth'(c)) begin
          fresh_q[c] <= 1'b1;
          known_q[c] <= 1'b1;
        end else if (take && counts && !exhausted && command_context_i == ContextWidth'(c))
          fresh_q[c] <= 1'b0;
      end
  end

  gcm_fifo #(
      .Width(96),
      .Depth(Depth)
  ) u_used (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (take && first),
      .in_ready_o (space),
      .in_data_i  (used),
      .out_valid_o(present),
      .out_ready_i(answer_take_i),
      .out_data_o (answer_iv_o)
  );

  // A count never goes beyond its limit, so no IV comes twice under one key.
  // synthesis translate_off
  always_ff @(posedge clk) if (!rst && take && counts && !exhausted) assert (count < Limit);
  // synthesis translate_on

  logic unused;  // every answer has its command before it
  assign unused = &{1'b0, present, last};
endmodule
