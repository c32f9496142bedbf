# SPDX-License-Identifier: Apache-2.0
"""A placed design, mended against its own wires.

Buffers and strengths of cells were chosen for ideal wires. First long wires get buffers along them
(place/repeaters.py). Then the slowest paths are mended with the loads that wires make
(synth/repair.py). A new buffer goes beside what drives it, which has the wire to what comes after
it no more; then all cells are put on sites again, near where they were, and wires are made again.
This is done in turn for as long as the clock gains from it. What one turn took away from a driver
may be late in the next one: buffers that drive a buffer alone are taken out before each, but for
those along wires, and after it those that drive nothing. No gate changes what it computes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import TypeAlias

from gcmforge.netlist.library import Library
from gcmforge.netlist.netlist import Bit, Cell, Module, Netlist
from gcmforge.place.cells import Placement
from gcmforge.place.clock_tree import PREFIX
from gcmforge.place.placed import PlacedDesign, graph_of, on_rows, wires_between
from gcmforge.place.repeaters import PREFIX as REPEATER
from gcmforge.place.repeaters import with_repeaters
from gcmforge.sta.bound import Bound, bind, is_buffer
from gcmforge.sta.wires import Wires
from gcmforge.synth.repair import TRIALS, Means, repaired

Spot: TypeAlias = tuple[float, float]

ALONG = 8
"""Rounds of buffers along wires, at most."""
ROUNDS = 6
GAIN = 0.005
"""What a round has to gain, as a part of the slowest path: the first that does not is the last."""
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
    best = placed
    for number in range(ROUNDS):
        delay = best.timing.critical_path_ns
        trials = AFTER if number else None
        done = clock_ns is not None and delay <= clock_ns
        after = None if done else _once(best, clock_ns, trials)
        if after is None:
            break
        reached = after.timing.critical_path_ns
        if reached < delay:
            best = after
        if reached > (1 - GAIN) * delay:
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
        spots = with_new_cells(bound.module, library, placed.placement)
        return wires_between(bound, target, placed.geometry, spots).wires

    module = without_chains(placed.bound.module, library)
    netlist = Netlist(modules={module.name: module}, top=module.name)
    changed = repaired(
        netlist, library, driving_cell=target.driving_cell, load_ff=target.load_ff,
        clock_ns=clock_ns or 0.0, dont_use=target.dont_use, passes=PASSES,
        trials=trials, wires=wires, clock_slew_ns=target.clock_transition_ns,
    )  # fmt: skip
    flat = without_idle(changed.modules[changed.top], library)
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
    target, wires = placed.target, placed.wires
    if bound is not placed.bound:
        wires = wires_between(bound, target, placed.geometry, placement)
    graph = graph_of(bound, target, wires.wires)
    ideal = graph_of(bound, target, None).critical_path_ns()
    period = max(clock_ns or 0.0, sqrt(ideal * graph.critical_path_ns()))
    return with_repeaters(bound, wires, placement, graph, period=period, dont_use=target.dont_use)


def _on_rows(
    placed: PlacedDesign, module: Module, start: Placement, clock_ns: float | None
) -> PlacedDesign:
    return on_rows(
        module, placed.target, placed.bound.library, placed.geometry, utilisation=placed.asked,
        start=start, clock_ns=clock_ns,
    )  # fmt: skip


def without_chains(module: Module, library: Library) -> Module:
    """Without the buffers that drive nothing, and those that drive a buffer alone; the module
    itself where there are none. Those of a clock tree stay, and those along wires that drive
    something."""
    module = without_idle(module, library)
    net = _Buffers.of(module, library)
    plain = {name for name in net.pins if not name.startswith(REPEATER)}
    gone = {
        name
        for name in plain
        if len(readers := net.readers[net.pins[name][1]]) == 1 and readers[0] in plain
    }
    if not gone:
        return module
    cells = {name: cell for name, cell in module.cells.items() if name not in gone}
    for name in net.pins.keys() - gone:
        (pin,) = (pin.name for pin in library.cell(cells[name].type).inputs)
        bit = net.pins[name][0]
        while net.driver.get(bit) in gone:
            bit = net.pins[net.driver[bit]][0]
        connections = {**cells[name].connections, pin: (bit,)}
        cells[name] = replace(cells[name], connections=connections)
    return replace(module, cells=cells)


def without_idle(module: Module, library: Library) -> Module:
    """Without the buffers that drive nothing, or only such, but for a clock tree's: a repair may
    have moved all that they drove. The module itself where there are none."""
    net = _Buffers.of(module, library)
    gone: set[str] = set()
    look = [name for name, (_, out) in net.pins.items() if not net.readers[out]]
    while look:
        name = look.pop()
        gone.add(name)
        before = net.driver.get(net.pins[name][0])
        if before and gone.issuperset(net.readers[net.pins[before][1]]):
            look.append(before)
    if not gone:
        return module
    return replace(module, cells={n: cell for n, cell in module.cells.items() if n not in gone})


@dataclass(frozen=True, slots=True)
class _Buffers:
    """A module's buffers, but for those of a clock tree."""

    pins: Mapping[str, tuple[Bit, Bit]]
    """Nets at the input and output of each."""
    driver: Mapping[Bit, str]
    """By net that one drives."""
    readers: Mapping[Bit, Sequence[str]]
    """By such a net: cells, and "" for a port."""

    @classmethod
    def of(cls, module: Module, library: Library) -> _Buffers:
        types = {cell.type: library.cell(cell.type) for cell in module.cells.values()}
        ends = {
            kind: (cell.inputs[0].name, cell.outputs[0].name)
            for kind, cell in types.items()
            if is_buffer(cell)
        }
        pins = {
            name: (cell.connections[ends[cell.type][0]][0], cell.connections[ends[cell.type][1]][0])
            for name, cell in module.cells.items()
            if cell.type in ends and not name.startswith(PREFIX)
        }
        driver = {out: name for name, (_, out) in pins.items()}
        readers: dict[Bit, list[str]] = {out: [] for out in driver}
        inputs = {kind: [pin.name for pin in cell.inputs] for kind, cell in types.items()}
        for name, cell in module.cells.items():
            for pin in inputs[cell.type]:
                for bit in cell.connections.get(pin, ()):
                    if bit in readers:
                        readers[bit].append(name)
        for port in module.ports.values():
            for bit in set(port.bits) & readers.keys():
                readers[bit].append("")
        return cls(pins, driver, readers)


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
