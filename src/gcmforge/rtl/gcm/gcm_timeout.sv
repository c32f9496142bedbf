// SPDX-License-Identifier: Apache-2.0
// Ends the wait for a sender that has stopped, so that every packet is answered:
//
//   a command whose data stays away, or breaks off    a last beat that is no frame (close_o);
//                                                     the rest of its data is dropped
//   data whose command stays away                     a command that is refused (made_o)
//   a command whose IV breaks off                     words that make it refused (made_o)
//
// Where a whole command, a whole frame or words of an IV stayed away, they may come yet and be
// taken for something else: all data is spoiled (doubt_o) until both streams were silent for Limit
// cycles. Data is let through once all of its command was taken.
// Latency: none; data waits for the cycle after its command's. Throughput: one beat a cycle. A wait
// ends Limit cycles after it began, as soon as the core takes what ends it.
module gcm_timeout #(
    parameter int Limit = 65536  // cycles without an offer
) (
    input  logic        clk,
    input  logic        rst,
    // commands: the first word of a command has its fields, the others 16 bytes of a long IV
    input  logic        command_valid_i,
    output logic        command_ready_o,
    input  logic [15:0] command_iv_bytes_i,
    output logic        command_valid_o,
    input  logic        command_ready_i,
    output logic        made_o,              // the word is made here
    // data
    input  logic        data_valid_i,
    output logic        data_ready_o,
    input  logic        data_last_i,
    output logic        data_valid_o,
    input  logic        data_ready_i,
    output logic        close_o,             // the beat is made here
    output logic        doubt_o              // whose data it is cannot be known
);
  localparam int TimerWidth = $clog2(Limit + 1);

  // ---- commands, and whose turn the data is
  logic [3:0] ahead_q;  // commands whose data has not ended; a core takes three at most
  logic made_q, command_take, first, last, command_end;

  assign command_valid_o = command_valid_i || made_q;
  assign command_ready_o = command_ready_i && !made_q;
  assign made_o          = made_q;
  assign command_take    = command_valid_o && command_ready_i;
  assign command_end     = command_take && last;

  gcm_iv_words u_words (
      .clk       (clk),
      .rst       (rst),
      .take_i    (command_take),
      .iv_bytes_i(made_q ? 16'd12 : command_iv_bytes_i),
      .first_o   (first),
      .last_o    (last)
  );

  // ---- data
  logic close_q, doubt_q, begun_q, drop_q, open, data_end;

  assign open         = ahead_q != '0 && !drop_q;
  assign data_valid_o = close_q || (data_valid_i && open);
  assign data_ready_o = !close_q && (drop_q || (data_ready_i && open));
  assign close_o      = close_q;
  assign doubt_o      = doubt_q;
  assign data_end     = data_valid_o && data_ready_i && (close_q || data_last_i);

  always_ff @(posedge clk) begin
    if (rst) begin
      ahead_q <= '0;
      begun_q <= 1'b0;
      drop_q  <= 1'b0;
    end else begin
      ahead_q <= ahead_q + 4'(command_end) - 4'(data_end);
      if (data_valid_o && data_ready_i) begun_q <= !data_end;
      if (close_q) drop_q <= drop_q || (data_end && begun_q);
      else if (data_valid_i && data_last_i) drop_q <= 1'b0;
    end
  end

  // ---- how long each has been waited for
  logic command_late, data_late, silent;
  logic command_over, data_over, silent_over;  // for Limit cycles

  assign command_late = !command_valid_i && !made_q && command_ready_i
      && (!first || (ahead_q == '0 && data_valid_i && !drop_q));
  assign data_late    = !data_valid_i && !close_q && ahead_q != '0 && data_ready_i;

  assign silent       = doubt_q && !command_valid_i && !data_valid_i && !made_q && !close_q && first
      && ahead_q == '0;

  logic [2:0] waits, over;
  assign waits = {silent, data_late, command_late};
  assign {silent_over, data_over, command_over} = over;
  for (genvar t = 0; t < 3; t++) begin : gen_timer
    logic [TimerWidth-1:0] timer_q;
    assign over[t] = waits[t] && timer_q == TimerWidth'(Limit - 1);
    always_ff @(posedge clk) timer_q <= rst || !waits[t] ? '0 : timer_q + TimerWidth'(1);
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      made_q  <= 1'b0;
      close_q <= 1'b0;
      doubt_q <= 1'b0;
    end else begin
      if (command_over) made_q <= 1'b1;
      else if (command_end) made_q <= 1'b0;
      if (data_over) close_q <= 1'b1;
      else if (data_end) close_q <= 1'b0;
      if ((made_q && command_take) || (close_q && data_end && !begun_q)) doubt_q <= 1'b1;
      else if (silent_over) doubt_q <= 1'b0;
    end
  end

  // synthesis translate_off
  always_ff @(posedge clk) few_ahead : assert (rst || ahead_q != '1);
  // synthesis translate_on

  if (Limit < 1) begin : gen_bad
    $error("gcm_timeout: Limit must be at least 1");
  end
endmodule
