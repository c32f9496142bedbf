// SPDX-License-Identifier: Apache-2.0
// gcm_micro with the streams of every other core, blocks of 128 bits, so that it is verified and
// measured by the same benches.
// Latency: that of gcm_micro, and 2 cycles for text. Throughput: its own.
module micro_wide #(
    parameter int AadBits = 16,  // as in gcm_micro
    parameter int TextBits = 16,
    parameter int StatusBits = 3
) (
    input  logic         aclk,
    input  logic         aresetn,
    input  logic         s_key_tvalid,
    output logic         s_key_tready,
    input  logic [255:0] s_key_tdata,
    input  logic [  1:0] s_key_size,
    input  logic         s_key_context,
    input  logic         s_cmd_tvalid,
    output logic         s_cmd_tready,
    input  logic         s_cmd_context,
    input  logic         s_cmd_decrypt,
    input  logic [127:0] s_cmd_tag,
    input  logic [  4:0] s_cmd_tag_bytes,
    input  logic [ 15:0] s_cmd_iv_bytes,
    input  logic [127:0] s_cmd_iv,
    input  logic         s_axis_tvalid,
    output logic         s_axis_tready,
    input  logic [127:0] s_axis_tdata,
    input  logic [ 15:0] s_axis_tkeep,
    input  logic         s_axis_tuser,
    input  logic         s_axis_tlast,
    output logic         m_axis_tvalid,
    input  logic         m_axis_tready,
    output logic [127:0] m_axis_tdata,
    output logic [ 15:0] m_axis_tkeep,
    output logic         m_axis_tlast,
    output logic         m_tag_tvalid,
    input  logic         m_tag_tready,
    output logic [127:0] m_tag_tag,
    output logic         m_tag_ok,
    output logic [StatusBits-1:0] m_tag_status
);
  logic in_valid, in_ready, in_text, in_last, out_valid, out_ready, out_last;
  logic [31:0] in_word, out_word;
  logic [3:0] in_keep, out_keep;

  micro_wide_data u_data (
      .clk         (aclk),
      .rst         (!aresetn),
      .in_valid_i  (s_axis_tvalid),
      .in_ready_o  (s_axis_tready),
      .in_data_i   (s_axis_tdata),
      .in_keep_i   (s_axis_tkeep),
      .in_text_i   (s_axis_tuser),
      .in_last_i   (s_axis_tlast),
      .out_valid_o (m_axis_tvalid),
      .out_ready_i (m_axis_tready),
      .out_data_o  (m_axis_tdata),
      .out_keep_o  (m_axis_tkeep),
      .out_last_o  (m_axis_tlast),
      .word_valid_o(in_valid),
      .word_ready_i(in_ready),
      .word_o      (in_word),
      .word_keep_o (in_keep),
      .word_text_o (in_text),
      .word_last_o (in_last),
      .back_valid_i(out_valid),
      .back_ready_o(out_ready),
      .back_i      (out_word),
      .back_keep_i (out_keep),
      .back_last_i (out_last)
  );

  micro_bus #(
      .AadBits   (AadBits),
      .TextBits  (TextBits),
      .StatusBits(StatusBits)
  ) u_bus (
      .aclk           (aclk),
      .aresetn        (aresetn),
      .s_key_tvalid   (s_key_tvalid),
      .s_key_tready   (s_key_tready),
      .s_key_tdata    (s_key_tdata),
      .s_key_size     (s_key_size),
      .s_key_context  (s_key_context),
      .s_cmd_tvalid   (s_cmd_tvalid),
      .s_cmd_tready   (s_cmd_tready),
      .s_cmd_context  (s_cmd_context),
      .s_cmd_decrypt  (s_cmd_decrypt),
      .s_cmd_tag      (s_cmd_tag),
      .s_cmd_tag_bytes(s_cmd_tag_bytes),
      .s_cmd_iv_bytes (s_cmd_iv_bytes),
      .s_cmd_iv       (s_cmd_iv),
      .s_axis_tvalid  (in_valid),
      .s_axis_tready  (in_ready),
      .s_axis_tdata   (in_word),
      .s_axis_tkeep   (in_keep),
      .s_axis_tuser   (in_text),
      .s_axis_tlast   (in_last),
      .m_axis_tvalid  (out_valid),
      .m_axis_tready  (out_ready),
      .m_axis_tdata   (out_word),
      .m_axis_tkeep   (out_keep),
      .m_axis_tlast   (out_last),
      .m_tag_tvalid   (m_tag_tvalid),
      .m_tag_tready   (m_tag_tready),
      .m_tag_tag      (m_tag_tag),
      .m_tag_ok       (m_tag_ok),
      .m_tag_status   (m_tag_status)
  );
endmodule
