# SPDX-License-Identifier: Apache-2.0
"""Wires of a placed design, as timing takes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gcmforge.place.cells import Placement
from gcmforge.place.trees import Pins, spanning_trees
from gcmforge.sta.bound import Bound
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
    """What timing takes, and the length of each net's wire in um."""

    wires: Wires
    length: Floats


def wires_of(
    bound: Bound, placement: Placement, metal: Metal, *, output_load_pf: float = 0.0
) -> PlacedWires:
    """Of every net but those of the clock and the constants."""
    import numpy as np

    table = _Table.of(bound, placement, output_load_pf)
    order = np.lexsort((~table.drives, table.net))
    net = table.net[order]
    begins = np.flatnonzero(np.diff(net, prepend=-1))
    pins = Pins(
        first=np.append(begins, net.size), x=table.x[order], y=table.y[order],
        capacitance=np.where(table.drives, 0.0, table.capacitance)[order],
    )  # fmt: skip
    trees = spanning_trees(pins, metal.ff_per_um / 1000, metal.ohm_per_um / 1000)
    late = np.zeros(net.size)
    late[order] = trees.delay
    length = np.zeros(bound.net_count)
    length[net[begins]] = trees.length
    return PlacedWires(wires=_as_wires(bound, table, late, length, metal), length=length)


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """All pins that have wires. A pin of a cell has its group, column and row there; a port has
    none of them, and an output its place among the outputs as its row."""

    net: Ints
    drives: NDArray[np.bool_]
    x: Floats
    y: Floats
    capacitance: Floats
    group: Ints
    column: Ints
    row: Ints

    @classmethod
    def of(cls, bound: Bound, placement: Placement, output_load_pf: float) -> _Table:
        import numpy as np

        wired = np.ones(bound.net_count, dtype=np.bool_)
        wired[bound.clock_nets] = False
        wired[-2:] = False
        parts: list[tuple[Ints, Ints, Floats, Floats, Floats, Ints, Ints, Ints]] = []
        for number, group in enumerate(bound.groups):
            at = np.array([placement.cells[name] for name in group.names]).reshape(-1, 2)
            for column, name in enumerate(group.pins):
                pin = group.cell.pins[name]
                nets = group.nets[:, column]
                rows = np.flatnonzero(nets >= 0)
                rows = rows[wired[nets[rows]]]
                same = np.ones(rows.size, dtype=np.int64)
                load = (pin.rise_capacitance + pin.fall_capacitance) / 2
                parts.append((
                    nets[rows], (pin.direction == "output") * same, at[rows, 0], at[rows, 1],
                    np.full(rows.size, load), number * same, column * same, rows,
                ))  # fmt: skip
        for drives, ports, load in (
            (True, "input", 0.0), (False, "output", output_load_pf),
        ):  # fmt: skip
            found = _ports(bound, placement, ports)
            nets = np.array([net for net, *_ in found], dtype=np.int64)
            keep = np.flatnonzero((nets >= 0) & wired[nets])  # below 0: constants, and nothing
            spots = np.array([spot for _, spot in found]).reshape(-1, 2)
            same = np.ones(keep.size, dtype=np.int64)
            parts.append((
                nets[keep], drives * same, spots[keep, 0], spots[keep, 1],
                np.full(keep.size, load), -same, -same, keep,
            ))  # fmt: skip
        net, is_driver, x, y, capacitance, groups, columns, rows = (
            np.concatenate(column) for column in zip(*parts, strict=True)
        )
        return cls(net, is_driver.astype(np.bool_), x, y, capacitance, groups, columns, rows)


def _ports(
    bound: Bound, placement: Placement, direction: str
) -> list[tuple[int, tuple[float, float]]]:
    """Nets and places of ports, in the order of the bound design."""
    nets = bound.inputs if direction == "input" else bound.outputs
    spots = [
        placement.ports[name, n]
        for name, port in bound.module.ports.items()
        if port.direction == direction
        for n in range(len(port.bits))
    ]
    return list(zip(nets.tolist(), spots, strict=True))


def _as_wires(bound: Bound, table: _Table, late: Floats, length: Floats, metal: Metal) -> Wires:
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


__all__ = ["Metal", "PlacedWires", "wires_of"]
