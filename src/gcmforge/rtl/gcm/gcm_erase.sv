// SPDX-License-Identifier: Apache-2.0
// Erases a core by work: the zero key is loaded into the contexts, then packets of zeros go through
// until every register and every queue's word has been written. What comes out is dropped. What is
// left in the core is the same whatever it held before.
//
// All contexts (request_i, and every reset): the core is reset at once, whatever is under way.
// Packets whose commands had been accepted are each answered with ERASED, in order, as soon as
// their data has come in; their text does not come out, and a text that had begun to leave is ended
// by a beat without a byte. Until all of them are answered no key and no command is taken, although
// busy_o is low by then; a request in that time has nothing to erase, and is ignored. One context
// (key size 3): after the packets under way, of all contexts, and Quiet cycles after the last beat
// of text; others keep their keys. Data waits for its command, so that nothing else is ever under
// way.
//
// Latency: streams pass combinationally. Erasing takes, after the end of the packets when it is
// one context, 4 cycles, a key load for each context, Packets packets of one beat, and another key
// load when it is one context. Throughput: that of the core.
module gcm_erase #(
    parameter int Contexts = 1,
    parameter bit [1:0] KeyCode = 2'd2,  // the largest key size built
    parameter int Packets = 32,          // as many as the longest queue has words
    parameter int Quiet = 8,             // cycles without text after which there is none to come
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                    clk,
    input  logic                    rst,
    input  logic                    request_i,         // erase everything
    output logic                    busy_o,            // not yet erased
    output logic                    core_reset_o,
    // key, command and data of the core are zeros
    output logic                    zeros_o,
    output logic [ContextWidth-1:0] context_o,         // and for this context
    // from outside to the core
    input  logic                    key_valid_i,
    output logic                    key_ready_o,
    input  logic [             1:0] key_size_i,
    input  logic [ContextWidth-1:0] key_context_i,
    output logic                    key_valid_o,
    input  logic                    key_ready_i,
    output logic [             1:0] key_size_o,
    input  logic                    command_valid_i,
    output logic                    command_ready_o,
    input  logic [            15:0] command_iv_bytes_i,
    output logic                    command_valid_o,
    input  logic                    command_ready_i,
    input  logic                    data_valid_i,
    output logic                    data_ready_o,
    input  logic                    data_last_i,
    output logic                    data_valid_o,
    input  logic                    data_ready_i,
    // from the core to outside
    input  logic                    text_valid_i,
    output logic                    text_ready_o,
    input  logic                    text_last_i,
    output logic                    text_valid_o,
    input  logic                    text_ready_i,
    output logic                    text_close_o,      // a beat without a byte, the packet's last
    input  logic                    tag_valid_i,
    output logic                    tag_ready_o,
    output logic                    tag_valid_o,
    input  logic                    tag_ready_i,
    output logic                    tag_erased_o       // no tag, status ERASED
);
  typedef enum logic [2:0] {
    ERASE_RUN,
    ERASE_DRAIN,  // packets under way come to their end; of new commands none is taken
    ERASE_RESET,
    ERASE_KEY,    // the zero key into a context
    ERASE_PLAY,   // packets of zeros
    ERASE_VOID,   // no key any more: by a reset, or by a key size that no core takes
    ERASE_ANSWER  // for packets that were given up
  } state_t;

  localparam int CountWidth = $clog2(Packets + 1);
  localparam int QuietWidth = $clog2(Quiet + 1);

  state_t state_q;
  logic all_q;       // contexts are erased, not one
  logic offered_q;   // the key of this step has been taken; ready again: it is in place
  logic [ContextWidth-1:0] context_q;
  logic [QuietWidth-1:0] quiet_q;
  logic run, drain, play, answer, step_done;

  assign run          = state_q == ERASE_RUN;
  assign drain        = state_q == ERASE_DRAIN;
  assign play         = state_q == ERASE_PLAY;
  assign answer       = state_q == ERASE_ANSWER;
  assign busy_o       = !run && !drain && !answer;
  assign core_reset_o = state_q == ERASE_RESET || (state_q == ERASE_VOID && all_q);
  assign zeros_o      = !run && !drain;
  assign context_o    = context_q;

  // ---- packets from outside: accepted and not answered; accepted and without their last beat. A
  // core has room for far fewer than 4096.
  logic [11:0] owed_q, unfinished_q;
  logic first, last;  // of the words of a command
  logic command_take, command_first, data_end, tag_take, text_take, text_open_q;

  gcm_iv_words u_words (
      .clk       (clk),
      .rst       (rst),
      .take_i    (command_take),
      .iv_bytes_i(command_iv_bytes_i),
      .first_o   (first),
      .last_o    (last)
  );

  assign command_take  = command_valid_i && command_ready_o;
  assign command_first = command_take && first;
  assign data_end      = data_valid_i && data_ready_o && data_last_i;
  assign tag_take      = tag_valid_o && tag_ready_i;
  assign text_take     = text_valid_o && text_ready_i;

  always_ff @(posedge clk) begin
    if (rst) begin
      owed_q       <= '0;
      unfinished_q <= '0;
      text_open_q  <= 1'b0;
    end else begin
      owed_q       <= owed_q + 12'(command_first) - 12'(tag_take);
      unfinished_q <= unfinished_q + 12'(command_first) - 12'(data_end);
      if (text_take) text_open_q <= !(text_last_i || text_close_o);
    end
  end

  // ---- packets of zeros: commands and data sent, texts and tags swallowed
  logic [CountWidth-1:0] commands_q, beats_q, texts_q, tags_q;

  always_ff @(posedge clk) begin
    if (!play) begin
      commands_q <= CountWidth'(Packets);
      beats_q    <= CountWidth'(Packets);
      texts_q    <= CountWidth'(Packets);
      tags_q     <= CountWidth'(Packets);
    end else begin
      commands_q <= commands_q - CountWidth'(command_valid_o && command_ready_i);
      beats_q    <= beats_q - CountWidth'(data_valid_o && data_ready_i);
      texts_q    <= texts_q - CountWidth'(text_valid_i);
      tags_q     <= tags_q - CountWidth'(tag_valid_i);
    end
  end

  // ---- streams
  logic void_key, key_step;
  assign void_key = state_q == ERASE_VOID && !all_q;
  assign key_step = state_q == ERASE_KEY || void_key;

  assign key_ready_o     = run && key_ready_i;
  assign key_valid_o     = run ? key_valid_i && key_size_i != gcm_pkg::KEY_ERASE
                         : key_step && !offered_q;
  assign key_size_o      = run ? key_size_i : void_key ? gcm_pkg::KEY_ERASE : KeyCode;
  assign command_ready_o = run || (drain && !first) ? command_ready_i : answer && !first;
  assign command_valid_o = run || (drain && !first) ? command_valid_i
                         : play && commands_q != '0;
  assign data_ready_o    = unfinished_q != '0 && (run || drain ? data_ready_i : answer);
  assign data_valid_o    = run || drain ? data_valid_i && unfinished_q != '0
                         : play && beats_q != '0;
  assign text_close_o    = answer;
  assign text_valid_o    = run || drain ? text_valid_i : answer && text_open_q;
  assign text_ready_o    = run || drain ? text_ready_i : 1'b1;
  assign tag_erased_o    = answer;
  assign tag_valid_o     = run || drain ? tag_valid_i : answer && owed_q > unfinished_q;
  assign tag_ready_o     = run || drain ? tag_ready_i : 1'b1;

  // ---- steps
  logic drained;
  assign drained   = owed_q == '0 && first && !text_open_q && quiet_q == QuietWidth'(Quiet);
  assign step_done = offered_q && key_ready_i;

  always_ff @(posedge clk) begin
    quiet_q <= !drain || text_valid_i || owed_q != '0 ? '0
        : quiet_q + QuietWidth'(quiet_q != QuietWidth'(Quiet));
    if (!key_step) offered_q <= 1'b0;
    else offered_q <= (offered_q || key_ready_i) && !step_done;
  end

  always_ff @(posedge clk) begin
    if (rst || (request_i && !all_q)) begin
      state_q   <= ERASE_RESET;
      all_q     <= 1'b1;
      context_q <= '0;
    end else begin
      case (state_q)
        ERASE_RUN:
        if (key_valid_i && key_ready_o && key_size_i == gcm_pkg::KEY_ERASE) begin
          state_q   <= {1'b0, key_context_i} < (ContextWidth + 1)'(Contexts)
              ? ERASE_DRAIN : ERASE_RUN;
          context_q <= key_context_i;
        end
        ERASE_DRAIN: if (drained) state_q <= ERASE_KEY;
        ERASE_RESET: state_q <= ERASE_KEY;
        ERASE_KEY:
        if (step_done) begin
          if (all_q && context_q != ContextWidth'(Contexts - 1))
            context_q <= context_q + ContextWidth'(1);
          else state_q <= ERASE_PLAY;
        end
        ERASE_PLAY: if (texts_q == '0 && tags_q == '0) state_q <= ERASE_VOID;
        ERASE_VOID: if (all_q || step_done) state_q <= all_q ? ERASE_ANSWER : ERASE_RUN;
        default:
        if (owed_q == '0 && first && !text_open_q) begin
          state_q <= ERASE_RUN;
          all_q   <= 1'b0;
        end
      endcase
    end
  end

  logic unused;
  assign unused = &{1'b0, last};

  if (Packets < 1) begin : gen_bad
    $error("gcm_erase: Packets must be at least 1");
  end
endmodule
