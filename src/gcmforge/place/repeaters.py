# SPDX-License-Identifier: Apache-2.0
"""Buffers along the wires of a placed design.

A wire's own delay grows with the square of its length, so that a long one is faster in pieces, with
a buffer between any two. For each net that is too slow the best places are found by dynamic
programming from its pins to its driver (van Ginneken, ISCAS 1990): at each point of its tree what
is kept are pairs of a load and a slack, such that none is worse in both. A buffer may stand at
either end of each piece of the tree, and at equal distances along it. Delays of cells are taken as
linear in the load here; the timing of what comes of it is not. No gate changes what it computes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, sqrt
from typing import TYPE_CHECKING, TypeAlias

from gcmforge.netlist.library import LibCell, Library
from gcmforge.netlist.netlist import Cell, Module
from gcmforge.place.cells import Placement
from gcmforge.place.straight import Tree
from gcmforge.place.wires import Metal, PinTable, PlacedWires, port_bits
from gcmforge.sta.bound import Bound
from gcmforge.sta.graph import TimingGraph
from gcmforge.synth.fanout import plain_buffers
from gcmforge.synth.late import Late
from gcmforge.synth.stronger import delay_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

PREFIX = "repeater_"
KINDS = 3
"""Of buffers, the strongest that there are."""
WORTH = 0.005
"""What each buffer has to gain, and a net's buffers together, as a part of the period."""
ALIKE = 0.25
"""Pins that are late by more than this part of the period are all as urgent."""
SPARE = 0.5
"""The part of its time to spare that a net may take from a pin: other nets of a path take, too."""

Spot: TypeAlias = tuple[float, float]
Chosen: TypeAlias = "tuple[str, object, object] | None"
"""("buffer", (kind, pin, distance above it), before), ("join", one, other), or nothing."""


@dataclass(frozen=True, slots=True)
class Repeater:
    """A buffer, its delay in ns at no load, and by pF."""

    cell: LibCell
    delay: float
    by_pf: float
    into: float
    most: float
    """What it drives at most, in pF."""


@dataclass(frozen=True, slots=True)
class Way:
    """What can be had at a point of a net's tree, looking away from its driver."""

    load: float
    slack: float
    chosen: Chosen


@dataclass(frozen=True, slots=True)
class _Found:
    """A net's first pin, its tree, and kind, pin and distance above it of each buffer."""

    first: int
    tree: Tree
    buffers: tuple[tuple[int, int, float], ...]


def with_repeaters(
    bound: Bound,
    wires: PlacedWires,
    placement: Placement,
    graph: TimingGraph,
    *,
    period: float,
    dont_use: Sequence[str] = (),
) -> tuple[Module, Placement] | None:
    """The design with buffers where they make nets faster that are too slow for the period, each at
    its place in `placement`; None where none gains."""
    kinds = repeaters(bound.library, dont_use)
    if not kinds:
        return None
    return _Work(bound, wires, placement, graph, period, kinds).changed()


def repeaters(library: Library, dont_use: Sequence[str]) -> tuple[Repeater, ...]:
    """The library's strongest plain buffers. The transition at their inputs is taken to be as long
    as their own delay with little to drive."""
    found = []
    for cell in plain_buffers(library, dont_use)[-KINDS:]:
        into = cell.inputs[0].capacitance
        low, high = 4 * into, 12 * into
        slew = delay_of(cell, 0.0, low)
        ends = [delay_of(cell, slew, load) for load in (low, high)]
        by_pf = (ends[1] - ends[0]) / (high - low)
        most = cell.outputs[0].max_capacitance or float("inf")
        found.append(Repeater(cell, max(ends[0] - by_pf * low, 0.0), by_pf, into, most))
    return tuple(found)


def best_distance(kind: Repeater, metal: Metal) -> float:
    """Between two buffers of a long wire, in um."""
    rc = metal.ohm_per_um * metal.ff_per_um * 1e-6  # ns by um2
    return sqrt(2 * (kind.delay + kind.by_pf * kind.into) / rc)


