# SPDX-License-Identifier: Apache-2.0
"""A placed design, mended against its own wires.

Buffers and strengths of cells were chosen for ideal wires. Here the slowest paths are mended with
the loads that wires make (synth/repair.py). A new buffer goes beside what drives it, which has the
wire to what comes after it no more; then all cells are put on sites again, near where they were,
and wires are made again. This is done in turn for as long as the clock gains from it. What one turn
took away from a driver may be late in the next one: buffers that drive nothing but a buffer are
taken out before each. No gate changes what it computes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from gcmforge.netlist.library import Library
from gcmforge.netlist.netlist import Bit, Cell, Module, Netlist
from gcmforge.place.cells import Placement
from gcmforge.place.clock_tree import PREFIX
from gcmforge.place.placed import PlacedDesign, on_rows
from gcmforge.place.wires import wires_of
from gcmforge.sta.bound import Bound, is_buffer
from gcmforge.sta.wires import Wires
from gcmforge.synth.repair import TRIALS, Means, repaired

Spot: TypeAlias = tuple[float, float]

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

    module = without_chains(placed.bound.module, library)
    netlist = Netlist(modules={module.name: module}, top=module.name)
    changed = repaired(
        netlist, library, driving_cell=target.driving_cell, load_ff=target.load_ff,
        clock_ns=clock_ns or 0.0, dont_use=target.dont_use, passes=PASSES,
        trials=trials, wires=wires, clock_slew_ns=target.clock_transition_ns,
    )  # fmt: skip
    if changed is netlist and module is placed.bound.module:
        return None
    flat = changed.modules[changed.top]
    start = with_new_cells(flat, library, placed.placement)
    return on_rows(
        flat, target, library, placed.geometry, utilisation=placed.asked, start=start,
        clock_ns=clock_ns,
    )  # fmt: skip


def without_chains(module: Module, library: Library) -> Module:
    """Without the buffers that drive a buffer alone; the module itself where there are none. Those
    of a clock tree stay."""
    buffers = {
        name: (cell.connections[lib.inputs[0].name][0], cell.connections[lib.outputs[0].name][0])
        for name, cell in module.cells.items()
        if is_buffer(lib := library.cell(cell.type)) and not name.startswith(PREFIX)
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
