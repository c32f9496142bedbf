# SPDX-License-Identifier: Apache-2.0
"""A placed design, mended against its own wires.

Buffers and strengths of cells were chosen for ideal wires. Here the slowest paths are mended with
the loads that wires make (synth/repair.py). A new buffer goes to the middle of what it drives; then
all cells are put on sites again, near where they were, and wires are made again. This is done in
turn for as long as the clock gains from it. No gate changes what it computes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from gcmforge.netlist.library import Library
from gcmforge.netlist.netlist import Bit, Module, Netlist
from gcmforge.place.cells import Placement
from gcmforge.place.placed import PlacedDesign, on_rows
from gcmforge.place.wires import wires_of
from gcmforge.sta.bound import Bound
from gcmforge.sta.wires import Wires
from gcmforge.synth.repair import TRIALS, Means, repaired

Spot: TypeAlias = tuple[float, float]

ROUNDS = 8
GAIN = 0.005
"""What a round has to gain, as a part of the slowest path."""
PATIENCE = 2
"""So many rounds without a gain are the last ones: a first one moves cells, which may help the
next."""
PASSES = 2
"""Of repair in a round. More would mend against wires that are no longer there afterwards, as what
they put in moves other cells."""
AFTER = TRIALS[1:]
"""What is tried after the first round: what it left is no longer shortened at one stroke."""


def mended(placed: PlacedDesign, *, clock_ns: float | None = None) -> PlacedDesign:
    """The same design with a better clock; itself where nothing gains."""
    best, without = placed, 0
    for number in range(ROUNDS):
        delay = best.timing.critical_path_ns
        trials = AFTER if number else None
        after = _once(placed, clock_ns, trials) if clock_ns is None or delay > clock_ns else None
        if after is None:
            break
        placed = after
        without = 0 if after.timing.critical_path_ns <= (1 - GAIN) * delay else without + 1
        if after.timing.critical_path_ns < delay:
            best = after
        if without == PATIENCE:
            break
    return best


def _once(
    placed: PlacedDesign,
    clock_ns: float | None,
    trials: Sequence[tuple[float, Sequence[Means]]] | None = None,
) -> PlacedDesign | None:
    """After one repair and the placement that it takes; None where there is nothing to repair."""
    target, metal, library = placed.target, placed.geometry.metal, placed.bound.library

    def wires(bound: Bound) -> Wires:
        where = with_new_cells(bound.module, library, placed.placement)
        return wires_of(
            bound, where, metal, output_load_pf=target.load_ff / 1000,
            driving_cell=target.driving_cell,
        ).wires  # fmt: skip

    module = placed.bound.module
    netlist = Netlist(modules={module.name: module}, top=module.name)
    changed = repaired(
        netlist, library, driving_cell=target.driving_cell, load_ff=target.load_ff,
        clock_ns=clock_ns or 0.0, dont_use=target.dont_use, passes=PASSES,
        trials=trials, wires=wires, clock_slew_ns=target.clock_transition_ns,
    )  # fmt: skip
    if changed is netlist:
        return None
    flat = changed.modules[changed.top]
    start = with_new_cells(flat, library, placed.placement)
    return on_rows(
        flat, target, library, placed.geometry, utilisation=placed.asked, start=start,
        clock_ns=clock_ns,
    )  # fmt: skip


def with_new_cells(module: Module, library: Library, placement: Placement) -> Placement:
    """With each cell that has no place in the middle of what it drives; where that has none, in
    the middle of what drives it."""
    cells = {name: placement.cells[name] for name in module.cells if name in placement.cells}
    new = [name for name in module.cells if name not in cells]
    if not new:
        return placement
    on: dict[Bit, list[str]] = defaultdict(list)
    for name, cell in module.cells.items():
        for bits in cell.connections.values():
            for bit in bits:
                on[bit].append(name)
    ports: dict[Bit, list[Spot]] = defaultdict(list)
    for (name, n), spot in placement.ports.items():
        ports[module.ports[name].bits[n]].append(spot)

    def near(name: str, direction: str) -> list[Spot]:
        cell = module.cells[name]
        pins = [p.name for p in library.cell(cell.type).pins.values() if p.direction == direction]
        bits = [bit for pin in pins for bit in cell.connections.get(pin, ())]
        found = [cells[other] for bit in bits for other in on[bit] if other in cells]
        return found + [spot for bit in bits for spot in ports[bit]]

    while new:
        found = {name: near(name, "output") for name in new}
        if not any(found.values()):
            found = {name: near(name, "input") for name in new}
        now = {name: spots for name, spots in found.items() if spots}
        assert now, new
        cells |= {name: _middle(spots) for name, spots in now.items()}
        new = [name for name in new if name not in cells]
    return replace(placement, cells=cells)


def _middle(spots: list[Spot]) -> Spot:
    x, y = zip(*spots, strict=True)
    return sum(x) / len(x), sum(y) / len(y)