@dataclass(eq=False)
class _Work:
    bound: Bound
    wires: PlacedWires
    placement: Placement
    graph: TimingGraph
    period: float
    kinds: tuple[Repeater, ...]

    def __post_init__(self) -> None:
        metal = self.wires.metal
        self.kohm, self.pf = metal.ohm_per_um / 1000, metal.ff_per_um / 1000
        self.step = min(best_distance(kind, metal) for kind in self.kinds) / 3
        self.worth = WORTH * self.period
        self.late = Late(self.graph, self.period)
        self.table: PinTable = self.wires.pins

    def changed(self) -> tuple[Module, Placement] | None:
        found = [self._best(first, last) for first, last in self._nets()]
        gains = [one for one in found if one is not None]
        return self._applied(gains) if gains else None

    def _nets(self) -> Iterator[tuple[int, int]]:
        """First and last pin of the nets that are late, but for clocks."""
        import numpy as np

        bound, table = self.bound, self.table
        slack = self.late.wanted - self.graph.arrival
        slack[~np.isfinite(slack)] = np.inf
        late = (
            np.minimum(slack[0 : 2 * bound.net_count : 2], slack[1 : 2 * bound.net_count : 2]) < 0
        )
        late[bound.clock_nets] = False
        self.late.into = defaultdict(list)
        for arc in np.flatnonzero(late[self.graph.arcs.sink // 2]):
            self.late.into[int(self.graph.arcs.sink[arc]) // 2].append(int(arc))
        self.slack = self._slacks()
        begins = np.flatnonzero(np.diff(table.net, prepend=-1))
        ends = np.append(begins[1:], table.net.size)
        for first, end in zip(begins.tolist(), ends.tolist(), strict=True):
            if late[table.net[first]] and end - first > 1 and table.drives[first]:
                yield first, end

    def _slacks(self) -> Floats:
        """By pin: the time that it has to spare, where its cell has none left over."""
        import numpy as np

        bound, table, graph, late = self.bound, self.table, self.graph, self.late
        firsts = np.array([group.first for group in bound.groups])
        cells = np.where(table.group >= 0, firsts[table.group] + table.row, -1)
        many = int(cells.max(initial=0)) + 2
        keys = table.net * many + cells + 1
        order = np.argsort(keys, kind="stable")
        least = np.full(keys.size, np.inf)

        def note(nets: NDArray[np.int64], of: NDArray[np.int64], left: Floats) -> None:
            wanted = nets * many + of + 1
            at = np.searchsorted(keys, wanted, sorter=order)
            at = np.minimum(at, keys.size - 1)
            same = keys[order[at]] == wanted
            np.minimum.at(least, order[at[same]], left[same])

        arcs = graph.arcs
        own = np.flatnonzero(arcs.source != graph.clock_node)
        left = late.wanted[arcs.sink] - graph.delay - graph.arrival[arcs.source]
        left[~np.isfinite(left)] = np.inf
        note(arcs.source[own] // 2, arcs.cell[own], left[own])
        checks = graph.checks
        left = self.period - graph.setup - graph.arrival[checks.node] - checks.wire
        note(checks.node // 2, checks.cell, np.where(np.isfinite(left), left, np.inf))
        nodes = graph.output_nodes
        left = self.period - graph.output_wires - graph.arrival[nodes]
        note(nodes // 2, np.full(nodes.size, -1), np.where(np.isfinite(left), left, np.inf))
        # Of a cell that reads a net with two pins each has the less of both.
        starts = np.flatnonzero(np.diff(keys[order], prepend=-1))
        if order.size:
            run = np.minimum.reduceat(least[order], starts)
            least[order] = np.repeat(run, np.diff(np.append(starts, order.size)))
        found: Floats = np.minimum(least, self.period)  # of a pin at which no path goes on, too
        return found

    def _best(self, first: int, end: int) -> _Found | None:
        """The best that can be made of a net; None where no buffer gains enough."""
        import numpy as np

        table, trees = self.table, self.wires.trees
        net = int(table.net[first])
        slack = np.maximum(self.slack[first:end], -ALIKE * self.period)
        slack = np.where(slack > 0, SPARE * slack, slack)
        worst = float(slack[1:].min())
        wire = float(self.wires.length[net]) * self.pf
        load = wire + float(table.capacitance[first + 1 : end].sum())
        late = float(trees.delay[first + 1 : end].max())
        by_pf = self._driver(net, load)
        # Hardly any buffer gains here; one that keeps a side branch's load off a slow pin might.
        if late + by_pf * load < min(kind.delay + by_pf * kind.into for kind in self.kinds):
            return None
        tree = Tree.of(table.x[first:end], table.y[first:end])
        ways: dict[int, list[Way]] = {}
        for pin in reversed(tree.order):
            own = [] if pin == 0 else [
                Way(float(table.capacitance[first + pin]),
                    float(slack[pin] + trees.delay[first + pin]), None)
            ]  # fmt: skip
            for child in tree.children[pin]:
                above = self._along(ways.pop(child), child, tree, by_pf)
                own = _joined(own, above) if own else above
            ways[pin] = own
        best = max(ways[0], key=lambda way: way.slack - by_pf * way.load)
        gain = best.slack - by_pf * (best.load - load) - worst
        if best.chosen is None or gain <= self.worth:
            return None
        return _Found(first, tree, tuple(_buffers(best.chosen)))

    def _driver(self, net: int, load: float) -> float:
        """What a net's driver is later by, by pF; that of a buffer where a port drives it."""
        if not self.late.into.get(net):
            return self.kinds[-1].by_pf
        more = max(0.1 * load, 1e-4)
        return max(0.0, self.late.change(self.late.into[net], more) / more)

    def _along(self, ways: list[Way], pin: int, tree: Tree, by_pf: float) -> list[Way]:
        """From a pin to the one before it on the way from the driver."""
        wire, far = tree.wire[pin], tree.far[pin]
        by_pf = max(by_pf, *(kind.by_pf for kind in self.kinds))
        pieces = max(1, ceil(wire / self.step))
        piece = wire / pieces
        if wire > self.step / 4:
            ways = self._buffered(ways, pin, 0.0, by_pf + self.kohm * far)
        for number in range(1, pieces + 1):
            more, own = piece * self.pf, piece * self.kohm
            ways = [
                Way(way.load + more, way.slack - own * (more / 2 + way.load), way.chosen)
                for way in ways
            ]
            above = number * piece
            ways = self._buffered(ways, pin, above, by_pf + self.kohm * (far - above))
        return ways

    def _buffered(self, ways: list[Way], pin: int, above: float, by_pf: float) -> list[Way]:
        """The same, and with a buffer at this point, if it may be worth it: what is before it gains
        `by_pf` at most with less to drive."""
        more = []
        for number, kind in enumerate(self.kinds):
            fits = [
                way for way in ways
                if way.load <= kind.most and (way.load - kind.into) * by_pf >= self.worth
            ]  # fmt: skip
            if fits:
                best = max(fits, key=lambda way: way.slack - kind.by_pf * way.load)
                slack = best.slack - kind.delay - kind.by_pf * best.load - self.worth
                chosen = ("buffer", (number, pin, above), best.chosen)
                more.append(Way(kind.into, slack, chosen))
        return _pruned([*ways, *more])

    def _applied(self, found: list[_Found]) -> tuple[Module, Placement]:
        bound, table = self.bound, self.table
        module = bound.module
        cells, spots = dict(module.cells), dict(self.placement.cells)
        names = dict(module.net_names)
        bits = {name: list(port.bits) for name, port in module.ports.items()}
        outputs = port_bits(bound, "output")
        free, count = module.free_net(), 0
        bit_of = {net: bit for bit, net in bound.net_of_bit.items()}
        for one in found:
            bit = bit_of[int(table.net[one.first])]
            label = names.get(bit, f"net{bit}") if isinstance(bit, int) else ""
            on_edge: dict[int, list[tuple[float, int]]] = defaultdict(list)
            for kind, pin, above in one.buffers:
                on_edge[pin].append((above, kind))
            net_at = {0: bit}
            for pin in one.tree.order[1:]:
                now = net_at[one.tree.before[pin]]
                for above, kind in sorted(on_edge[pin], reverse=True):
                    while f"{PREFIX}{count}" in cells:
                        count += 1
                    name, cell = f"{PREFIX}{count}", self.kinds[kind].cell
                    into, out = cell.inputs[0].name, cell.outputs[0].name
                    cells[name] = Cell(type=cell.name, connections={into: (now,), out: (free,)})
                    spots[name] = self._spot(one, pin, above)
                    names[free] = f"{label}.{name}"
                    now, free = free, free + 1
                net_at[pin] = now
                if now == bit:
                    continue
                at = one.first + pin
                row = int(table.row[at])
                if table.group[at] < 0:
                    port, n = outputs[row]
                    bits[port][n] = now
                    continue
                group = bound.groups[int(table.group[at])]
                name = group.names[row]
                own = {**cells[name].connections, group.pins[int(table.column[at])]: (now,)}
                cells[name] = replace(cells[name], connections=own)
        ports = {n: replace(port, bits=tuple(bits[n])) for n, port in module.ports.items()}
        changed = Module(name=module.name, ports=ports, cells=cells, net_names=names)
        return changed, replace(self.placement, cells=spots)

    def _spot(self, one: _Found, pin: int, above: float) -> Spot:
        """So far above a pin on the way to the one before it: a wire leaves that along x."""
        table, before = self.table, one.first + one.tree.before[pin]
        x, y = float(table.x[one.first + pin]), float(table.y[one.first + pin])
        to_x, to_y = float(table.x[before]), float(table.y[before])
        up = min(above, abs(to_y - y))
        y += up if to_y > y else -up
        across = min(above - up, abs(to_x - x))
        return x + (across if to_x > x else -across), y


def _joined(one: list[Way], other: list[Way]) -> list[Way]:
    """What can be had where two branches meet: for each slack the least load of both."""
    found = []
    a, b = 0, 0
    while a < len(one) and b < len(other):
        low, high = one[a], other[b]
        chosen: Chosen = None
        if low.chosen is not None or high.chosen is not None:
            chosen = ("join", low.chosen, high.chosen)
        found.append(Way(low.load + high.load, min(low.slack, high.slack), chosen))
        if low.slack <= high.slack:
            a += 1
        else:
            b += 1
    return _pruned(found)


def _pruned(ways: list[Way]) -> list[Way]:
    """By rising load and slack; none that another is better than in both."""
    found: list[Way] = []
    for way in sorted(ways, key=lambda way: (way.load, -way.slack)):
        if not found or way.slack > found[-1].slack:
            found.append(way)
    return found


def _buffers(chosen: Chosen) -> Iterator[tuple[int, int, float]]:
    """Kind, pin and distance of each buffer that was chosen."""
    left = [chosen]
    while left:
        one = left.pop()
        if one is None:
            continue
        what, first, second = one
        if what == "buffer":
            yield first  # type: ignore[misc]
            left.append(second)  # type: ignore[arg-type]
        else:
            left += [first, second]  # type: ignore[list-item]


__all__ = ["PREFIX", "Repeater", "best_distance", "repeaters", "with_repeaters"]
