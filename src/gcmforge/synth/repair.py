# SPDX-License-Identifier: Apache-2.0
"""The slowest paths of a whole design, mended by buffers and stronger cells.

ABC maps and sizes a module by itself: what its outputs drive in other modules is not known there,
a gate inside may read a net that then turns out to be heavy, and a path that is slow in the design
may not be so in its module. Here the whole design is timed, and where the slowest paths pass a net

- those of its readers that have time to spare get a buffer of their own, or all of them, where a
  buffer drives them so much better;
- or what drives it is replaced by a stronger cell of the same function, where that gains more than
  its inputs cost the cells before it;
- or a reader behind a buffer moves before it.

Done again on the design that comes out, as long as its slowest path gets shorter. No gate changes
what it computes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from gcmforge.netlist.liberty import LibCell, Library
from gcmforge.netlist.netlist import Bit, Cell, Module, Netlist
from gcmforge.sta.bound import TableStack, bind
from gcmforge.sta.timing import TimingGraph, arc_edges
from gcmforge.synth.fanout import plain_buffers, unused, weakest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Means: TypeAlias = Literal["buffer", "cell", "move"]
ALL: tuple[Means, ...] = ("buffer", "cell", "move")
TRIALS: tuple[tuple[float, tuple[Means, ...]], ...] = (
    (0.08, ALL), (0.02, ALL), (0.005, ALL), (0.02, ("buffer",)), (0.005, ("buffer",)),
    (0.02, ("cell",)),
)  # fmt: skip
"""A pass is after a slowest path that is shorter by this part, with these means: the first trial
that gains enough is taken. What is done for one net can cost another: the less, the fewer."""
WORTH = 0.003
"""What a pass has to gain, as a part of the slowest path; where no trial does it was the last."""
PASSES = 12
FEW = 4
"""Modules with more instances are left as they are: a buffer would be there in each of them."""
SMALL = 0.002
"""What a stronger cell or a reader's move has to gain, as a part of the period; a buffer more."""


def repaired(
    netlist: Netlist,
    library: Library,
    *,
    driving_cell: str = "",
    load_ff: float = 0.0,
    clock_ns: float = 0.0,
    dont_use: Sequence[str] = (),
    passes: int = PASSES,
) -> Netlist:
    """The same design, mended; itself where nothing helps, or once `clock_ns` is met."""
    buffers = plain_buffers(library, dont_use)
    if not buffers:
        return netlist
    work = _Repair(
        library=library,
        buffers=buffers,
        stronger=_Stronger(library, dont_use),
        driving_cell=driving_cell,
        load_ff=load_ff,
    )
    graph = work.graph(netlist)
    worst = graph.critical_path_ns()
    for _ in range(passes):
        least = max(clock_ns, (1 - WORTH) * worst)
        if worst <= clock_ns or work.once(netlist, graph, least, ALL) is netlist:
            break  # nothing is to be done, or can be
        for step, means in TRIALS:
            trial = work.once(netlist, graph, max(clock_ns, (1 - step) * worst), means)
            after = work.graph(trial) if trial is not netlist else graph
            found = after.critical_path_ns()
            if found <= (1 - WORTH) * worst:
                netlist, graph, worst = trial, after, found
                break
        else:
            break
    return netlist


@dataclass(slots=True)
class _Part:
    """What reads a net at one place of its driver's module."""

    load: float = 0.0
    slack: float = float("inf")


Place = tuple[str, str]
"""("cell", its name), ("instance", its name), ("output", "")."""


