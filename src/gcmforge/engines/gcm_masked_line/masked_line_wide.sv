// SPDX-License-Identifier: Apache-2.0
// gcm_masked_line with the streams of every other core, and with random bits for a simulation: with
// this module it is verified as any other core. Keys come in one piece here, so that nothing is
// protected.
// Latency, throughput: those of gcm_masked_line.
module masked_line_wide #(
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
  // A command is kept until its tag has been sent, if it has one; of an IV of more than 16 bytes
  // the further words are taken and left.
  logic rst, full_q, sent_q, first, begins, decrypt_q, noise_valid, noise_ready, ready, sends;
  logic key_ready, key_open, key_waits_q;
  logic [255:0] command_q;
  logic [11:0] words_q;
  logic [3147:0] noise;

  assign rst          = !aresetn;
  assign first        = words_q == '0;
  assign s_cmd_tready = first ? !full_q && !key_ready && !key_waits_q : 1'b1;
  assign sends        = full_q && first && ready;
  assign begins       = s_cmd_tvalid && s_cmd_tready && first;

  always_ff @(posedge aclk) begin
    if (begins) begin
      command_q <= {s_cmd_tag, 24'b0, s_cmd_decrypt, s_cmd_iv_bytes != 16'd12, s_cmd_context,
                    s_cmd_tag_bytes, s_cmd_iv[95:0]};
      decrypt_q <= s_cmd_decrypt;
    end
    if (rst) words_q <= '0;
    else if (s_cmd_tvalid && !first) words_q <= words_q - 12'd1;
    else if (begins && s_cmd_iv_bytes != '0) words_q <= 12'((s_cmd_iv_bytes - 16'd1) >> 4);
    if (rst) full_q <= 1'b0;
    else if (begins) full_q <= 1'b1;
    else if (sends && (sent_q || !decrypt_q)) full_q <= 1'b0;
    if (rst) sent_q <= 1'b0;
    else if (sends) sent_q <= !sent_q && decrypt_q;
  end

  // Keys and commands keep their order: no cycle asks for both, and a key waits for the command
  // before it. A key for a context that does not exist is taken and left.
  assign key_open     = !full_q;
  assign s_key_tready = key_ready && key_open;

  always_ff @(posedge aclk) key_waits_q <= !rst && s_key_tvalid && !s_key_tready;

  masked_line_noise #(
      .Bits(3148)
  ) u_noise (
      .clk    (aclk),
      .rst    (rst),
      .valid_o(noise_valid),
      .ready_i(noise_ready),
      .noise_o(noise)
  );

  // Both leave through one register of the core.
  logic [127:0] text, tag;
  assign m_axis_tdata = m_axis_tvalid ? text : '0;
  assign m_tag_tag    = m_tag_tvalid ? tag : '0;
  assign m_tag_ok     = m_tag_status == 3'd0;

  gcm_masked_line #(
      .AadBits (AadBits),
      .TextBits(TextBits)
  ) u_masked (
      .aclk         (aclk),
      .aresetn      (aresetn),
      .s_key_tvalid (s_key_tvalid && key_open && !s_key_context),
      .s_key_tready (key_ready),
      .s_key_tdata  (s_key_tdata[127:0] ^ noise[3147:3020]),
      .s_key_tmask  (noise[3147:3020]),
      .s_key_tuser  (s_key_size != 2'd0),
      .s_cmd_tvalid (full_q && first),
      .s_cmd_tready (ready),
      .s_cmd_tdata  (sent_q ? command_q[255:128] : command_q[127:0]),
      .s_axis_tvalid(s_axis_tvalid),
      .s_axis_tready(s_axis_tready),
      .s_axis_tdata (s_axis_tdata),
      .s_axis_tkeep (s_axis_tkeep),
      .s_axis_tuser (s_axis_tuser),
      .s_axis_tlast (s_axis_tlast),
      .m_axis_tvalid(m_axis_tvalid),
      .m_axis_tready(m_axis_tready),
      .m_axis_tdata (text),
      .m_axis_tkeep (m_axis_tkeep),
      .m_axis_tlast (m_axis_tlast),
      .m_tag_tvalid (m_tag_tvalid),
      .m_tag_tready (m_tag_tready),
      .m_tag_tdata  (tag),
      .m_tag_tuser  (m_tag_status),
      .s_rnd_tvalid (noise_valid),
      .s_rnd_tready (noise_ready),
      .s_rnd_tdata  (noise[3019:0])
  );

  logic unused;
  assign unused = &{1'b0, s_key_tdata[255:128], s_cmd_iv[127:96]};
endmodule
