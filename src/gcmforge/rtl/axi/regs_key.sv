// SPDX-License-Identifier: Apache-2.0
// The key that software writes, until the core has taken it. It is cleared then, and by a reset and
// by zeroise. Nothing is loaded that nobody wrote: a load lacks what it needs until each byte of
// its size has been written since the key was last cleared. Size 3 is no key, and needs no byte.
//
// Latency: 1 cycle from a load to the offer. Throughput: one key at a time.
module regs_key #(
    parameter int ContextWidth = 1
) (
    input  logic                    clk,
    input  logic                    rst,
    input  logic                    zeroise_i,
    // registers: a write to KEY or to KEY_LOAD is done in this cycle
    input  logic                    write_i,    // to the word of KEY
    input  logic [             2:0] word_i,
    input  logic                    load_i,
    input  logic [            31:0] data_i,
    input  logic [             3:0] strobe_i,
    output logic                    lacks_o,    // KEY_LOAD with this data lacks bytes of its key
    output logic                    pending_o,  // a key waits for the core
    // to the core: byte 0 of the key is in its lowest bits
    input  logic                    ready_i,
    output logic [           255:0] key_o,
    output logic [             1:0] size_o,
    output logic [ContextWidth-1:0] context_o
);
  logic [255:0] key_q;
  logic [31:0] written_q;  // bytes of it
  logic [1:0] size_q;
  logic [ContextWidth-1:0] context_q;
  logic pending_q, clear;

  assign clear     = rst || zeroise_i || (pending_q && ready_i);
  assign pending_o = pending_q;
  assign key_o     = key_q;
  assign size_o    = size_q;
  assign context_o = context_q;

  always_comb begin
    case (data_i[17:16])
      2'd0: lacks_o = written_q[15:0] != '1;
      2'd1: lacks_o = written_q[23:0] != '1;
      2'd2: lacks_o = written_q != '1;
      default: lacks_o = 1'b0;
    endcase
  end

  always_ff @(posedge clk) begin
    for (int i = 0; i < 32; i++)
      if (write_i && word_i == 3'(i / 4) && strobe_i[i%4]) begin
        key_q[8*i+:8] <= data_i[8*(i%4)+:8];
        written_q[i]  <= 1'b1;
      end
    if (clear) begin
      key_q     <= '0;
      written_q <= '0;
    end
    if (load_i) begin
      size_q    <= data_i[17:16];
      context_q <= data_i[ContextWidth-1:0];
    end
  end

  always_ff @(posedge clk)
    if (rst || zeroise_i) pending_q <= 1'b0;
    else pending_q <= load_i || (pending_q && !ready_i);
endmodule
