// SPDX-License-Identifier: Apache-2.0
// The state of AES in a ring that never stands still: cell 4 * row + column has a byte. A round is
// 16 steps in which a byte leaves at the head and comes back from the S-box, and 4 in which each
// row turns by itself: MixColumns takes the heads of the rows. In ShiftRows the first bytes of a
// row wait where they came in; the others pass. An S-box that is a memory answers a cycle later:
// what it gives then stands for the cell that its byte belongs in, in the one cycle until the byte
// moves on from there.
// Latency: 20 cycles a round. Throughput: a round in 20 cycles.
module nano_state #(
    parameter bit InMemory = 1'b0  // the S-box is a memory
) (
    input  logic       clk,
    input  logic [3:0] phase_i,
    input  logic       ciphers_i,  // in a round: else the ring turns, and byte_i comes in
    input  logic [4:0] step_i,
    input  logic       unmixed_i,  // there is no MixColumns in these steps
    input  logic [7:0] byte_i,     // a byte of a block, or head_o with the key added
    input  logic [7:0] boxed_i,    // byte_i through the S-box
    output logic [7:0] head_o,
    output logic [7:0] stream_o    // byte phase_i of a block that was encrypted
);
  logic [127:0] state_q;
  logic [31:0] heads, mixed;
  logic [7:0] entered;
  logic [15:0][7:0] state;  // what the cells have
  logic [2:0] passes;  // a byte goes into cell 14, 13 or 12, and the cells above keep theirs
  logic [1:0] row, column;
  logic mixes, late;

  assign mixes  = step_i[4];
  assign row    = step_i[3:2];
  assign column = step_i[1:0];
  assign late   = ciphers_i && !mixes && column >= row;
  assign passes = {late && row == 2'd1, late && row == 2'd2, late && row == 2'd3};
  assign head_o = state_q[7:0];

  if (InMemory) begin : gen_later
    logic [3:0] boxed_q;  // the cell from 12 on that boxed_i is of

    always_ff @(posedge clk)
      boxed_q <= !ciphers_i || mixes ? 4'd0 : passes != '0 ? {1'b0, passes} : 4'd8;
    assign entered = byte_i;
    for (genvar i = 0; i < 16; i++) begin : gen_cell
      if (i < 12) begin : gen_plain
        assign state[i] = state_q[8*i+:8];
      end else begin : gen_boxed
        assign state[i] = boxed_q[i-12] ? boxed_i : state_q[8*i+:8];
      end
    end
  end else begin : gen_at_once
    assign entered = ciphers_i ? boxed_i : byte_i;
    assign state   = state_q;
  end

  for (genvar r = 0; r < 4; r++) begin : gen_heads
    assign heads[31-8*r-:8] = state[4*r];
  end

  aes_mix_column u_mix (
      .x_i(heads),
      .y_o(mixed)
  );

  for (genvar i = 0; i < 16; i++) begin : gen_state
    logic [7:0] onward;  // in this cell next, if the rows do not turn
    if (i < 12) begin : gen_on
      assign onward = state[i+1];
    end else if (i < 15) begin : gen_passed
      assign onward = passes[i-12] ? entered : |(passes & 3'((1 << (i - 12)) - 1))
          ? state[i] : state[i+1];
    end else begin : gen_in
      assign onward = |passes ? state[i] : entered;
    end
    if (i % 4 == 3) begin : gen_tail
      always_ff @(posedge clk)
        state_q[8*i+:8] <= !mixes ? onward : unmixed_i ? state[i-3] : mixed[31-2*(i-3)-:8];
    end else begin : gen_cell
      always_ff @(posedge clk) state_q[8*i+:8] <= onward;
    end
  end

  // ---- byte 4 * column + row of the state, in the phase of that number

  always_comb begin
    case (3'({1'b0, phase_i[1:0]}) - 3'({1'b0, phase_i[3:2]}))
      3'd1: stream_o = state_q[8*3+:8];
      3'd2: stream_o = state_q[8*6+:8];
      3'd3: stream_o = state_q[8*9+:8];
      3'd5: stream_o = state_q[8*7+:8];   // -3
      3'd6: stream_o = state_q[8*10+:8];  // -2
      3'd7: stream_o = state_q[8*13+:8];  // -1
      default: stream_o = state_q[7:0];
    endcase
  end
endmodule
