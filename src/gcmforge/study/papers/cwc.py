# SPDX-License-Identifier: Apache-2.0
"""The multiplier of CWC's hash as a circuit: integers of 127 bits by a Wallace tree, which section
6 of Yang 2005 has at 78 MHz; and the product modulo 2^127 - 1 that CWC goes on with.

The partial products of each column are added three at a time, with a full adder to a sum and a
carry, round by round; the two numbers that are left go through a Kogge-Stone adder.
Modulo 2^n - 1 the upper half is added to the lower, and the carry out comes in again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from gcmforge.circuit import Builder, Circuit, Net, emit_systemverilog
from gcmforge.circuit.ir import ZERO

BITS = 127
PRODUCT, MODULAR = "cwc_product", "cwc_modular"
"""The multiplier alone, as the paper counts it; and modulo 2^127 - 1."""


@cache
def product_circuit(bits: int = BITS, *, modular: bool = False) -> Circuit:
    """a_i times b_i: `bits` bits each, and the product's 2 `bits`; or its residue modulo
    2^bits - 1, where that number itself stands for 0, too."""
    b = Builder(MODULAR if modular else PRODUCT)
    left, right = b.input("a_i", bits), b.input("b_i", bits)
    columns: list[list[Net]] = [[] for _ in range(2 * bits)]
    for i, p in enumerate(left):
        for j, q in enumerate(right):
            columns[i + j].append(b.and_(p, q))
    while max(map(len, columns)) > 2:
        columns = _round(b, columns)
    pairs = [(*column, ZERO, ZERO)[:2] for column in columns]
    whole, _ = added(b, [p for p, _ in pairs], [q for _, q in pairs])
    if modular:
        whole, _ = added(b, whole[:bits], whole[bits:], around=True)
    b.output("c_o", whole)
    return b.build()


def _round(b: Builder, columns: Sequence[Sequence[Net]]) -> list[list[Net]]:
    """Three of a column become one there and one in the next; so do two that are left, as
    otherwise a carry would go on column by column, a round each."""
    made: list[list[Net]] = [[] for _ in columns]
    for place, column in enumerate(columns):
        for n in range(0, len(column), 3):
            total, carry = _counted(b, column[n : n + 3])
            made[place].append(total)
            if carry != ZERO and place + 1 < len(columns):
                made[place + 1].append(carry)
    return made


def _counted(b: Builder, bits: Sequence[Net]) -> tuple[Net, Net]:
    """How many of up to three bits are set: sum and carry."""
    p, q, r = (*bits, ZERO, ZERO)[:3]
    half = b.xor(p, q)
    return b.xor(half, r), b.or_(b.and_(p, q), b.and_(half, r))


def added(
    b: Builder, p: Sequence[Net], q: Sequence[Net], *, around: bool = False
) -> tuple[list[Net], Net]:
    """p + q, and the carry out; or with that carry coming in again. Kogge and Stone's adder."""
    generate = [b.and_(x, y) for x, y in zip(p, q, strict=True)]
    propagate = [b.xor(x, y) for x, y in zip(p, q, strict=True)]
    groups = list(zip(generate, propagate, strict=True))
    span = 1
    while span < len(groups):
        groups = [
            _joined(b, groups[n], groups[n - span]) if n >= span else groups[n]
            for n in range(len(groups))
        ]
        span *= 2
    out = groups[-1][0]
    carries = [g for g, _ in groups]
    if around:
        carries = [b.or_(g, b.and_(whole, out)) for g, whole in groups]
    into = [out if around else ZERO, *carries[:-1]]
    return [b.xor(x, c) for x, c in zip(propagate, into, strict=True)], out


def _joined(b: Builder, high: tuple[Net, Net], low: tuple[Net, Net]) -> tuple[Net, Net]:
    """Generate and propagate of two neighbours."""
    return b.or_(high[0], b.and_(high[1], low[0])), b.and_(high[1], low[1])


def registered_text(*, modular: bool = False) -> dict[str, str]:
    """The circuit between registers, as GHASH's multiplier is in `gcm_ghash`; in compile order."""
    circuit = product_circuit(modular=modular)
    name, width = circuit.name, len(circuit.outputs[0].nets)
    top = f"""// SPDX-License-Identifier: Apache-2.0
// {name} between registers.
module {name}_registered (
    input  logic         clk,
    input  logic [{BITS - 1}:0] a_i,
    input  logic [{BITS - 1}:0] b_i,
    output logic [{width - 1}:0] c_o
);
  logic [{BITS - 1}:0] a_q, b_q;
  logic [{width - 1}:0] product;
  always_ff @(posedge clk) {{a_q, b_q, c_o}} <= {{a_i, b_i, product}};
  {name} u_product (
      .a_i(a_q),
      .b_i(b_q),
      .c_o(product)
  );
endmodule
"""
    return {f"{name}.sv": emit_systemverilog(circuit), f"{name}_registered.sv": top}
