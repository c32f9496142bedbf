# SPDX-License-Identifier: Apache-2.0
"""Wires of a placed design, as timing takes them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gcmforge.place.cells import Placement
from gcmforge.place.trees import Pins, Trees, spanning_trees
from gcmforge.sta.bound import Bound, is_buffer
from gcmforge.sta.clock import ClockArrival, clock_arrival
from gcmforge.sta.wires import Wires

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, slots=True)
class Metal:
    """A wire of the layers that signals use: capacitance and resistance by its length."""

    ff_per_um: float
    ohm_per_um: float


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class PlacedWires:
    """What timing takes, the length of each net's wire in um, and the trees by the table's pins."""

    wires: Wires
    length: Floats
    metal: Metal
    pins: PinTable
    trees: Trees
    clock: ClockArrival | None = None
    """None where the clock is ideal."""


def wires_of(
    bound: Bound,
    placement: Placement,
    metal: Metal,
    *,
    output_load_pf: float = 0.0,
    driving_cell: str = "",
) -> PlacedWires:
    """Of every net but those of constants and, where it has no tree, of the clock. The driving cell
    drives the clock's port."""
    import numpy as np

    table = PinTable.of(bound, placement, output_load_pf)
    begins = np.flatnonzero(np.diff(table.net, prepend=-1))
    pins = Pins(
        first=np.append(begins, table.net.size), x=table.x, y=table.y,
        capacitance=np.where(table.drives, 0.0, table.capacitance),
    )  # fmt: skip
    stars = _branches(bound)[table.net[begins]]
    trees = spanning_trees(pins, metal.ff_per_um / 1000, metal.ohm_per_um / 1000, stars)
    length = np.zeros(bound.net_count)
    length[table.net[begins]] = trees.length
    wires = _as_wires(bound, table, trees.delay, length, metal)
    clock = None
    if bound.has_clock_tree:
        clock = clock_arrival(bound, wires, driving_cell)
        wires = replace(wires, clocks=clock.pins)
    return PlacedWires(
        wires=wires, length=length, metal=metal, pins=table, trees=trees, clock=clock
    )


def _branches(bound: Bound) -> NDArray[np.bool_]:
    """By net: whether it is one of a clock tree that leads to buffers or clock gates."""
    import numpy as np

    found = np.zeros(bound.net_count, dtype=np.bool_)
    for group in bound.groups:
        if is_buffer(group.cell) or group.cell.clock_gate:
            for name in (pin.name for pin in group.cell.inputs):
                nets = group.nets[:, group.pins.index(name)]
                found[nets[nets >= 0]] = True
    clocks = np.zeros(bound.net_count, dtype=np.bool_)
    clocks[bound.clock_nets] = True
    return found & clocks


@dataclass(frozen=True, slots=True, eq=False)
class PinTable:
    """All pins that have wires, those of a net together, its driver first. A pin of a cell has its
    group, column and row there; a port has -1 for both, and its number among the bits of the inputs
    or outputs as its row."""

    net: Ints
    drives: NDArray[np.bool_]
    x: Floats
    y: Floats
    capacitance: Floats
    group: Ints
    column: Ints
    row: Ints

    @classmethod
    def of(cls, bound: Bound, placement: Placement, output_load_pf: float) -> PinTable:
        import numpy as np

        wired = np.ones(bound.net_count, dtype=np.bool_)
        wired[bound.clock_nets] = bound.has_clock_tree
        wired[-2:] = False
        parts: list[tuple[Ints, Ints, Floats, Floats, Floats, Ints, Ints, Ints]] = []
        for number, group in enumerate(bound.groups):
            at = np.array([placement.cells[name] for name in group.names]).reshape(-1, 2)
            for place, name in enumerate(group.pins):
                pin = group.cell.pins[name]
                nets = group.nets[:, place]
                rows = np.flatnonzero(nets >= 0)
                rows = rows[wired[nets[rows]]]
                same = np.ones(rows.size, dtype=np.int64)
                pf = (pin.rise_capacitance + pin.fall_capacitance) / 2
                parts.append((
                    nets[rows], (pin.direction == "output") * same, at[rows, 0], at[rows, 1],
                    np.full(rows.size, pf), number * same, place * same, rows,
                ))  # fmt: skip
        for drives, ports, pf in (
            (True, "input", 0.0), (False, "output", output_load_pf),
        ):  # fmt: skip
            found = _ports(bound, placement, ports)
            nets = np.array([net for net, *_ in found], dtype=np.int64)
            keep = np.flatnonzero(wired[nets])
            spots = np.array([spot for _, spot in found]).reshape(-1, 2)
            same = np.ones(keep.size, dtype=np.int64)
            parts.append((
                nets[keep], drives * same, spots[keep, 0], spots[keep, 1],
                np.full(keep.size, pf), -same, -same, keep,
            ))  # fmt: skip
        whole = [np.concatenate(column) for column in zip(*parts, strict=True)]
        order = np.lexsort((1 - whole[1], whole[0]))
        net, first, x, y, load, of, column, row = (part[order] for part in whole)
        return cls(net, first.astype(np.bool_), x, y, load, of, column, row)


def _ports(
    bound: Bound, placement: Placement, direction: str
) -> list[tuple[int, tuple[float, float]]]:
    """Nets and places of ports, in the order of the bound design, which has no constants there."""
    nets = bound.inputs if direction == "input" else bound.outputs
    spots = [placement.ports[bit] for bit in port_bits(bound, direction)]
    return list(zip(nets.tolist(), spots, strict=True))


def port_bits(bound: Bound, direction: str) -> list[tuple[str, int]]:
    """Names and bits of ports that are nets, in the order of the bound design."""
    return [
        (name, n)
        for name, port in bound.module.ports.items()
        if port.direction == direction
        for n, bit in enumerate(port.bits)
        if not isinstance(bit, str)
    ]


def _as_wires(bound: Bound, table: PinTable, late: Floats, length: Floats, metal: Metal) -> Wires:
    import numpy as np

    delay = {}
    for number, group in enumerate(bound.groups):
        for column, name in enumerate(group.pins):
            if group.cell.pins[name].direction == "output":
                continue
            found = np.zeros(len(group.names))
            mine = np.flatnonzero((table.group == number) & (table.column == column))
            found[table.row[mine]] = late[mine]
            delay[group.cell.name, name] = found
    outputs = np.zeros(len(bound.outputs))
    mine = np.flatnonzero((table.group < 0) & ~table.drives)
    outputs[table.row[mine]] = late[mine]
    return Wires(capacitance=length * metal.ff_per_um / 1000, delay=delay, outputs=outputs)


__all__ = ["Metal", "PinTable", "PlacedWires", "port_bits", "wires_of"]
