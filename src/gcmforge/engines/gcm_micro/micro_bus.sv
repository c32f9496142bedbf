// SPDX-License-Identifier: Apache-2.0
// gcm_micro with keys, commands and answers in one transfer each, as every other core has them, and
// its own streams of data. Words of a key, and of a command but for its tag, are taken from what is
// offered while it stands there: its handshake is that of the last word.
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

  // ---- a key: a size that there is not becomes one word, which is no key

  logic key_ready, key_last;
  logic [2:0] key_word_q;

  assign key_last     = s_key_size == 2'd0 ? key_word_q == 3'd3 : s_key_size != 2'd2
      || key_word_q == 3'd7;
  assign s_key_tready = s_key_context || (key_ready && key_last);

  always_ff @(posedge clk) begin
    if (rst || (s_key_tvalid && s_key_tready)) key_word_q <= '0;
    else if (s_key_tvalid && key_ready) key_word_q <= key_word_q + 3'd1;
  end

  // ---- a command: of an IV that is not 12 bytes nothing is sent, its further words are taken

  logic word_ready, word_valid, word_last, sends_iv, head_last, tag_last;
  logic [31:0] word;
  logic [2:0] word_q;      // of command and IV; then of the tag
  logic [11:0] more_q;     // words of an IV, still to come
  logic tags_q;            // the tag is to be sent
  logic [127:0] tag_q;
  logic [4:0] tag_bytes_q;

  assign sends_iv     = s_cmd_iv_bytes == 16'd12;
  assign head_last    = sends_iv ? word_q == 3'd3 : 1'b1;
  assign tag_last     = word_q == 3'd3 || 6'({word_q, 2'b0}) + 6'd4 >= 6'(tag_bytes_q);
  assign word_valid   = tags_q || (s_cmd_tvalid && more_q == '0);
  assign word_last    = tags_q ? tag_last : head_last && !(sends_iv && word_q == 3'd0);
  assign s_cmd_tready = !tags_q && (more_q != '0 || (word_ready && head_last));

  always_comb begin
    case ({tags_q, word_q[1:0]})
      3'd0: word = {24'b0, s_cmd_decrypt, 1'b0, s_cmd_context, s_cmd_tag_bytes};
      3'd1: word = s_cmd_iv[31:0];
      3'd2: word = s_cmd_iv[63:32];
      3'd3: word = s_cmd_iv[95:64];
      default: word = tag_q[31:0];
    endcase
  end

  always_ff @(posedge clk) begin
    if (word_valid && word_ready) begin
      word_q <= word_last ? '0 : word_q + 3'd1;
      if (tags_q) begin
        tag_q <= {32'b0, tag_q[127:32]};
        if (word_last) tags_q <= 1'b0;
      end else if (word_last) begin
        tag_q       <= s_cmd_tag;
        tag_bytes_q <= s_cmd_tag_bytes;
        tags_q      <= s_cmd_decrypt;
        more_q      <= sends_iv || s_cmd_iv_bytes == '0 ? '0
            : 12'((s_cmd_iv_bytes - 16'd1) >> 4);
      end
    end else if (s_cmd_tvalid && s_cmd_tready) more_q <= more_q - 12'd1;
    if (rst) begin
      word_q <= '0;
      more_q <= '0;
      tags_q <= 1'b0;
    end
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
      m_tag_tag[32*answer_word_q+:32] <= answer;
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
      .s_key_tvalid (s_key_tvalid && !s_key_context),
      .s_key_tready (key_ready),
      .s_key_tdata  (s_key_tdata[32*key_word_q+:32]),
      .s_key_tlast  (key_last),
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
