# SPDX-License-Identifier: Apache-2.0
"""Which modules become part of the module around them before anything is optimised.

A bound between modules costs gates: no constant, no state that is never reached and no sharing is
seen across it by the optimiser, and no path is mapped across it. Where a module has one instance
nothing is gained by it. It stays where the area of a block is counted apart, around a leaf, around
a memory of contexts, and around copies of a register, which would be one again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from gcmforge.synth.block_names import COPY, RAM, block_of
from gcmforge.synth.names import plain_name


def modules_to_merge(cells: Mapping[str, Counter[str]], leaves: Collection[str]) -> frozenset[str]:
    """Names of modules with one instance, in a module of the same block.

    `cells` counts what each module instantiates, by the names that Yosys gives.
    """
    uses = Counter[str]()
    inside: dict[str, str] = {}
    for name, kinds in cells.items():
        for kind, count in kinds.items():
            if kind in cells:
                uses[kind] += count
                inside[kind] = name
    blocks: dict[str, str] = {}

    def block(name: str) -> str:
        """Of a module that is in one place, else its own name, which is no block's."""
        if name not in blocks:
            alone = uses[name] == 1
            blocks[name] = block_of(plain_name(name), block(inside[name]) if alone else name)
        return blocks[name]

    return frozenset(
        name
        for name, around in inside.items()
        if uses[name] == 1
        and not {plain_name(name), plain_name(around)} & {*leaves, RAM, COPY}
        and block(name) == block(around)
    )
