# SPDX-License-Identifier: Apache-2.0
"""Stronger cells of the same function for gates on slow paths."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from gcmforge.netlist.library import LibCell, Library
from gcmforge.sta.arcs import arc_edges
from gcmforge.sta.bound import TableStack
from gcmforge.synth.fanout import unused
from gcmforge.synth.late import Net

SMALL = 0.002
"""What a stronger cell or a reader's move has to gain, as a part of the period; a buffer more."""


def delay_of(buffer: LibCell, slew: float, load: float) -> float:
    """Of a buffer, either edge."""
    import numpy as np

    stack = TableStack()
    tables = [
        stack.add(table)
        for arc in buffer.outputs[0].timing
        for table in (arc.cell_rise, arc.cell_fall)
        if table is not None
    ]
    size = len(tables)
    found = stack.look_up(np.array(tables), np.full(size, slew), np.full(size, load))
    return float(found.max())


class Stronger:
    """Cells of a library that compute the same as others and are larger, and their tables."""

    def __init__(self, library: Library, dont_use: Sequence[str]) -> None:
        alike: dict[object, list[LibCell]] = defaultdict(list)
        self.tables = TableStack()
        self.numbers: dict[tuple[str, str, str, int, int], int] = {}
        for cell in library.cells.values():
            if cell.dont_use or cell.latch or cell.clock_gate or unused(cell, dont_use):
                continue
            pins = frozenset((pin.name, pin.direction, pin.function) for pin in cell.pins.values())
            alike[pins, cell.flip_flop].append(cell)
        self.alike: dict[str, tuple[LibCell, ...]] = {}
        for cells in alike.values():
            for cell in cells:
                self.alike[cell.name] = tuple(other for other in cells if other.area > cell.area)
                self._add(cell)

    def _add(self, cell: LibCell) -> None:
        for output in cell.outputs:
            for arc in output.timing:
                for in_edge, out_edge, delay, _ in arc_edges(arc, self.tables):
                    key = cell.name, arc.related_pin, output.name, in_edge, out_edge
                    self.numbers[key] = delay

    def best(self, net: Net, cell: LibCell) -> LibCell | None:
        """The one that gains most as the net's driver, if any gains enough."""
        found = [(self._gain(net, cell, other), other) for other in self.alike.get(cell.name, ())]
        gain, best = max(found, key=lambda one: one[0], default=(0.0, None))
        return best if gain > SMALL * net.late.period else None

    def _gain(self, net: Net, cell: LibCell, other: LibCell) -> float:
        import numpy as np

        graph, arcs = net.late.graph, np.array(net.arcs)
        kinds = [graph.kinds[kind] for kind in graph.arcs.kind[arcs]]
        keys = [(other.name, k.from_pin, k.to_pin, k.in_edge, k.out_edge) for k in kinds]
        if not all(key in self.numbers for key in keys):
            return 0.0
        later = [
            net.late.later(
                int(graph.arcs.source[arc]) // 2,
                other.pins[k.from_pin].capacitance - cell.pins[k.from_pin].capacitance,
            )
            for arc, k in zip(net.arcs, kinds, strict=True)
        ]
        tables = np.array([self.numbers[key] for key in keys])
        load = graph.load[graph.arcs.sink[arcs]]
        delay = self.tables.look_up(tables, graph.slews_into(arcs), load) + graph.arcs.wire[arcs]
        start = graph.arrival[graph.arcs.source[arcs]]
        return float((start + graph.delay[arcs]).max() - (start + delay + np.array(later)).max())
