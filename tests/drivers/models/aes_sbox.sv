// SPDX-License-Identifier: Apache-2.0
// What every S-box leaf computes, as one look-up that a simulator likes: cycle laws on many rounds
// ask for the leaf's latency, not for its gates.
// Latency: STAGES - 1 enabled cycles. Throughput: one byte an enabled cycle.
module aes_sbox (
    input  logic       clk,
    input  logic       en_i,
    input  logic [7:0] x_i,
    output logic [7:0] y_o
);
  localparam int Stages = STAGES;  // replaced by a number
  localparam logic [7:0] Table[256] = TABLE;  // replaced by the 256 bytes

  if (Stages == 1) begin : gen_none
    assign y_o = Table[x_i];
  end else begin : gen_late
    logic [(Stages-1)*8-1:0] stages_q;
    always_ff @(posedge clk) if (en_i) stages_q <= (stages_q << 8) | ((Stages-1)*8)'(Table[x_i]);
    assign y_o = stages_q[(Stages-2)*8+:8];
  end
endmodule
