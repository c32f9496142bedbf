# SPDX-License-Identifier: Apache-2.0
"""Area by the sizes of cells in a target's LEF file, where it has one.

Liberty's areas are what synthesis optimises, and in some libraries they are not those of the
layout. An OAI21X1 of osu018 has 23 um2 in Liberty and is 32 um2 large, a NAND3X1 has 36 and 32.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from gcmforge.measure.result import Layout
from gcmforge.netlist.library import Library
from gcmforge.netlist.targets import Target, TargetError

SAME_UM2 = 0.005
"""Areas that differ by less are the same, rounded."""


def layout_of(counts: Mapping[str, int], target: Target, library: Library) -> Layout | None:
    """Of so many cells by type; None without a LEF file. TargetError where that is no LEF file."""
    if target.lef is None:
        return None
    found = areas(target, library)
    whole = sum(number * found[cell] for cell, number in counts.items() if cell in library.cells)
    return Layout(
        lef=target.lef.name,
        area_um2=whole,
        area_ge=whole / found[target.nand2],
        differs={
            cell: (library.cells[cell].area, found[cell])
            for cell in sorted(counts)
            if cell in library.cells and abs(library.cells[cell].area - found[cell]) > SAME_UM2
        },
    )


def areas(target: Target, library: Library) -> dict[str, float]:
    """Of each cell in um2: the LEF file's, else Liberty's. A clock gate that is made of cells has
    the sum of theirs."""
    assert target.lef is not None
    sizes = _sizes(target.name, target.lef)
    found = {name: sizes.get(name, cell.area) for name, cell in library.cells.items()}
    if target.gate is not None and (made := target.gate.made_of) is not None:
        found[target.gate.cell] = sum(
            found[part] for part in (made.latch, made.inverter, made.and_gate)
        )
    return found


@lru_cache(maxsize=4)
def _sizes(target: str, lef: Path) -> dict[str, float]:
    from gcmforge.place.lef import LefError, read_lef

    try:
        sizes = read_lef(lef.read_text(encoding="utf-8", errors="replace")).sizes
    except (LefError, OSError) as error:
        raise TargetError(f"target {target}: {lef}: {error}") from error
    return {name: width * height for name, (width, height) in sizes.items()}