@dataclass(eq=False)
class _Repair:
    library: Library
    buffers: tuple[LibCell, ...]
    stronger: _Stronger
    driving_cell: str
    load_ff: float
    count: int = 0
    homes: dict[str, tuple[tuple[str, ...], str]] = field(default_factory=dict)
    """Prefix of flat names -> path of instances, module."""
    moved: set[tuple[str, Bit]] = field(default_factory=set)
    """Module and net onto which a reader moved: one at a time, or it gets too much to drive."""

    def graph(self, netlist: Netlist) -> TimingGraph:
        return TimingGraph(
            bind(netlist, self.library), driving_cell=self.driving_cell, load_ff=self.load_ff
        )

    def once(
        self, netlist: Netlist, graph: TimingGraph, period: float, means: Sequence[Means]
    ) -> Netlist:
        """Something for each net that is too slow for the period; the netlist itself if nothing."""
        self.moved = set()
        instances = Counter(module for _, module in netlist.instances())
        self.homes = {".".join(path): (path, module) for path, module in netlist.instances()}
        modules = dict(netlist.modules)
        done: set[tuple[str, int]] = set()
        for net in _Late(graph, period).nets():
            path, name, local = self._home(net.driver, netlist)
            if instances[name] > FEW:
                continue
            (bit,) = netlist.modules[name].cells[local].connections[net.pin]
            if not isinstance(bit, int) or (name, bit) in done:
                continue
            parts: dict[Place, _Part] = defaultdict(_Part)
            for reader, load, slack in net.readers:
                part = parts[self._place(reader, path, netlist)]
                part.load += load
                part.slack = min(part.slack, slack)
            changed = self._mended(net, parts, modules[name], local, bit, means)
            if changed is not modules[name]:
                done.add((name, bit))
                modules[name] = changed
        return Netlist(modules=modules, top=netlist.top) if done else netlist

    def _mended(
        self,
        net: _Net,
        parts: dict[Place, _Part],
        module: Module,
        driver: str,
        bit: int,
        means: Sequence[Means],
    ) -> Module:
        """The module with the net `bit` faster; itself if nothing gains enough."""
        apart = self._apart(net, parts) if "buffer" in means else []
        if apart:
            buffer = self._buffer(sum(parts[place].load for place in apart))
            return self._split(module, bit, apart, buffer)
        cell = module.cells[driver]
        if "cell" in means:
            stronger = self.stronger.best(net, self.library.cells[cell.type])
            if stronger is not None:
                return _with_cell(module, driver, replace(cell, type=stronger.name))
        if "move" not in means or (module.name, bit) in self.moved:
            return module
        return self._moved(net, parts, module, driver, bit)

    def _moved(
        self, net: _Net, parts: dict[Place, _Part], module: Module, driver: str, bit: int
    ) -> Module:
        """The module with the slowest reader of a buffer before it."""
        cell = module.cells[driver]
        buffer = next((b for b in self.buffers if b.name == cell.type), None)
        readers = [place for place in parts if place[0] == "cell"]
        if buffer is None or not readers or bit not in cell.connections[buffer.outputs[0].name]:
            return module
        kind, name = min(readers, key=lambda place: (parts[place].slack, place))
        (before,) = cell.connections[buffer.inputs[0].name]
        gain = net.delay() - net.later(parts[kind, name].load)
        onto = module.name, before
        if not isinstance(before, int) or gain <= SMALL * net.late.period or onto in self.moved:
            return module
        reader = module.cells[name]
        lib = self.library.cells.get(reader.type)
        if lib is None:
            return module
        self.moved.add(onto)
        inputs = {pin.name for pin in lib.inputs}
        moved = {
            pin: tuple(before if b == bit and pin in inputs else b for b in own)
            for pin, own in reader.connections.items()
        }
        return _with_cell(module, name, replace(reader, connections=moved))

    def _home(self, flat: str, netlist: Netlist) -> tuple[tuple[str, ...], str, str]:
        """Path, module and name in it of a flat cell."""
        at = len(flat)
        while True:
            at = flat.rfind(".", 0, at)
            prefix, local = (flat[:at], flat[at + 1 :]) if at >= 0 else ("", flat)
            found = self.homes.get(prefix)
            if found and local in netlist.modules[found[1]].cells:
                return *found, local
            assert at >= 0, flat

    def _place(self, flat: str, path: tuple[str, ...], netlist: Netlist) -> Place:
        if not flat:  # an output of the design
            return "output", ""
        inside, _, local = self._home(flat, netlist)
        if inside == path:
            return "cell", local
        if inside[: len(path)] == path:
            return "instance", inside[len(path)]
        return "output", ""

    def _apart(self, net: _Net, parts: dict[Place, _Part]) -> list[Place]:
        """The readers that go behind a buffer: those that can wait for it, or all of them where it
        drives them so much better; none if it gains nothing."""
        waiting = self._waiting(net, parts)
        if waiting and self._gain(net, parts, waiting) > net.worth:
            return waiting
        everyone = list(parts)
        delay = self._delay(net, parts, everyone)
        return everyone if self._gain(net, parts, everyone) - delay > net.worth else []

    def _waiting(self, net: _Net, parts: dict[Place, _Part]) -> list[Place]:
        """Those that are in time behind one buffer; what drives it is faster then."""
        can = [place for place, part in parts.items() if part.slack > 0.0]
        while can:
            later = self._delay(net, parts, can) - self._gain(net, parts, can)
            slow = [place for place in can if parts[place].slack > later]
            if len(slow) == len(can):
                return can
            can = slow
        return []

    def _gain(self, net: _Net, parts: dict[Place, _Part], apart: list[Place]) -> float:
        """Of what stays on the net, or of the buffer's input."""
        load = sum(parts[place].load for place in apart)
        return net.gain(load - self._buffer(load).inputs[0].capacitance)

    def _delay(self, net: _Net, parts: dict[Place, _Part], apart: list[Place]) -> float:
        load = sum(parts[place].load for place in apart)
        return _delay(self._buffer(load), net.slew, load)

    def _buffer(self, load: float) -> LibCell:
        return weakest(self.buffers, load)

    def _split(self, module: Module, bit: int, apart: list[Place], buffer: LibCell) -> Module:
        """The module with those places on a net of their own."""
        self.count += 1
        net = module.free_net()
        name = f"apart_{self.count}"
        cells = dict(module.cells)
        for kind, place in apart:
            if kind == "output":
                continue
            cell = cells[place]
            lib = self.library.cells.get(cell.type)
            moved = {
                pin: tuple(net if b == bit else b for b in own)
                if lib is None or lib.pins[pin].direction == "input"
                else own
                for pin, own in cell.connections.items()
            }
            cells[place] = Cell(type=cell.type, connections=moved)
        into, out = buffer.inputs[0].name, buffer.outputs[0].name
        cells[name] = Cell(type=buffer.name, connections={into: (bit,), out: (net,)})
        ports = module.ports
        if ("output", "") in apart:
            ports = {
                key: replace(port, bits=tuple(net if b == bit else b for b in port.bits))
                if port.direction == "output"
                else port
                for key, port in ports.items()
            }
        names = {**module.net_names, net: f"{module.net_name(bit)}.{name}"}
        return Module(name=module.name, ports=ports, cells=cells, net_names=names)


