// SPDX-License-Identifier: Apache-2.0
// gcm_nano with the pins of a tile of a shared chip: a byte in, a byte out, eight pins for the
// rest. Bytes of keys, commands, AAD and text come through one port, which the sender tells apart;
// text, tag and status leave through another one, in this order.
// Latency: that of gcm_nano. Throughput: its own.
module gcm_tile (
    input  logic       clk,
    input  logic       rst_n,
    input  logic       ena,      // the tile is selected; it may do what it likes if not
    input  logic [7:0] ui_in,    // the byte that comes in
    output logic [7:0] uo_out,   // the byte that goes out
    // in: 0 a byte is offered; 2:1 it is of 0 a key, 1 a command, 2 AAD, 3 text; 3 it is the last
    // one there; 4 there is no byte, only the end; 5 the byte that goes out is taken
    input  logic [7:0] uio_in,
    output logic [7:0] uio_out,  // 6 the byte that comes in is taken; 7 a byte is offered
    output logic [7:0] uio_oe
);
  localparam logic [1:0] KEY = 2'd0, COMMAND = 2'd1, TEXT = 2'd3;

  logic [1:0] stream;
  logic valid, last, takes, ready, key_ready, command_ready, data_ready;
  logic text_valid, text_keep, text_last, tag_valid, tag_last, tells_q;
  logic [7:0] text, tag;
  logic [2:0] status, status_q;

  assign valid  = uio_in[0];
  assign stream = uio_in[2:1];
  assign last   = uio_in[3];
  assign takes  = uio_in[5];
  assign ready  = stream == KEY ? key_ready : stream == COMMAND ? command_ready : data_ready;

  gcm_nano u_nano (
      .aclk         (clk),
      .aresetn      (rst_n),
      .s_key_tvalid (valid && stream == KEY),
      .s_key_tready (key_ready),
      .s_key_tdata  (ui_in),
      .s_key_tlast  (last),
      .s_cmd_tvalid (valid && stream == COMMAND),
      .s_cmd_tready (command_ready),
      .s_cmd_tdata  (ui_in),
      .s_cmd_tlast  (last),
      .s_axis_tvalid(valid && stream[1]),
      .s_axis_tready(data_ready),
      .s_axis_tdata (ui_in),
      .s_axis_tkeep (!uio_in[4]),
      .s_axis_tuser ({1'b0, stream == TEXT}),
      .s_axis_tlast (last),
      .m_axis_tvalid(text_valid),
      .m_axis_tready(takes || !text_keep),
      .m_axis_tdata (text),
      .m_axis_tkeep (text_keep),
      .m_axis_tlast (text_last),
      .m_tag_tvalid (tag_valid),
      .m_tag_tready (takes && !tells_q),
      .m_tag_tdata  (tag),
      .m_tag_tuser  (status),
      .m_tag_tlast  (tag_last)
  );

  // After the last byte of an answer its status leaves.
  always_ff @(posedge clk) begin
    if (!rst_n) tells_q <= 1'b0;
    else if (takes) tells_q <= !tells_q && tag_valid && tag_last;
    if (tag_valid) status_q <= status;
  end

  assign uo_out  = tells_q ? {5'b0, status_q} : text;  // text and tag are one register of gcm_nano
  assign uio_out = {tells_q || (text_valid && text_keep) || tag_valid, ready, 6'b0};
  assign uio_oe  = 8'b1100_0000;

  logic unused;
  assign unused = &{1'b0, ena, uio_in[7:6], text_last, tag};
endmodule
