# SPDX-License-Identifier: Apache-2.0
"""Area by block: what the cells of each part of a core take."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from gcmforge.netlist.library import Library
from gcmforge.netlist.netlist import Netlist
from gcmforge.netlist.targets import Target
from gcmforge.synth.block_names import BLOCKS, HOLD_CONTEXTS, RAM, block_of
from gcmforge.synth.figures import Block
from gcmforge.synth.mapping import own_area, own_flip_flops


def _instances(netlist: Netlist) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """Path, module and block of every instance, the top first."""
    block_at: dict[tuple[str, ...], str] = {}
    for path, module in netlist.instances():
        parent = block_at[path[:-1]] if path else netlist.top
        block = block_at[path] = block_of(module, parent)
        yield path, module, block


def block_of_cells(netlist: Netlist) -> dict[str, str]:
    """The block of each cell, by its name in the flat netlist."""
    return {
        ".".join((*path, name)): block
        for path, module, block in _instances(netlist)
        for name, cell in netlist.modules[module].cells.items()
        if cell.type not in netlist.modules
    }


def by_block(netlist: Netlist, library: Library, target: Target) -> tuple[dict[str, Block], Block]:
    """Area and flip-flops by block, and of them those that hold contexts; a design whose top is no
    core's is one block."""
    own = {
        name: Counter(cell.type for cell in module.cells.values())
        for name, module in netlist.modules.items()
    }
    cells: dict[str, list[str]] = {}
    held: list[str] = []
    for _, module, block in _instances(netlist):
        cells.setdefault(block, []).append(module)
        if block in HOLD_CONTEXTS and re.fullmatch(rf"{RAM}(_\d+)?", module):
            held.append(module)

    def made(name: str, modules: Sequence[str]) -> Block:
        area = sum(own_area(own[module], library, module) for module in modules)
        return Block(
            name=name,
            area_um2=area if target.has_units else None,
            area_ge=area / target.nand2_area,
            flip_flops=sum(own_flip_flops(own[module], library) for module in modules),
        )

    order = [block for block in BLOCKS if block in cells]
    order += [block for block in cells if block not in BLOCKS]
    return {block: made(block, cells[block]) for block in order}, made("contexts", held)
