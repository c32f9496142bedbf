// SPDX-License-Identifier: Apache-2.0
// gcm_micro with keys, commands and answers in one transfer each, as every other core has them, and
// its own streams of data. The words of a command and its IV are taken from what is offered, while
// it stands there: the handshake is that of the last word. So s_cmd_tready is low until a command
// whose IV has 12 bytes is offered, also in an idle core.
// Latency: that of gcm_micro, and 1 cycle from an answer's last word. Throughput: its own.
module micro_bus #(
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
    input  logic [ 31:0] s_axis_tdata,
    input  logic [  3:0] s_axis_tkeep,
    input  logic         s_axis_tuser,
    input  logic         s_axis_tlast,
    output logic         m_axis_tvalid,
    input  logic         m_axis_tready,
    output logic [ 31:0] m_axis_tdata,
    output logic [  3:0] m_axis_tkeep,
    output logic         m_axis_tlast,
    output logic         m_tag_tvalid,
    input  logic         m_tag_tready,
    output logic [127:0] m_tag_tag,
    output logic         m_tag_ok,
    output logic [StatusBits-1:0] m_tag_status
);
  logic clk, rst;
  assign clk = aclk;
  assign rst = !aresetn;

  logic [1:0] word_q;     // words sent of command and IV; then of the tag
  logic holds_q, tags_q;  // a command is held; its tag is to be sent

  // ---- a key: a size that there is not becomes one word, which is no key

  logic key_ready, key_taken, keys_q;  // words of a key are to be sent
  logic key_before_q;  // no command has begun since the last key
  logic command_waits_q, taken;
  logic [255:0] key_q;
  logic [2:0] key_left_q;

  // A command that came before a key, held or in part, goes before it; one that comes later waits,
  // but not for two keys.
  assign s_key_tready = !keys_q && !holds_q && word_q == '0 && !(key_before_q && command_waits_q);
  assign key_taken    = s_key_tvalid && s_key_tready && !s_key_context;

  always_ff @(posedge clk) begin
    if (key_taken) begin
      key_q      <= s_key_tdata;
      key_left_q <= s_key_size == 2'd0 ? 3'd3 : s_key_size == 2'd2 ? 3'd7 : 3'd0;
    end else if (keys_q && !holds_q && key_ready) begin
      key_q      <= {32'b0, key_q[255:32]};
      key_left_q <= key_left_q - 3'd1;
    end
    command_waits_q <= !rst && s_cmd_tvalid && !s_cmd_tready;
    if (rst || taken) key_before_q <= 1'b0;
    else if (s_key_tvalid && s_key_tready) key_before_q <= 1'b1;
    if (rst) keys_q <= 1'b0;
    else if (key_taken) keys_q <= 1'b1;
    else if (!holds_q && key_ready && key_left_q == '0) keys_q <= 1'b0;
  end

  // ---- a command; one whose IV is not 12 bytes is held until all words of that were taken

  logic word_ready, word_valid, word_last, wrong, sent, tag_last;
  logic [31:0] word;
  logic [11:0] more_q;  // words of an IV, still to come
  logic [127:0] tag_q;
  logic [4:0] tag_bytes_q;
  logic decrypt_q, context_q;

  assign wrong        = s_cmd_iv_bytes != 16'd12;
  assign s_cmd_tready = holds_q ? more_q != '0
      : !tags_q && (wrong ? !keys_q : word_ready && word_q == 2'd3);
  assign taken        = s_cmd_tvalid && s_cmd_tready;
  assign word_valid   = tags_q || (holds_q ? more_q == '0 : s_cmd_tvalid && !wrong
      && (word_q != '0 || !(keys_q || (s_key_tvalid && s_key_tready))));
  assign sent         = word_valid && word_ready;
  assign tag_last     = word_q == 2'd3 || 6'({word_q, 2'b0}) + 6'd4 >= 6'(tag_bytes_q);
  assign word_last    = tags_q ? tag_last : holds_q || word_q == 2'd3;

  always_comb begin
    case (word_q)
      2'd0: word = {24'b0, s_cmd_decrypt, 1'b0, s_cmd_context, s_cmd_tag_bytes};
      2'd1: word = s_cmd_iv[31:0];
      2'd2: word = s_cmd_iv[63:32];
      default: word = s_cmd_iv[95:64];
    endcase
    if (holds_q) word = {24'b0, decrypt_q, 1'b0, context_q, tag_bytes_q};
    if (tags_q) word = tag_q[31:0];
  end

  always_ff @(posedge clk) begin
    if (taken && !holds_q) begin
      tag_q       <= s_cmd_tag;
      tag_bytes_q <= s_cmd_tag_bytes;
      decrypt_q   <= s_cmd_decrypt;
      context_q   <= s_cmd_context;
    end else if (tags_q && word_ready) tag_q <= {32'b0, tag_q[127:32]};
    if (taken) more_q <= holds_q ? more_q - 12'd1
        : s_cmd_iv_bytes == '0 ? '0 : 12'((s_cmd_iv_bytes - 16'd1) >> 4);
    if (rst || (sent && word_last)) word_q <= '0;
    else if (sent) word_q <= word_q + 2'd1;
    if (rst) holds_q <= 1'b0;
    else if (holds_q) holds_q <= !sent;
    else if (taken) holds_q <= wrong;
    if (rst) tags_q <= 1'b0;
    else if (tags_q) tags_q <= !(sent && word_last);
    else if (holds_q ? sent : taken && !wrong) tags_q <= holds_q ? decrypt_q : s_cmd_decrypt;
  end

  // ---- an answer

  logic answer_valid, answer_last;
  logic [31:0] answer;
  logic [StatusBits-1:0] status;
  logic [1:0] answer_word_q;

  assign m_tag_ok = m_tag_status == '0;

  always_ff @(posedge clk) begin
    if (rst || (m_tag_tvalid && m_tag_tready)) begin
      m_tag_tvalid  <= 1'b0;
      answer_word_q <= '0;
      m_tag_tag     <= '0;
    end else if (answer_valid && !m_tag_tvalid) begin
      if (status == '0) m_tag_tag[32*answer_word_q+:32] <= answer;
      else m_tag_tag <= '0;  // a fault may come after words of a tag
      m_tag_status                    <= status;
      m_tag_tvalid                    <= answer_last;
      answer_word_q                   <= answer_word_q + 2'd1;
    end
  end

  logic [3:0] answer_keep;
  logic unused;
  assign unused = &{1'b0, s_cmd_iv[127:96], answer_keep};

  gcm_micro #(
      .AadBits   (AadBits),
      .TextBits  (TextBits),
      .StatusBits(StatusBits)
  ) u_micro (
      .aclk         (clk),
      .aresetn      (!rst),
      .s_key_tvalid (keys_q && !holds_q),
      .s_key_tready (key_ready),
      .s_key_tdata  (key_q[31:0]),
      .s_key_tlast  (key_left_q == '0),
      .s_cmd_tvalid (word_valid),
      .s_cmd_tready (word_ready),
      .s_cmd_tdata  (word),
      .s_cmd_tlast  (word_last),
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
      .m_tag_tvalid (answer_valid),
      .m_tag_tready (!m_tag_tvalid),
      .m_tag_tdata  (answer),
      .m_tag_tkeep  (answer_keep),
      .m_tag_tuser  (status),
      .m_tag_tlast  (answer_last)
  );
endmodule
