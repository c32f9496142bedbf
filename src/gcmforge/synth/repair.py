# SPDX-License-Identifier: Apache-2.0
"""The slowest paths of a whole design, mended by buffers and stronger cells.

ABC maps and sizes a module by itself: what its outputs drive in other modules is not known there,
a gate inside may read a net that then turns out to be heavy, and a path that is slow in the design
may not be so in its module. Here the whole design is timed, and where the slowest paths pass a net

- those of its readers that have time to spare get a buffer of their own, or all of them, where a
  buffer drives them so much better;
- or what drives it is replaced by a stronger cell of the same function, where that gains more than
  its inputs cost the cells before it;
- or a reader after a buffer moves before it.

Done again on the design that comes out, as long as its slowest path gets shorter. No gate changes
what it computes.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

from gcmforge.netlist.library import LibCell, Library
from gcmforge.netlist.netlist import Bit, Cell, Module, Netlist, Port
from gcmforge.sta.bound import Bound, bind
from gcmforge.sta.graph import TimingGraph
from gcmforge.sta.wires import Wires
from gcmforge.synth.fanout import plain_buffers, weakest
from gcmforge.synth.late import Late, Net
from gcmforge.synth.stronger import SMALL, Stronger, delay_of

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


def repaired(
    netlist: Netlist,
    library: Library,
    *,
    driving_cell: str = "",
    load_ff: float = 0.0,
    clock_ns: float = 0.0,
    dont_use: Sequence[str] = (),
    passes: int = PASSES,
    trials: Sequence[tuple[float, Sequence[Means]]] | None = None,
    wires: Callable[[Bound], Wires] | None = None,
    clock_slew_ns: float = 0.0,
) -> Netlist:
    """The same design, mended; itself where nothing helps, or once `clock_ns` is met. `trials` are
    TRIALS, or those of them that are to be made; `wires` those of a bound design that was
    placed."""
    buffers = plain_buffers(library, dont_use)
    if not buffers:
        return netlist
    work = _Repair(
        library=library,
        buffers=buffers,
        stronger=Stronger(library, dont_use),
        driving_cell=driving_cell,
        load_ff=load_ff,
        clock_slew_ns=clock_slew_ns,
        wires=wires,
    )
    graph = work.graph(netlist)
    worst = graph.critical_path_ns()
    for _ in range(passes):
        if worst <= clock_ns:
            break
        for step, means in trials or TRIALS:
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
class _Draft:
    """A module whose cells are changed in place: each change of a Module would copy all of them."""

    name: str
    ports: Mapping[str, Port]
    cells: dict[str, Cell]
    net_names: dict[int, str]

    @classmethod
    def of(cls, module: Module) -> _Draft:
        return cls(module.name, module.ports, dict(module.cells), dict(module.net_names))

    def module(self) -> Module:
        return Module(name=self.name, ports=self.ports, cells=self.cells, net_names=self.net_names)


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
    stronger: Stronger
    driving_cell: str
    load_ff: float
    clock_slew_ns: float = 0.0
    wires: Callable[[Bound], Wires] | None = None
    count: int = 0
    homes: dict[str, tuple[tuple[str, ...], str]] = field(default_factory=dict)
    """Prefix of flat names -> path of instances, module."""
    free: dict[str, int] = field(default_factory=dict)
    """By module the next net's number: above all that it has, and none twice in all turns."""
    moved: set[tuple[str, Bit]] = field(default_factory=set)
    """Module and net onto which a reader moved: one at a time, or it gets too much to drive."""

    def graph(self, netlist: Netlist) -> TimingGraph:
        flat = len(netlist.modules) == 1
        bound = bind(netlist.modules[netlist.top] if flat else netlist, self.library)
        return TimingGraph(
            bound, driving_cell=self.driving_cell, load_ff=self.load_ff,
            clock_slew_ns=self.clock_slew_ns, wires=self.wires(bound) if self.wires else None,
        )  # fmt: skip

    def once(
        self, netlist: Netlist, graph: TimingGraph, period: float, means: Sequence[Means]
    ) -> Netlist:
        """Something for each net that is too slow for the period; the netlist itself if nothing."""
        self.moved = set()
        found = list(netlist.instances())
        instances = Counter(module for _, module in found)
        self.homes = {".".join(path): (path, module) for path, module in found}
        drafts: dict[str, _Draft] = {}
        done: set[tuple[str, int]] = set()
        for net in Late(graph, period).nets():
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
            if name not in drafts:
                drafts[name] = _Draft.of(netlist.modules[name])
                if drafts[name].name not in self.free:
                    self.free[drafts[name].name] = netlist.modules[name].free_net()
            if self._mend(net, parts, drafts[name], local, bit, means):
                done.add((name, bit))
        if not done:
            return netlist
        changed = {name: drafts[name].module() for name in {name for name, _ in done}}
        return Netlist(modules={**netlist.modules, **changed}, top=netlist.top)

    def _mend(
        self,
        net: Net,
        parts: dict[Place, _Part],
        module: _Draft,
        driver: str,
        bit: int,
        means: Sequence[Means],
    ) -> bool:
        """Make the net `bit` faster; whether something gains enough."""
        apart = self._apart(net, parts) if "buffer" in means else []
        if apart:
            buffer = self._buffer(sum(parts[place].load for place in apart))
            self._split(module, bit, apart, buffer)
            return True
        cell = module.cells[driver]
        if "cell" in means:
            stronger = self.stronger.best(net, self.library.cells[cell.type])
            if stronger is not None:
                module.cells[driver] = replace(cell, type=stronger.name)
                return True
        if "move" not in means or (module.name, bit) in self.moved:
            return False
        return self._move(net, parts, module, driver, bit)

    def _move(
        self, net: Net, parts: dict[Place, _Part], module: _Draft, driver: str, bit: int
    ) -> bool:
        """Put the slowest reader of a buffer before it, if that gains enough."""
        cell = module.cells[driver]
        buffer = next((b for b in self.buffers if b.name == cell.type), None)
        readers = [place for place in parts if place[0] == "cell"]
        if buffer is None or not readers or bit not in cell.connections[buffer.outputs[0].name]:
            return False
        kind, name = min(readers, key=lambda place: (parts[place].slack, place))
        (before,) = cell.connections[buffer.inputs[0].name]
        gain = net.delay() - net.later(parts[kind, name].load)
        onto = module.name, before
        if not isinstance(before, int) or gain <= SMALL * net.late.period or onto in self.moved:
            return False
        reader = module.cells[name]
        lib = self.library.cells.get(reader.type)
        if lib is None:
            return False
        self.moved.add(onto)
        inputs = {pin.name for pin in lib.inputs}
        moved = {
            pin: tuple(before if b == bit and pin in inputs else b for b in own)
            for pin, own in reader.connections.items()
        }
        module.cells[name] = replace(reader, connections=moved)
        return True

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

    def _apart(self, net: Net, parts: dict[Place, _Part]) -> list[Place]:
        """The readers that go after a buffer: those that can wait for it, or all of them where it
        drives them so much better; none if it gains nothing."""
        waiting = self._waiting(net, parts)
        if waiting and self._gain(net, parts, waiting) > net.worth:
            return waiting
        everyone = list(parts)
        delay = self.delay_of(net, parts, everyone)
        return everyone if self._gain(net, parts, everyone) - delay > net.worth else []

    def _waiting(self, net: Net, parts: dict[Place, _Part]) -> list[Place]:
        """Those that are in time after one buffer; what drives it is faster then."""
        can = [place for place, part in parts.items() if part.slack > 0.0]
        while can:
            later = self.delay_of(net, parts, can) - self._gain(net, parts, can)
            slow = [place for place in can if parts[place].slack > later]
            if len(slow) == len(can):
                return can
            can = slow
        return []

    def _gain(self, net: Net, parts: dict[Place, _Part], apart: list[Place]) -> float:
        """Of what stays on the net, or of the buffer's input."""
        load = sum(parts[place].load for place in apart)
        return net.gain(load - self._buffer(load).inputs[0].capacitance)

    def delay_of(self, net: Net, parts: dict[Place, _Part], apart: list[Place]) -> float:
        load = sum(parts[place].load for place in apart)
        return delay_of(self._buffer(load), net.slew, load)

    def _buffer(self, load: float) -> LibCell:
        return weakest(self.buffers, load)

    def _split(self, module: _Draft, bit: int, apart: list[Place], buffer: LibCell) -> None:
        """Put those places on a net of their own, after a buffer."""
        net = self.free[module.name]
        self.free[module.name] += 1
        self.count += 1
        while f"apart_{self.count}" in module.cells:  # of an earlier repair
            self.count += 1
        name = f"apart_{self.count}"
        for kind, place in apart:
            if kind == "output":
                continue
            cell = module.cells[place]
            lib = self.library.cells.get(cell.type)
            moved = {
                pin: tuple(net if b == bit else b for b in own)
                if lib is None or lib.pins[pin].direction == "input"
                else own
                for pin, own in cell.connections.items()
            }
            module.cells[place] = Cell(type=cell.type, connections=moved)
        into, out = buffer.inputs[0].name, buffer.outputs[0].name
        module.cells[name] = Cell(type=buffer.name, connections={into: (bit,), out: (net,)})
        if ("output", "") in apart:
            module.ports = {
                key: replace(port, bits=tuple(net if b == bit else b for b in port.bits))
                if port.direction == "output"
                else port
                for key, port in module.ports.items()
            }
        module.net_names[net] = f"{module.net_names.get(bit, f'net{bit}')}.{name}"
