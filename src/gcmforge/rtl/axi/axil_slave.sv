// SPDX-License-Identifier: Apache-2.0
// AXI4-Lite on one side, single-cycle reads and writes on the other. Address and data of a write
// may come in either order and any number of cycles apart; reads and writes do not wait for each
// other. A refused access answers SLVERR, and read data is then zero. A write whose data was erased
// before it was done is refused, too.
// Latency: 2 cycles from the later of address and data to the response. Throughput: one write and
// one read every two cycles.
module axil_slave #(
    parameter int AddrWidth = 12
) (
    input  logic                 clk,
    input  logic                 rst,
    input  logic                 clear_i,  // erases data on its way to a register
    // AXI4-Lite, 32 bits of data
    input  logic                 awvalid_i,
    output logic                 awready_o,
    input  logic [AddrWidth-1:0] awaddr_i,
    input  logic                 wvalid_i,
    output logic                 wready_o,
    input  logic [         31:0] wdata_i,
    input  logic [          3:0] wstrb_i,
    output logic                 bvalid_o,
    input  logic                 bready_i,
    output logic [          1:0] bresp_o,
    input  logic                 arvalid_i,
    output logic                 arready_o,
    input  logic [AddrWidth-1:0] araddr_i,
    output logic                 rvalid_o,
    input  logic                 rready_i,
    output logic [         31:0] rdata_o,
    output logic [          1:0] rresp_o,
    // one write and one read at a time, answered in the same cycle
    output logic                 write_o,
    output logic [AddrWidth-1:0] write_addr_o,
    output logic [         31:0] write_data_o,
    output logic [          3:0] write_strobe_o,
    input  logic                 write_error_i,
    output logic                 read_o,
    output logic [AddrWidth-1:0] read_addr_o,
    input  logic [         31:0] read_data_i,
    input  logic                 read_error_i
);
  localparam logic [1:0] RESP_OKAY = 2'b00;
  localparam logic [1:0] RESP_SLVERR = 2'b10;

  logic aw_valid_q, w_valid_q, b_valid_q, b_error_q;
  logic done, erased_q;  // a write is answered; its data was erased
  logic ar_valid_q, r_valid_q, r_error_q;
  logic [AddrWidth-1:0] aw_q, ar_q;
  logic [31:0] w_q, r_q;
  logic [3:0] strobe_q;

  // ---- writes; a key on its way in does not stay in the buffer
  assign awready_o      = !aw_valid_q;
  assign wready_o       = !w_valid_q;
  assign bvalid_o       = b_valid_q;
  assign bresp_o        = b_error_q ? RESP_SLVERR : RESP_OKAY;
  assign done           = aw_valid_q && w_valid_q && (!b_valid_q || bready_i);
  assign write_o        = done && !erased_q;
  assign write_addr_o   = aw_q;
  assign write_data_o   = w_q;
  assign write_strobe_o = strobe_q;

  always_ff @(posedge clk) begin
    if (awready_o) aw_q <= awaddr_i;
    if (done || clear_i) w_q <= '0;
    else if (wready_o && wvalid_i) w_q <= wdata_i;
    if (wready_o) strobe_q <= wstrb_i;
    if (done) b_error_q <= write_error_i || erased_q;
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      aw_valid_q <= 1'b0;
      w_valid_q  <= 1'b0;
      b_valid_q  <= 1'b0;
      erased_q   <= 1'b0;
    end else begin
      aw_valid_q <= !done && (aw_valid_q || awvalid_i);
      w_valid_q  <= !done && (w_valid_q || wvalid_i);
      b_valid_q  <= done || (b_valid_q && !bready_i);
      erased_q   <= !done && (erased_q || (clear_i && (w_valid_q || wvalid_i)));
    end
  end

  // ---- reads
  assign arready_o   = !ar_valid_q;
  assign rvalid_o    = r_valid_q;
  assign rdata_o     = r_q;
  assign rresp_o     = r_error_q ? RESP_SLVERR : RESP_OKAY;
  assign read_o      = ar_valid_q && (!r_valid_q || rready_i);
  assign read_addr_o = ar_q;

  always_ff @(posedge clk) begin
    if (arready_o) ar_q <= araddr_i;
    if (read_o) begin
      r_q       <= read_error_i ? '0 : read_data_i;
      r_error_q <= read_error_i;
    end
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      ar_valid_q <= 1'b0;
      r_valid_q  <= 1'b0;
    end else begin
      ar_valid_q <= !read_o && (ar_valid_q || arvalid_i);
      r_valid_q  <= read_o || (r_valid_q && !rready_i);
    end
  end
endmodule
