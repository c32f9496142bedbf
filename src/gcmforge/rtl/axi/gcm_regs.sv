// SPDX-License-Identifier: Apache-2.0
// Register block of a core: keys, commands, answers, status and counters on AXI4-Lite. Data
// stays on its streams, which this module only watches. docs/reference/registers.md is the register
// map.
//
// Keys are write-only: there is no path from a key register to read data, and they are cleared as
// soon as the core has taken the key. A write that cannot be done now, such as a key while another
// one waits or bytes of it are missing, is refused with SLVERR and does nothing; the bus is never
// held up. So is one that zeroise meets. A command that waits for the core then stays one, with
// zeros for IV and tag: the core refuses it, and takes its data.
//
// An IV that breaks off is ended by a core with a timeout: Timeout cycles in which it could have
// taken a word of it, as gcm_timeout counts them. No further word of it is taken here from then on.
//
// Latency: that of axil_slave; a command or key is offered to the core one cycle after its write.
// Throughput: one access every two cycles; ResultDepth answers wait to be read, and one more.
module gcm_regs #(
    parameter int Lanes = 1,
    parameter int Contexts = 1,
    parameter bit [2:0] KeySizes = 3'b111,  // as in gcm_axis_core
    parameter bit AnyIv = 1'b1,
    parameter int AadLanes = 0,
    parameter int ResultDepth = 8,
    parameter bit ReadyAlone = 1'b1,  // the core tells that it is ready before a command is offered
    parameter int Timeout = 0,  // of the core; 0: it waits for ever
    localparam int Bytes = 16 * Lanes,
    localparam int SideBytes = AadLanes > 0 ? 16 * AadLanes : 16,
    localparam int ContextWidth = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input  logic                    aclk,
    input  logic                    aresetn,
    input  logic                    zeroise,  // clears keys, IV and expected tag that are here
    // registers
    input  logic                    s_axil_awvalid,
    output logic                    s_axil_awready,
    input  logic [            11:0] s_axil_awaddr,
    input  logic [             2:0] s_axil_awprot,
    input  logic                    s_axil_wvalid,
    output logic                    s_axil_wready,
    input  logic [            31:0] s_axil_wdata,
    input  logic [             3:0] s_axil_wstrb,
    output logic                    s_axil_bvalid,
    input  logic                    s_axil_bready,
    output logic [             1:0] s_axil_bresp,
    input  logic                    s_axil_arvalid,
    output logic                    s_axil_arready,
    input  logic [            11:0] s_axil_araddr,
    input  logic [             2:0] s_axil_arprot,
    output logic                    s_axil_rvalid,
    input  logic                    s_axil_rready,
    output logic [            31:0] s_axil_rdata,
    output logic [             1:0] s_axil_rresp,
    output logic                    irq,
    // to the core
    output logic                    core_s_key_tvalid,
    input  logic                    core_s_key_tready,
    output logic [           255:0] core_s_key_tdata,
    output logic [             1:0] core_s_key_size,
    output logic [ContextWidth-1:0] core_s_key_context,
    output logic                    core_s_cmd_tvalid,
    input  logic                    core_s_cmd_tready,
    output logic [ContextWidth-1:0] core_s_cmd_context,
    output logic                    core_s_cmd_decrypt,
    output logic [           127:0] core_s_cmd_tag,
    output logic [             4:0] core_s_cmd_tag_bytes,
    output logic [            15:0] core_s_cmd_iv_bytes,
    output logic [           127:0] core_s_cmd_iv,
    input  logic                    core_m_tag_tvalid,
    output logic                    core_m_tag_tready,
    input  logic [           127:0] core_m_tag_tag,
    input  logic                    core_m_tag_ok,
    input  logic [gcm_pkg::STATUS_WIDTH-1:0] core_m_tag_status,
    // data streams, watched
    input  logic                    s_axis_tvalid,
    input  logic                    s_axis_tready,
    input  logic [       Bytes-1:0] s_axis_tkeep,
    input  logic                    s_axis_tuser,
    input  logic                    m_axis_tvalid,
    input  logic                    m_axis_tready,
    input  logic [   SideBytes-1:0] s_axis_aad_keep  // zero without AadLanes
);
  // Word addresses, as in docs/reference/registers.md.
  localparam logic [9:0] ID = 10'h000;
  localparam logic [9:0] CONFIG = 10'h001;
  localparam logic [9:0] STATUS = 10'h002;
  localparam logic [9:0] IRQ_STATUS = 10'h004;
  localparam logic [9:0] IRQ_ENABLE = 10'h005;
  localparam logic [9:0] KEY = 10'h010;           // eight of them
  localparam logic [9:0] KEY_LOAD = 10'h018;
  localparam logic [9:0] IV = 10'h020;            // four
  localparam logic [9:0] EXPECTED_TAG = 10'h024;  // four
  localparam logic [9:0] IV_BYTES = 10'h028;
  localparam logic [9:0] COMMAND = 10'h029;
  localparam logic [9:0] IV_MORE = 10'h02a;
  localparam logic [9:0] RESULT_TAG = 10'h030;    // four
  localparam logic [9:0] RESULT = 10'h034;
  localparam logic [9:0] RESULT_NEXT = 10'h035;
  localparam logic [9:0] COUNTERS_TAKE = 10'h040;
  localparam logic [9:0] COUNTERS = 10'h050;      // 2 * COUNT words

  localparam logic [31:0] MAGIC = 32'h014d4347;  // "GCM" and the number of this register map
  localparam int COUNT = 8;
  localparam int CountWidth = $clog2(ResultDepth + 1);

  logic clk, rst;
  assign clk = aclk;
  assign rst = !aresetn;

  logic write, write_error, read, read_error;
  logic [11:0] write_addr, read_addr;
  logic [31:0] write_data, read_data, mask;
  logic [3:0] strobe;

  axil_slave #(
      .AddrWidth(12)
  ) u_slave (
      .clk           (clk),
      .rst           (rst),
      .clear_i       (zeroise),
      .awvalid_i     (s_axil_awvalid),
      .awready_o     (s_axil_awready),
      .awaddr_i      (s_axil_awaddr),
      .wvalid_i      (s_axil_wvalid),
      .wready_o      (s_axil_wready),
      .wdata_i       (s_axil_wdata),
      .wstrb_i       (s_axil_wstrb),
      .bvalid_o      (s_axil_bvalid),
      .bready_i      (s_axil_bready),
      .bresp_o       (s_axil_bresp),
      .arvalid_i     (s_axil_arvalid),
      .arready_o     (s_axil_arready),
      .araddr_i      (s_axil_araddr),
      .rvalid_o      (s_axil_rvalid),
      .rready_i      (s_axil_rready),
      .rdata_o       (s_axil_rdata),
      .rresp_o       (s_axil_rresp),
      .write_o       (write),
      .write_addr_o  (write_addr),
      .write_data_o  (write_data),
      .write_strobe_o(strobe),
      .write_error_i (write_error),
      .read_o        (read),
      .read_addr_o   (read_addr),
      .read_data_i   (read_data),
      .read_error_i  (read_error)
  );

  // ---- what a write asks for
  logic key_pending, key_lacks, command_pending_q;
  logic [11:0] iv_left_q;  // IV_MORE writes that the command before still needs
  logic broken;  // the core makes the rest of its IV
  logic result_valid;
  logic [9:0] write_word;
  logic is_key, is_load, is_iv, is_tag, is_iv_bytes, is_command, is_more, is_next, is_take;
  logic is_irq_status, is_irq_enable, is_command_part, known, whole, context_good, accepted;

  assign write_word      = write_addr[11:2];
  assign is_key          = write_word[9:3] == KEY[9:3];
  assign is_load         = write_word == KEY_LOAD;
  assign is_iv           = write_word[9:2] == IV[9:2];
  assign is_tag          = write_word[9:2] == EXPECTED_TAG[9:2];
  assign is_iv_bytes     = write_word == IV_BYTES;
  assign is_command      = write_word == COMMAND;
  assign is_more         = write_word == IV_MORE;
  assign is_next         = write_word == RESULT_NEXT;
  assign is_take         = write_word == COUNTERS_TAKE;
  assign is_irq_status   = write_word == IRQ_STATUS;
  assign is_irq_enable   = write_word == IRQ_ENABLE;
  assign is_command_part = is_iv || is_tag || is_iv_bytes || is_command || is_more;
  assign known           = is_key || is_load || is_command_part || is_next || is_take
      || is_irq_status || is_irq_enable;
  assign whole           = strobe == 4'b1111;
  assign context_good    = {1'b0, write_data[15:0]} < 17'(Contexts);

  // Registers that do something want all of their bytes at once.
  always_comb begin
    write_error = write_addr[1:0] != '0 || !known;
    if ((is_load || is_command || is_more || is_next || is_take) && !whole) write_error = 1'b1;
    if ((is_key || is_load) && key_pending) write_error = 1'b1;
    if (is_load && key_lacks) write_error = 1'b1;
    if (is_command_part && command_pending_q) write_error = 1'b1;
    if ((is_load || is_command) && !context_good) write_error = 1'b1;
    if (is_command && iv_left_q != '0) write_error = 1'b1;
    if (is_more && (iv_left_q == '0 || broken)) write_error = 1'b1;
    if (zeroise) write_error = 1'b1;
    if (is_next && !result_valid) write_error = 1'b1;
  end

  assign accepted = write && !write_error;

  for (genvar b = 0; b < 4; b++) begin : gen_mask
    assign mask[8*b+:8] = {8{strobe[b]}};
  end

  // ---- keys
  assign core_s_key_tvalid = key_pending;

  regs_key #(
      .ContextWidth(ContextWidth)
  ) u_key (
      .clk      (clk),
      .rst      (rst),
      .zeroise_i(zeroise),
      .write_i  (accepted && is_key),
      .word_i   (write_word[2:0]),
      .load_i   (accepted && is_load),
      .data_i   (write_data),
      .strobe_i (strobe),
      .lacks_o  (key_lacks),
      .pending_o(key_pending),
      .ready_i  (core_s_key_tready),
      .key_o    (core_s_key_tdata),
      .size_o   (core_s_key_size),
      .context_o(core_s_key_context)
  );

  // ---- commands
  logic [127:0] iv_q, tag_q;
  logic [15:0] iv_bytes_q;
  logic [ContextWidth-1:0] context_q;
  logic decrypt_q;
  logic [4:0] tag_bytes_q;
  logic [12:0] iv_beats;

  assign iv_beats             = 13'((17'(iv_bytes_q) + 17'd15) >> 4);
  assign core_s_cmd_tvalid    = command_pending_q;
  assign core_s_cmd_context   = context_q;
  assign core_s_cmd_decrypt   = decrypt_q;
  assign core_s_cmd_tag       = tag_q;
  assign core_s_cmd_tag_bytes = tag_bytes_q;
  assign core_s_cmd_iv_bytes  = iv_bytes_q;
  assign core_s_cmd_iv        = iv_q;

  always_ff @(posedge clk) begin
    if (rst || zeroise) begin
      iv_q  <= '0;
      tag_q <= '0;
    end else if (accepted) begin
      for (int i = 0; i < 4; i++) begin
        if (is_iv && write_word[1:0] == 2'(i))
          iv_q[32*i+:32] <= (iv_q[32*i+:32] & ~mask) | (write_data & mask);
        if (is_tag && write_word[1:0] == 2'(i))
          tag_q[32*i+:32] <= (tag_q[32*i+:32] & ~mask) | (write_data & mask);
      end
    end
    if (rst) iv_bytes_q <= 16'd12;
    else if (accepted && is_iv_bytes)
      iv_bytes_q <= (iv_bytes_q & ~mask[15:0]) | (write_data[15:0] & mask[15:0]);
    if (accepted && is_command) begin
      context_q <= write_data[ContextWidth-1:0];
      decrypt_q <= write_data[16];
    end
    // No tag has no bytes: what waits is refused, also when a key comes before the core takes it.
    if (zeroise) tag_bytes_q <= '0;
    else if (accepted && is_command) tag_bytes_q <= write_data[28:24];
  end

  always_ff @(posedge clk) begin
    if (rst) begin
      command_pending_q <= 1'b0;
      iv_left_q         <= '0;
    end else begin
      command_pending_q <= (accepted && (is_command || is_more))
          || (command_pending_q && !core_s_cmd_tready);
      if (accepted && is_command) iv_left_q <= iv_beats > 13'd1 ? 12'(iv_beats - 13'd1) : '0;
      else if (broken) iv_left_q <= '0;
      else if (accepted && is_more) iv_left_q <= iv_left_q - 12'd1;
    end
  end

  if (Timeout > 0) begin : gen_timeout
    localparam int TimerWidth = $clog2(Timeout + 1);
    logic [TimerWidth-1:0] timer_q;
    logic waits;
    assign waits  = iv_left_q != '0 && !command_pending_q && core_s_cmd_tready;
    assign broken = waits && timer_q == TimerWidth'(Timeout - 1);
    always_ff @(posedge clk) timer_q <= rst || !waits ? '0 : timer_q + TimerWidth'(1);
  end else begin : gen_waits_for_ever
    assign broken = 1'b0;
  end

  // ---- answers
  logic [127:0] result_tag;
  logic [gcm_pkg::STATUS_WIDTH-1:0] result_status;
  logic result_ok, result_push, result_pop, failed_q;
  logic [CountWidth-1:0] results_q;

  assign result_push = core_m_tag_tvalid && core_m_tag_tready;
  assign result_pop  = accepted && is_next;

  gcm_fifo #(
      .Width(128 + 1 + gcm_pkg::STATUS_WIDTH),
      .Depth(ResultDepth)
  ) u_results (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (core_m_tag_tvalid),
      .in_ready_o (core_m_tag_tready),
      .in_data_i  ({core_m_tag_tag, core_m_tag_ok, core_m_tag_status}),
      .out_valid_o(result_valid),
      .out_ready_i(result_pop),
      .out_data_o ({result_tag, result_ok, result_status})
  );

  always_ff @(posedge clk)
    if (rst) results_q <= '0;
    else results_q <= results_q + CountWidth'(result_push) - CountWidth'(result_pop);

  // ---- interrupts: an answer waits, or one was a failure
  logic [1:0] irq_enable_q, irq_status;
  logic irq_q;

  assign irq_status = {failed_q, result_valid};
  assign irq        = irq_q;

  always_ff @(posedge clk) begin
    if (rst) begin
      irq_enable_q <= '0;
      failed_q     <= 1'b0;
      irq_q        <= 1'b0;
    end else begin
      if (accepted && is_irq_enable && strobe[0]) irq_enable_q <= write_data[1:0];
      failed_q <= (result_push && !core_m_tag_ok)
          || (failed_q && !(accepted && is_irq_status && strobe[0] && write_data[1]));
      irq_q    <= (irq_status & irq_enable_q) != '0;
    end
  end

  // ---- counters
  logic [COUNT*64-1:0] counts;

  regs_counts #(
      .Count    (COUNT),
      .Bytes    (Bytes),
      .SideBytes(SideBytes)
  ) u_counts (
      .clk        (clk),
      .rst        (rst),
      .in_valid_i (s_axis_tvalid),
      .in_ready_i (s_axis_tready),
      .in_keep_i  (s_axis_tkeep),
      .in_text_i  (s_axis_tuser),
      .side_keep_i(s_axis_aad_keep),
      .out_valid_i(m_axis_tvalid),
      .out_ready_i(m_axis_tready),
      .done_i     (result_push),
      .ok_i       (core_m_tag_ok),
      .status_i   (core_m_tag_status),
      .take_i     (accepted && is_take),
      .counts_o   (counts)
  );

  // ---- reads; what is write-only reads as zero
  logic [9:0] read_word;
  assign read_word = read_addr[11:2];

  always_comb begin
    read_data  = '0;
    read_error = read_addr[1:0] != '0;
    case (read_word)
      ID: read_data = MAGIC;
      CONFIG: read_data = {16'(Contexts), 3'b0, AnyIv, 1'b0, KeySizes, 3'b0, 5'(Lanes)};
      STATUS:
      read_data = {
        4'b0, iv_left_q, 8'(results_q), 4'b0, command_pending_q, key_pending,
        (core_s_cmd_tready || !ReadyAlone) && !command_pending_q,
        core_s_key_tready && !key_pending
      };
      IRQ_STATUS: read_data = {30'b0, irq_status};
      IRQ_ENABLE: read_data = {30'b0, irq_enable_q};
      IV_BYTES: read_data = {16'b0, iv_bytes_q};
      RESULT: read_data = result_valid ? {1'b1, 22'b0, result_ok, 8'(result_status)} : '0;
      KEY_LOAD, COMMAND, IV_MORE, RESULT_NEXT, COUNTERS_TAKE: read_data = '0;
      default:
      if (read_word[9:2] == IV[9:2]) read_data = iv_q[32*read_word[1:0]+:32];
      else if (read_word[9:2] == EXPECTED_TAG[9:2]) read_data = tag_q[32*read_word[1:0]+:32];
      else if (read_word[9:2] == RESULT_TAG[9:2])
        read_data = result_valid ? result_tag[32*read_word[1:0]+:32] : '0;
      else if (read_word[9:4] == COUNTERS[9:4]) read_data = counts[32*read_word[3:0]+:32];
      else if (read_word[9:3] != KEY[9:3]) read_error = 1'b1;
    endcase
  end

  logic unused;
  assign unused = &{1'b0, read, s_axil_awprot, s_axil_arprot};

  if (Lanes > 31 || Contexts > 65535) begin : gen_bad
    $error("gcm_regs: at most 31 lanes and 65535 contexts have room in CONFIG");
  end
endmodule