def _delay(buffer: LibCell, slew: float, load: float) -> float:
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


def _with_cell(module: Module, name: str, cell: Cell) -> Module:
    return replace(module, cells={**module.cells, name: cell})


class _Stronger:
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

    def best(self, net: _Net, cell: LibCell) -> LibCell | None:
        """The one that gains most as the net's driver, if any gains enough."""
        found = [(self._gain(net, cell, other), other) for other in self.alike.get(cell.name, ())]
        gain, best = max(found, key=lambda one: one[0], default=(0.0, None))
        return best if gain > SMALL * net.late.period else None

    def _gain(self, net: _Net, cell: LibCell, other: LibCell) -> float:
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
        slew, load = graph.slew[graph.arcs.source[arcs]], graph.load[graph.arcs.sink[arcs]]
        delay = self.tables.look_up(tables, np.where(slew > -np.inf, slew, 0.0), load)
        start = graph.arrival[graph.arcs.source[arcs]]
        return float((start + graph.delay[arcs]).max() - (start + delay + np.array(later)).max())


@dataclass(slots=True)
class _Net:
    """A net that is too slow: its driver, its readers with (flat cell, load, slack), its slew."""

    driver: str
    pin: str
    slew: float
    readers: list[tuple[str, float, float]]
    late: _Late
    arcs: list[int]
    worth: float

    def gain(self, less: float) -> float:
        """What its driver gains with so much less to drive, at its slowest edge."""
        return -self.late.change(self.arcs, -less) if less > 0 else 0.0

    def delay(self) -> float:
        """What its driver adds to the slowest edge."""
        graph = self.late.graph
        sources = graph.arcs.source[self.arcs]
        ends = graph.arrival[sources] + graph.delay[self.arcs]
        return float(ends.max() - graph.arrival[sources].max())

    def later(self, more: float) -> float:
        """By how much what drives its driver is later with so much more to drive."""
        sources = {int(source) // 2 for source in self.late.graph.arcs.source[self.arcs]}
        return max(self.late.later(source, more) for source in sources)


class _Late:
    """What does not reach its end within a period."""

    def __init__(self, graph: TimingGraph, period: float) -> None:
        import numpy as np

        self.graph = graph
        self.period = period
        wanted = np.full(graph.clock_node + 1, np.inf)
        np.minimum.at(wanted, graph.checks.node, period - graph.setup)
        np.minimum.at(wanted, graph.output_nodes, period)
        arcs = graph.arcs
        for low, high in reversed(list(graph.level_ranges())):
            np.minimum.at(
                wanted, arcs.source[low:high], wanted[arcs.sink[low:high]] - graph.delay[low:high]
            )
        self.wanted = wanted
        self.into: dict[int, list[int]] = defaultdict(list)
        """Arcs into each net that is late."""

    def change(self, arcs: list[int], more: float) -> float:
        """By how much the net that these arcs end at is later with so much more on it."""
        import numpy as np

        graph, own = self.graph, np.array(arcs)
        slew = graph.slew[graph.arcs.source[own]]
        slew = np.where(slew > -np.inf, slew, 0.0)
        load = graph.load[graph.arcs.sink[own]] + more
        new = graph.tables.look_up(graph.arcs.delay_table[own], slew, load)
        start = graph.arrival[graph.arcs.source[own]]
        return float((start + new).max() - (start + graph.delay[own]).max())

    def later(self, net: int, more: float) -> float:
        """The same of a net; 0 of one that has time."""
        return self.change(self.into[net], more) if net in self.into else 0.0

    def nets(self) -> Iterator[_Net]:
        """The worst first."""
        import numpy as np

        graph, arcs, bound = self.graph, self.graph.arcs, self.graph.bound
        slack = self.wanted - graph.arrival
        slack[~np.isfinite(slack)] = np.inf
        by_net = np.minimum(slack[0 : 2 * bound.net_count : 2], slack[1 : 2 * bound.net_count : 2])
        late = np.flatnonzero(by_net < 0)
        is_late = np.zeros(bound.net_count, dtype=np.bool_)
        is_late[late] = True
        into = self.into
        for arc in np.flatnonzero(is_late[arcs.sink // 2]):
            into[int(arcs.sink[arc]) // 2].append(int(arc))
        least: dict[tuple[int, int], float] = defaultdict(lambda: float("inf"))
        source = np.minimum(arcs.source // 2, bound.net_count - 1)
        own = arcs.source != graph.clock_node
        for arc in np.flatnonzero(is_late[source] & own):
            net, cell = int(arcs.source[arc]) // 2, int(arcs.cell[arc])
            left = self.wanted[arcs.sink[arc]] - graph.delay[arc] - graph.arrival[arcs.source[arc]]
            least[net, cell] = min(least[net, cell], float(left))
        for check in np.flatnonzero(is_late[graph.checks.node // 2]):
            node, cell = int(graph.checks.node[check]), int(graph.checks.cell[check])
            left = self.period - graph.setup[check] - graph.arrival[node]
            least[node // 2, cell] = min(least[node // 2, cell], float(left))
        readers = self._readers(is_late)
        outputs = set(bound.outputs.tolist())
        for net in sorted(late.tolist(), key=lambda n: by_net[n]):
            if net not in into:
                continue
            (driver,) = {int(arcs.cell[arc]) for arc in into[net]}
            found = [(bound.instance(cell), load, least[net, cell]) for cell, load in readers[net]]
            if net in outputs:
                out = self.period - float(graph.arrival[2 * net : 2 * net + 2].max())
                found.append(("", graph.load_ff / 1000, out))
            slews = graph.slew[2 * net : 2 * net + 2]
            yield _Net(
                driver=bound.instance(driver),
                pin=graph.kinds[int(arcs.kind[into[net][0]])].to_pin,
                slew=float(max(0.0, slews.max())),
                readers=found,
                late=self,
                arcs=into[net],
                worth=0.01 * self.period,
            )

    def _readers(self, is_late: NDArray[np.bool_]) -> dict[int, list[tuple[int, float]]]:
        """(cell, load of its pin) by net, of the nets that are late."""
        found: dict[int, list[tuple[int, float]]] = defaultdict(list)
        for group in self.graph.bound.groups:
            for column, name in enumerate(group.pins):
                pin = group.cell.pins[name]
                if pin.direction != "input":
                    continue
                nets = group.nets[:, column]
                for row in (nets >= 0).nonzero()[0][is_late[nets[nets >= 0]]]:
                    found[int(nets[row])].append((group.first + int(row), pin.capacitance))
        return found
