# SPDX-License-Identifier: Apache-2.0
"""Gadgets of masked cores for the simulator: the proven function in place of gates in shares.

A core of 160 S-boxes in shares takes minutes to compile gate by gate. Its file is proven to be the
gadget's circuit, and that circuit to compute SubBytes of the sum of the shares, whatever shares and
random bits are (gcmforge.leaf.masked.function). Then the sum goes through a table, as many cycles
later, and leaves in two shares, one of them of random bits. What the shares are by themselves is
another thing than in the gates; what they protect is not a matter of this simulation.
"""

from pathlib import Path

from gcmforge.field import aes_sbox

GADGETS = ("masked_sbox",)
"""Those that are simulated as what they compute."""

_CONTROLS = ("clk", "en_i")


def gadget_as_function(source: Path) -> dict[str, str]:
    """Text and reason of a gadget's file; ValueError for one that is not proven."""
    from gcmforge.circuit.readback import prove_readback
    from gcmforge.leaf.masked import gadget
    from gcmforge.leaf.masked.function import prove_function

    found = gadget(source.stem)
    text = source.read_text(encoding="utf-8")
    computes = prove_function(found)
    for proof in (prove_readback(found.pipe, text, controls=_CONTROLS), computes):
        if not proof.passed:
            raise ValueError(f"not proven ({proof.detail})")
    return {
        "text": _sbox_text(found.latency),
        "why": f"{computes.kind}: {computes.detail}; its shares are others",
    }


def _sbox_text(latency: int) -> str:
    values = ", ".join(f"8'h{aes_sbox(x):02x}" for x in range(256))
    return f"""\
module masked_sbox (
  input  logic       clk,
  input  logic       en_i,
  input  logic [7:0] x0_i,
  input  logic [7:0] x1_i,
  input  logic [3:0] r1_i,
  input  logic [1:0] r3_i,
  input  logic [3:0] r5_i,
  input  logic [7:0] r7_i,
  output logic [7:0] y0_o,
  output logic [7:0] y1_o
);
  localparam logic [7:0] Table [256] = '{{{values}}};
  logic [{8 * latency - 1}:0] later_q;
  logic [7:0] mask_q;
  always_ff @(posedge clk) if (en_i) begin
    later_q <= {{later_q[{8 * latency - 9}:0], Table[x0_i ^ x1_i]}};
    mask_q  <= r7_i ^ {{r5_i, r1_i}} ^ {{6'b0, r3_i}};
  end
  assign y0_o = later_q[{8 * latency - 1}:{8 * latency - 8}] ^ mask_q;
  assign y1_o = mask_q;
endmodule
"""
