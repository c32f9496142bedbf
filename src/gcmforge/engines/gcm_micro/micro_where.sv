// SPDX-License-Identifier: Apache-2.0
// How far a key, a command, data and text have come on a core's ports, kept three times, and what
// takes the core's place there from a fault on: all that is left of a packet is taken and dropped,
// its text ends with a word without a byte, its answer is FAULT. So is all that is left of a key.
// Any one copy may be wrong.
// Latency: 1 cycle from fault_i to fails_o. Throughput: one word a cycle.
(* keep_hierarchy = "yes" *)
module micro_where (
    input  logic clk,
    input  logic rst,
    input  logic fault_i,         // something is wrong in this cycle
    input  logic found_i,         // a new key is there
    input  logic key_valid_i,     // the ports in this cycle
    input  logic key_taken_i,
    input  logic key_last_i,
    input  logic command_valid_i,
    input  logic command_taken_i,
    input  logic command_last_i,
    input  logic decrypts_i,      // what the first word of a command says
    input  logic data_valid_i,
    input  logic data_taken_i,
    input  logic data_text_i,     // a word of text, with a byte or more
    input  logic data_last_i,
    input  logic text_last_i,     // the last word of text leaves
    input  logic answer_last_i,   // the last word of an answer leaves
    output logic fails_o,         // the core is held in reset, and these stand for its own:
    output logic key_ready_o,
    output logic command_ready_o,
    output logic data_ready_o,
    output logic text_valid_o,
    output logic answer_valid_o,
    output logic lost_o           // a fault took the key
);
  localparam int FLAGS = 8;

  logic [FLAGS-1:0] q, now;
  logic [3*FLAGS-1:0] copies_q;
  // fails and lost are those of the ports. open: a packet's command has come, and its answer has
  // not left. What ends in _left says that more of it is to come, or to leave.
  logic fails, lost, open, iv_left, tag_left, data_left, text_left, key_left;
  logic key, command, data, begins, iv_last, tag_last, broken;

  assign key     = key_valid_i && key_taken_i;
  assign command = command_valid_i && command_taken_i;
  assign data    = data_valid_i && data_taken_i;

  for (genvar f = 0; f < FLAGS; f++) begin : gen_vote
    assign q[f] = (copies_q[f] && copies_q[FLAGS+f]) || (copies_q[f] && copies_q[2*FLAGS+f])
        || (copies_q[FLAGS+f] && copies_q[2*FLAGS+f]);
  end
  assign {fails, lost, open, iv_left, tag_left, data_left, text_left, key_left} = q;

  // What is left of a key goes the way of its first words, whatever packets come before that.
  assign broken   = key ? !key_last_i : key_left;
  assign begins   = command && !open;
  assign iv_last  = command && iv_left && command_last_i;
  assign tag_last = command && open && !iv_left && command_last_i;

  assign now = {
    fault_i || (fails && (broken || (open ? !answer_last_i : begins))),
    fault_i || fails || (lost && !found_i),
    begins || (open && !answer_last_i),
    begins ? !command_last_i : iv_left && !iv_last,
    begins ? decrypts_i : tag_left && !tag_last,
    begins || (data_left && !(data && data_last_i)),
    (data && data_text_i) || (text_left && !text_last_i),
    broken
  };

  for (genvar c = 0; c < 3; c++) begin : gen_copy
    micro_flags #(
        .Flags(FLAGS)
    ) u_flags (
        .clk    (clk),
        .rst    (rst),
        .flags_i(now),
        .flags_o(copies_q[FLAGS*c+:FLAGS])
    );
  end

  assign fails_o         = fails;
  assign lost_o          = lost;
  assign key_ready_o     = !open;
  assign command_ready_o = !open || iv_left || tag_left;
  assign data_ready_o    = data_left;
  assign text_valid_o    = text_left && !data_left;
  assign answer_valid_o  = open && !iv_left && !tag_left && !data_left && !text_left;
endmodule
