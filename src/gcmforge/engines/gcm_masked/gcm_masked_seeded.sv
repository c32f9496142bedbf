// SPDX-License-Identifier: Apache-2.0
// gcm_masked with the random bits that it needs, 26 a cycle from Trivium: s_rnd takes seeds. The
// core stands still from reset until it has a seed, and while it takes another one. The generator
// itself is in one piece: docs/theory/masking.md says what that means.
// Latency: that of gcm_masked; another seed whose words come one after another stops the core for
// 50 cycles. Throughput: that of gcm_masked.
module gcm_masked_seeded #(
    parameter int AadBits = 16,  // up to 2^AadBits bytes of AAD, and of text
    parameter int TextBits = 16
) (
    input  logic       aclk,
    input  logic       aresetn,
    // a key in two shares, tdata ^ tmask, byte 0 first: 16 bytes. With another number of them there
    // is no key.
    input  logic       s_key_tvalid,
    output logic       s_key_tready,
    input  logic [7:0] s_key_tdata,
    input  logic [7:0] s_key_tmask,
    input  logic       s_key_tlast,
    // a command: 128 * decrypt + 32 * no such context + bytes of the tag; then the IV, with tlast.
    // Decrypting: then the expected tag, with tlast; it is taken when the text has ended.
    input  logic       s_cmd_tvalid,
    output logic       s_cmd_tready,
    input  logic [7:0] s_cmd_tdata,
    input  logic       s_cmd_tlast,
    // AAD and text; tuser: 1 for text, 2 for what must be refused (BAD_FRAME)
    input  logic       s_axis_tvalid,
    output logic       s_axis_tready,
    input  logic [7:0] s_axis_tdata,
    input  logic       s_axis_tkeep,
    input  logic [1:0] s_axis_tuser,
    input  logic       s_axis_tlast,
    output logic       m_axis_tvalid,
    input  logic       m_axis_tready,
    output logic [7:0] m_axis_tdata,
    output logic       m_axis_tkeep,
    output logic       m_axis_tlast,
    // the tag when encrypting, else one byte of zeros; tuser: the status
    output logic       m_tag_tvalid,
    input  logic       m_tag_tready,
    output logic [7:0] m_tag_tdata,
    output logic [2:0] m_tag_tuser,
    output logic       m_tag_tlast,
    // a seed of the generator: five words, byte 0 of the seed lowest. Another one may come at
    // any time.
    input  logic        s_rnd_tvalid,
    output logic        s_rnd_tready,
    input  logic [31:0] s_rnd_tdata
);
  logic valid, ready;
  logic [25:0] bits;

  masked_generator #(
      .Count(1),
      .Bits (26)
  ) u_generator (
      .clk         (aclk),
      .rst         (!aresetn),
      .seed_valid_i(s_rnd_tvalid),
      .seed_ready_o(s_rnd_tready),
      .seed_i      (s_rnd_tdata),
      .valid_o     (valid),
      .bits_o      (bits)
  );

  gcm_masked #(
      .AadBits (AadBits),
      .TextBits(TextBits)
  ) u_masked (
      .aclk         (aclk),
      .aresetn      (aresetn),
      .s_key_tvalid (s_key_tvalid),
      .s_key_tready (s_key_tready),
      .s_key_tdata  (s_key_tdata),
      .s_key_tmask  (s_key_tmask),
      .s_key_tlast  (s_key_tlast),
      .s_cmd_tvalid (s_cmd_tvalid),
      .s_cmd_tready (s_cmd_tready),
      .s_cmd_tdata  (s_cmd_tdata),
      .s_cmd_tlast  (s_cmd_tlast),
      .s_axis_tvalid(s_axis_tvalid),
      .s_axis_tready(s_axis_tready),
      .s_axis_tdata (s_axis_tdata),
      .s_axis_tkeep (s_axis_tkeep),
      .s_axis_tuser (s_axis_tuser),
      .s_axis_tlast (s_axis_tlast),
      .m_axis_tvalid(m_axis_tvalid),
      .m_axis_tready(m_axis_tready),
      .m_axis_tdata (m_axis_tdata),
      .m_axis_tkeep (m_axis_tkeep),
      .m_axis_tlast (m_axis_tlast),
      .m_tag_tvalid (m_tag_tvalid),
      .m_tag_tready (m_tag_tready),
      .m_tag_tdata  (m_tag_tdata),
      .m_tag_tuser  (m_tag_tuser),
      .m_tag_tlast  (m_tag_tlast),
      .s_rnd_tvalid (valid),
      .s_rnd_tready (ready),
      .s_rnd_tdata  (bits)
  );

  logic unused;
  assign unused = &{1'b0, ready};
endmodule
