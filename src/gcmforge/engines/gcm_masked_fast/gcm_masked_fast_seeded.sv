// SPDX-License-Identifier: Apache-2.0
// gcm_masked_fast with the random bits that it needs, 325 a cycle from five instances of Trivium:
// s_rnd takes seeds. The core stands still from reset until it has a seed, and while it takes
// another one. The generator itself is in one piece: docs/theory/masking.md says what that means.
// Latency: that of gcm_masked_fast; another seed whose words come one after another stops the core
// for 23 cycles, and up to 10 more until the ring of keys has come round.
// Throughput: that of gcm_masked_fast.
module gcm_masked_fast_seeded #(
    parameter int AadBits = 16,  // up to 2^AadBits bytes of AAD, and of text
    parameter int TextBits = 16
) (
    input  logic         aclk,
    input  logic         aresetn,
    // a key in two shares, tdata ^ tmask, byte 0 lowest. With tuser there is no key any more.
    input  logic         s_key_tvalid,
    output logic         s_key_tready,
    input  logic [127:0] s_key_tdata,
    input  logic [127:0] s_key_tmask,
    input  logic         s_key_tuser,
    // a command: the IV in bytes 0 to 11; byte 12: 128 * decrypt + 64 * IV of another length
    // + 32 * no such context + bytes of the tag. Decrypting, a second transfer: the expected tag,
    // taken when it has been compared.
    input  logic         s_cmd_tvalid,
    output logic         s_cmd_tready,
    input  logic [127:0] s_cmd_tdata,
    // AAD and text; tuser: text
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
    // the tag when encrypting, else zero; tuser: the status
    output logic         m_tag_tvalid,
    input  logic         m_tag_tready,
    output logic [127:0] m_tag_tdata,
    output logic [  2:0] m_tag_tuser,
    // a seed of the generator: five words, byte 0 of the seed lowest. Another one may come at
    // any time.
    input  logic         s_rnd_tvalid,
    output logic         s_rnd_tready,
    input  logic [ 31:0] s_rnd_tdata
);
  logic valid, ready;
  logic [324:0] bits;

  masked_generator #(
      .Count(5),
      .Bits (65)
  ) u_generator (
      .clk         (aclk),
      .rst         (!aresetn),
      .seed_valid_i(s_rnd_tvalid),
      .seed_ready_o(s_rnd_tready),
      .seed_i      (s_rnd_tdata),
      .valid_o     (valid),
      .bits_o      (bits)
  );

  gcm_masked_fast #(
      .AadBits (AadBits),
      .TextBits(TextBits)
  ) u_masked (
      .aclk         (aclk),
      .aresetn      (aresetn),
      .s_key_tvalid (s_key_tvalid),
      .s_key_tready (s_key_tready),
      .s_key_tdata  (s_key_tdata),
      .s_key_tmask  (s_key_tmask),
      .s_key_tuser  (s_key_tuser),
      .s_cmd_tvalid (s_cmd_tvalid),
      .s_cmd_tready (s_cmd_tready),
      .s_cmd_tdata  (s_cmd_tdata),
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
      .s_rnd_tvalid (valid),
      .s_rnd_tready (ready),
      .s_rnd_tdata  (bits)
  );

  logic unused;
  assign unused = &{1'b0, ready};
endmodule
