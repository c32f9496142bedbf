# SPDX-License-Identifier: Apache-2.0
"""The order of inputs for gcmforge.leaf.sbox_table.twisted_bdd_circuit.

    gcmforge-study search twist

The nodes of a diagram below a set of inputs are as many as the functions that are left when these
inputs are fixed, up to complement, whatever their order: 8 x 256 counts are enough to rank all
8! orders. The best hundred are made and counted. Takes seconds.
"""

import itertools
from collections.abc import Sequence

from gcmforge.circuit import cost
from gcmforge.field import aes_sbox
from gcmforge.leaf.sbox_table import twisted_bdd_circuit

SBOX = [aes_sbox(x) for x in range(256)]


def left_functions(bit: int, fixed: int) -> int:
    """How many functions output bit `bit` has left when the inputs of the set `fixed` are fixed."""
    tables: dict[int, list[int]] = {}
    for x in range(256):
        tables.setdefault(x & fixed, []).append(SBOX[x] >> bit & 1)
    return len({tuple(y ^ table[0] for y in table) for table in tables.values() if len(table) > 1})


def main(arguments: Sequence[str] | None = None) -> None:
    counts = [[left_functions(bit, fixed) for fixed in range(256)] for bit in range(8)]

    def nodes(order: tuple[int, ...]) -> int:
        total = 0
        for bit in range(8):
            fixed = 0
            for i in reversed([*order[bit:], *order[:bit]]):
                total += counts[bit][fixed]
                fixed |= 1 << i
        return total

    ranked = sorted(itertools.permutations(range(8)), key=nodes)
    found = min((cost(twisted_bdd_circuit(order)).ge, order) for order in ranked[:100])
    print(f"{found[0]} GE for {found[1]}; {nodes(ranked[0])} to {nodes(ranked[-1])} nodes")
