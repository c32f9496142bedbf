// SPDX-License-Identifier: Apache-2.0
// gcm_masked_seeded with the streams of gcm_axis around it, and with a seed for a simulation: with
// this module it is verified as any other core. Keys come in one piece here, so that nothing is
// protected; a command is taken when the one before it is done.
// Latency, throughput: those of gcm_masked_seeded.
module masked_seeded_wide #(
    parameter int AadBits = 16,
    parameter int TextBits = 16
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
    output logic [  2:0] m_tag_status
);
  logic clk, rst;
  assign clk = aclk;
  assign rst = !aresetn;

  logic key_open, key_busy, command_busy, packet_q;
  logic key_valid, key_ready, key_last, command_valid, command_ready, command_last;
  logic in_valid, in_ready, in_keep, in_last, out_valid, out_ready, out_keep, out_last;
  logic tag_valid, tag_ready, tag_last;
  logic [7:0] key_byte, command_byte, in_byte, out_byte, tag_byte;
  logic [1:0] in_user;
  logic [2:0] tag_status;
  logic open, turn_q;

  // One thing at a time; keys and commands take turns in being asked for. After a packet a key
  // goes first, if it waits; after a key a command.
  assign open     = !key_busy && !command_busy && !packet_q;
  assign key_open = open && turn_q;

  always_ff @(posedge clk) begin
    turn_q <= !rst && (open ? !turn_q : packet_q && s_key_tvalid);
    if (rst) packet_q <= 1'b0;
    else if (s_cmd_tvalid && s_cmd_tready) packet_q <= 1'b1;
    else if (m_tag_tvalid && m_tag_tready) packet_q <= 1'b0;
  end

  nano_wide_key_sized u_key (
      .clk          (clk),
      .rst          (rst),
      .open_i       (key_open),
      .busy_o       (key_busy),
      .key_valid_i  (s_key_tvalid),
      .key_ready_o  (s_key_tready),
      .key_data_i   (s_key_tdata),
      .key_size_i   (s_key_size),
      .key_context_i(s_key_context),
      .byte_valid_o (key_valid),
      .byte_ready_i (key_ready),
      .byte_o       (key_byte),
      .byte_last_o  (key_last)
  );

  nano_wide_command u_command (
      .clk                (clk),
      .rst                (rst),
      .open_i             (open && !turn_q),
      .busy_o             (command_busy),
      .command_valid_i    (s_cmd_tvalid),
      .command_ready_o    (s_cmd_tready),
      .command_context_i  (s_cmd_context),
      .command_decrypt_i  (s_cmd_decrypt),
      .command_tag_i      (s_cmd_tag),
      .command_tag_bytes_i(s_cmd_tag_bytes),
      .command_iv_bytes_i (s_cmd_iv_bytes),
      .command_iv_i       (s_cmd_iv),
      .byte_valid_o       (command_valid),
      .byte_ready_i       (command_ready),
      .byte_o             (command_byte),
      .byte_last_o        (command_last)
  );

  nano_wide_data u_data (
      .clk         (clk),
      .rst         (rst),
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
      .byte_valid_o(in_valid),
      .byte_ready_i(in_ready),
      .byte_o      (in_byte),
      .byte_keep_o (in_keep),
      .byte_user_o (in_user),
      .byte_last_o (in_last),
      .back_valid_i(out_valid),
      .back_ready_o(out_ready),
      .back_i      (out_byte),
      .back_keep_i (out_keep),
      .back_last_i (out_last)
  );

  nano_wide_tag u_tag (
      .clk          (clk),
      .rst          (rst),
      .byte_valid_i (tag_valid),
      .byte_ready_o (tag_ready),
      .byte_i       (tag_byte),
      .byte_status_i(tag_status),
      .byte_last_i  (tag_last),
      .tag_valid_o  (m_tag_tvalid),
      .tag_ready_i  (m_tag_tready),
      .tag_o        (m_tag_tag),
      .tag_status_o (m_tag_status)
  );

  logic noise_valid, seed_valid, seed_ready;
  logic [33:0] noise;
  logic [31:0] seed;

  masked_noise u_noise (
      .clk    (clk),
      .rst    (rst),
      .valid_o(noise_valid),
      .ready_i(1'b1),
      .noise_o(noise)
  );

  masked_seeds u_seeds (
      .clk    (clk),
      .rst    (rst),
      .valid_o(seed_valid),
      .ready_i(seed_ready),
      .seed_o (seed)
  );

  assign m_tag_ok = m_tag_status == 3'd0;

  gcm_masked_seeded #(
      .AadBits (AadBits),
      .TextBits(TextBits)
  ) u_masked (
      .aclk         (clk),
      .aresetn      (!rst),
      .s_key_tvalid (key_valid),
      .s_key_tready (key_ready),
      .s_key_tdata  (key_byte ^ noise[33:26]),
      .s_key_tmask  (noise[33:26]),
      .s_key_tlast  (key_last),
      .s_cmd_tvalid (command_valid),
      .s_cmd_tready (command_ready),
      .s_cmd_tdata  (command_byte),
      .s_cmd_tlast  (command_last),
      .s_axis_tvalid(in_valid),
      .s_axis_tready(in_ready),
      .s_axis_tdata (in_byte),
      .s_axis_tkeep (in_keep),
      .s_axis_tuser (in_user),
      .s_axis_tlast (in_last),
      .m_axis_tvalid(out_valid),
      .m_axis_tready(out_ready),
      .m_axis_tdata (out_byte),
      .m_axis_tkeep (out_keep),
      .m_axis_tlast (out_last),
      .m_tag_tvalid (tag_valid),
      .m_tag_tready (tag_ready),
      .m_tag_tdata  (tag_byte),
      .m_tag_tuser  (tag_status),
      .m_tag_tlast  (tag_last),
      .s_rnd_tvalid (seed_valid),
      .s_rnd_tready (seed_ready),
      .s_rnd_tdata  (seed)
  );

  logic unused;
  assign unused = &{1'b0, noise_valid, noise[25:0]};
endmodule
