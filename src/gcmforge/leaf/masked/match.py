# SPDX-License-Identifier: Apache-2.0
"""Whether a byte in shares is zero, and an earlier bit one: for tags, compared in shares.

A tree of domain-oriented ANDs over the complements of the bits. The two factors of each are made of
different bits, so they are shared independently, and need no registers in between.
"""

from __future__ import annotations

from collections.abc import Sequence

from gcmforge.circuit import StagedBuilder
from gcmforge.circuit.probing import RANDOM
from gcmforge.leaf.masked.dom import (
    SOURCE,
    Element,
    Product,
    compress,
    dom_terms,
    pairs,
    share_inputs,
    share_outputs,
)
from gcmforge.leaf.masked.gadget import Claim, Gadget, Step


def masked_match(*, order: int = 1) -> Gadget:
    """masked_match: z = a and (x is zero), in shares; x in the first stage, a three later."""
    shares = order + 1
    b = StagedBuilder("masked_match")
    bit = Product.of(lambda p, q: p & q, 1)
    x, roles = share_inputs(b, "x", 8, shares)
    with b.section("complements, in share 0"):
        inverted = [b.not_(net) for net in x[0]]
    columns = [list(column) for column in zip(inverted, *x[1:], strict=True)]
    while len(columns) > 1:
        with b.section(f"{len(columns)} bits are one"):
            random = b.input(f"r{b.stage}_i", len(pairs(shares)) * (len(columns) // 2))
            columns = _ands(b, bit, columns[::2], columns[1::2], random)
    a, more = share_inputs(b, "a", 1, shares)
    with b.section("and that one"):
        random = b.input(f"r{b.stage}_i", len(pairs(shares)))
        (z,) = _ands(b, bit, columns, [[share[0] for share in a]], random)
    outputs = share_outputs(b, "z", [[share] for share in z])
    pipe = b.staged()
    random_buses = {bus.name: RANDOM for bus in pipe.circuit.inputs if bus.name.startswith("r")}
    return Gadget(
        module=b.name,
        title=f"a bit in {shares} shares that stays one while a byte in {shares} shares is zero",
        pipe=pipe,
        roles={**roles, **more, **random_buses},
        outputs=outputs,
        steps=(Step("z_o", ("x_i", "a_i"), lambda byte, one: one & (byte == 0)),),
        marks={},
        claims=(Claim("probing", order), Claim("uniform", order)),
        source=SOURCE,
        notes=("The bit a is taken three cycles after the byte x: a loop of one cycle.",),
    )


def _ands(
    b: StagedBuilder,
    bit: Product,
    left: Sequence[Element],
    right: Sequence[Element],
    random: Element,
) -> list[list[int]]:
    """The ANDs of two bits each, a stage later; a bit is its shares."""
    each = len(random) // len(left)
    terms = [
        dom_terms(b, bit, [[s] for s in p], [[s] for s in q], random[k * each : (k + 1) * each])
        for k, (p, q) in enumerate(zip(left, right, strict=True))
    ]
    b.next_stage()
    return [[share[0] for share in compress(b, term)] for term in terms]
