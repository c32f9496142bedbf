# SPDX-License-Identifier: Apache-2.0
"""Loads that slow a path down without being on it are put behind buffers.

ABC maps and sizes a module by itself: what its outputs drive in other modules is not known there,
and a gate inside may read a net that then turns out to be heavy. Here the whole design is timed,
and where the slowest paths pass a net, those of its readers that have time to spare get a buffer of
their own; or all of them, where a buffer drives them so much better. Done again on the design that
comes out, as long as its slowest path gets shorter. Nothing but buffers is added.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gcmforge.measure.bound import TableStack, bind
from gcmforge.measure.fanout import plain_buffers, weakest
from gcmforge.measure.liberty import LibCell, Library
from gcmforge.measure.netlist import Cell, Module, Netlist
from gcmforge.measure.timing import TimingGraph

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

STEP = 0.08
"""Each pass is after a slowest path that is shorter by this part."""
WORTH = 0.003
"""A pass that gains less, as a part of the slowest path, is the last one and is not taken."""
PASSES = 6
FEW = 4
"""Modules with more instances are left as they are: a buffer would be there in each of them."""


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
    """The same design with such buffers; itself where none helps, or once `clock_ns` is met."""
    buffers = plain_buffers(library, dont_use)
    if not buffers:
        return netlist
    work = _Repair(library=library, buffers=buffers, driving_cell=driving_cell, load_ff=load_ff)
    graph = work.graph(netlist)
    worst = graph.critical_path_ns()
    for _ in range(passes):
        if worst <= clock_ns:
            break
        trial = work.once(netlist, graph, max(clock_ns, (1 - STEP) * worst))
        if trial is netlist:
            break
        graph = work.graph(trial)
        found = graph.critical_path_ns()
        if found > (1 - WORTH) * worst:
            break
        netlist, worst = trial, found
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
    driving_cell: str
    load_ff: float
    count: int = 0
    homes: dict[str, tuple[tuple[str, ...], str]] = field(default_factory=dict)
    """Prefix of flat names -> path of instances, module."""

    def graph(self, netlist: Netlist) -> TimingGraph:
        return TimingGraph(
            bind(netlist, self.library), driving_cell=self.driving_cell, load_ff=self.load_ff
        )

    def once(self, netlist: Netlist, graph: TimingGraph, period: float) -> Netlist:
        """Buffers for all nets that are too slow for the period; the netlist itself if for none."""
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
            apart = self._apart(net, parts)
            if apart:
                done.add((name, bit))
                buffer = self._buffer(sum(parts[place].load for place in apart))
                modules[name] = self._split(modules[name], bit, apart, buffer)
        return Netlist(modules=modules, top=netlist.top) if done else netlist

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


@dataclass(slots=True)
class _Net:
    """A net that is too slow: its driver, its readers with (flat cell, load, slack), its slew."""

    driver: str
    pin: str
    slew: float
    readers: list[tuple[str, float, float]]
    graph: TimingGraph
    arcs: list[int]
    worth: float

    def gain(self, less: float) -> float:
        """What its driver gains with so much less to drive, at its slowest edge."""
        import numpy as np

        if less <= 0:
            return 0.0
        graph, arcs = self.graph, np.array(self.arcs)
        slew = graph.slew[graph.arcs.source[arcs]]
        slew = np.where(slew > -np.inf, slew, 0.0)
        load = graph.load[graph.arcs.sink[arcs]] - less
        new = graph.tables.look_up(graph.arcs.delay_table[arcs], slew, load)
        start = graph.arrival[graph.arcs.source[arcs]]
        return float((start + graph.delay[arcs]).max() - (start + new).max())


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
        into: dict[int, list[int]] = defaultdict(list)
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
                graph=graph,
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
