# SPDX-License-Identifier: Apache-2.0
"""A placed design, mended against its own wires.

Buffers and strengths of cells were chosen for ideal wires. First long wires get buffers along them
(place/repeaters.py). Then the slowest paths are mended with the loads that wires make
(synth/repair.py). A new buffer goes beside what drives it, which has the wire to what comes after
it no more; then all cells are put on sites again, near where they were, and wires are made again.
This is done in turn for as long as the clock gains from it. What one turn took away from a driver
may be late in the next one: buffers that drive nothing but a buffer are taken out before each, but
for those along wires. No gate changes what it computes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from math import sqrt
from typing import TypeAlias

from gcmforge.netlist.library import Library
from gcmforge.netlist.netlist import Bit, Cell, Module, Netlist
from gcmforge.place.cells import Placement
from gcmforge.place.clock_tree import PREFIX
from gcmforge.place.placed import PlacedDesign, on_rows
from gcmforge.place.repeaters import PREFIX as REPEATER
from gcmforge.place.repeaters import with_repeaters
from gcmforge.place.wires import PlacedWires, wires_of
from gcmforge.sta.bound import Bound, bind, is_buffer
from gcmforge.sta.graph import TimingGraph
from gcmforge.sta.wires import Wires
from gcmforge.synth.repair import TRIALS, Means, repaired

Spot: TypeAlias = tuple[float, float]

ALONG = 8
"""Rounds of buffers along wires, at most."""
ROUNDS = 6
GAIN = 0.005
"""What a round has to gain, as a part of the slowest path."""
PATIENCE = 2
"""So many rounds without a gain are the last ones: a first one moves cells, which may help the
next."""
PASSES = 6
"""Of repair in a round. More would mend against wires that are no longer there afterwards, as what
they put in moves other cells."""
AFTER = TRIALS[1:]
"""What is tried after the first round: what it left is no longer shortened at one stroke."""


def mended(placed: PlacedDesign, *, clock_ns: float | None = None) -> PlacedDesign:
    """The same design with a better clock; itself where nothing gains."""
    for _ in range(ALONG):
        done = clock_ns is not None and placed.timing.critical_path_ns <= clock_ns
        found = None if done else _along(placed, placed.bound, placed.placement, clock_ns)
        if found is None:
            break
        longer = _on_rows(placed, *found, clock_ns)
        if longer.timing.critical_path_ns > (1 - GAIN) * placed.timing.critical_path_ns:
            break
        placed = longer
    best, without = placed, 0
    for number in range(ROUNDS):
        delay = best.timing.critical_path_ns
        trials = AFTER if number else None
        done = clock_ns is not None and delay <= clock_ns
        after = None if done else _once(placed, clock_ns, trials)
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
    target, library = placed.target, placed.bound.library

    def wires(bound: Bound) -> Wires:
        return _wires(placed, bound, with_new_cells(bound.module, library, placed.placement)).wires

    module = without_chains(placed.bound.module, library)
    netlist = Netlist(modules={module.name: module}, top=module.name)
    changed = repaired(
        netlist, library, driving_cell=target.driving_cell, load_ff=target.load_ff,
        clock_ns=clock_ns or 0.0, dont_use=target.dont_use, passes=PASSES,
        trials=trials, wires=wires, clock_slew_ns=target.clock_transition_ns,
    )  # fmt: skip
    flat = changed.modules[changed.top]
    start = with_new_cells(flat, library, placed.placement)
    found = _along(placed, bind(flat, library), start, clock_ns)
    if found is None and changed is netlist and module is placed.bound.module:
        return None
    return _on_rows(placed, *(found or (flat, start)), clock_ns)


def _along(
    placed: PlacedDesign, bound: Bound, placement: Placement, clock_ns: float | None
) -> tuple[Module, Placement] | None:
    """With buffers along the wires of the placed design, or of what it has become, where these are
    too slow for the clock, or for one half way to that which the cells alone would have: wires
    never let it have that, and what is put in for it takes area and moves cells."""
    wires = placed.wires if bound is placed.bound else _wires(placed, bound, placement)
    graph = _graph(placed, bound, wires.wires)
    ideal = _graph(placed, bound, None).critical_path_ns()
    period = max(clock_ns or 0.0, sqrt(ideal * graph.critical_path_ns()))
    return with_repeaters(
        bound, wires, placement, graph, period=period, dont_use=placed.target.dont_use
    )


def _wires(placed: PlacedDesign, bound: Bound, placement: Placement) -> PlacedWires:
    target = placed.target
    return wires_of(
        bound, placement, placed.geometry.metal, output_load_pf=target.load_ff / 1000,
        driving_cell=target.driving_cell,
    )  # fmt: skip


def _graph(placed: PlacedDesign, bound: Bound, wires: Wires | None) -> TimingGraph:
    target = placed.target
    return TimingGraph(
        bound, driving_cell=target.driving_cell, load_ff=target.load_ff,
        clock_slew_ns=target.clock_transition_ns, wires=wires,
    )  # fmt: skip


def _on_rows(
    placed: PlacedDesign, module: Module, start: Placement, clock_ns: float | None
) -> PlacedDesign:
    return on_rows(
        module, placed.target, placed.bound.library, placed.geometry, utilisation=placed.asked,
        start=start, clock_ns=clock_ns,
    )  # fmt: skip


def without_chains(module: Module, library: Library) -> Module:
    """Without the buffers that drive a buffer alone; the module itself where there are none. Those
    of a clock tree and along wires stay."""
    buffers = {
        name: (cell.connections[lib.inputs[0].name][0], cell.connections[lib.outputs[0].name][0])
        for name, cell in module.cells.items()
        if is_buffer(lib := library.cell(cell.type)) and not name.startswith((PREFIX, REPEATER))
    }
    driver = {out: name for name, (_, out) in buffers.items()}
    readers: dict[Bit, list[str]] = defaultdict(list)
    for name, cell in module.cells.items():
        for pin, bits in cell.connections.items():
            if library.cell(cell.type).pins[pin].direction == "input":
                for bit in set(bits) & driver.keys():
                    readers[bit].append(name)
    for port in module.ports.values():
        for bit in set(port.bits) & driver.keys():
            readers[bit].append("")
    gone = {
        name: into
        for name, (into, out) in buffers.items()
        if len(readers[out]) == 1 and readers[out][0] in buffers
    }
    if not gone:
        return module
    cells = {name: cell for name, cell in module.cells.items() if name not in gone}
    for name in buffers.keys() - gone.keys():
        (pin,) = (pin.name for pin in library.cell(cells[name].type).inputs)
        bit = buffers[name][0]
        while driver.get(bit) in gone:
            bit = gone[driver[bit]]
        connections = {**cells[name].connections, pin: (bit,)}
        cells[name] = replace(cells[name], connections=connections)
    return replace(module, cells=cells)


def with_new_cells(module: Module, library: Library, placement: Placement) -> Placement:
    """With each new buffer beside what drives it, past buffers that are new, too: it takes a load
    from that cell or port, and the wire to the load."""
    new = module.cells.keys() - placement.cells.keys()
    if not new:
        return placement
    into = {name: _input(module.cells[name], library) for name in new}
    wanted, driver = set(into.values()), dict[Bit, str]()
    outputs = {
        kind: [pin.name for pin in library.cell(kind).outputs]
        for kind in {cell.type for cell in module.cells.values()}
    }
    for name, cell in module.cells.items():
        for pin in outputs[cell.type]:
            for bit in cell.connections.get(pin, ()):
                if bit in wanted:
                    driver[bit] = name
    spots = {
        module.ports[name].bits[n]: spot
        for (name, n), spot in placement.ports.items()
        if module.ports[name].direction == "input"
    }
    cells = {name: spot for name, spot in placement.cells.items() if name in module.cells}
    for name in new:
        before = into[name]
        while driver.get(before) in new:
            before = into[driver[before]]
        cells[name] = placement.cells[driver[before]] if before in driver else spots[before]
    return replace(placement, cells=cells)


def _input(buffer: Cell, library: Library) -> Bit:
    (pin,) = (pin.name for pin in library.cell(buffer.type).inputs)
    (bit,) = buffer.connections[pin]
    return bit
