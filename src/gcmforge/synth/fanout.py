# SPDX-License-Identifier: Apache-2.0
"""Buffer trees for nets that run through several modules, and for what no cell could drive.

ABC buffers and sizes within a module; what a net meets in the modules that it goes on to is not
seen there. An enable of all pipeline stages would be driven by one small gate. Here such nets get
trees of buffers, from the innermost modules outwards, so that nothing has to drive more than a
share of what a buffer can. So does a net within a module that ABC left with more than its cell's
max_capacitance: it gives up on a register that thousands of gates read. So does an input of a
module: ABC takes it for as strong as it has to be, and outside one buffer alone could be put before
it. Clocks are ideal and get none, but a clock gate is made as often as it takes for what it drives.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from math import inf

from gcmforge.netlist.functions import function_inputs
from gcmforge.netlist.library import LibCell, Library
from gcmforge.netlist.netlist import Bit, Cell, Module, Netlist
from gcmforge.sta.bound import is_buffer

FAN_OUT = 10
"""A buffer's load is at most that many of its own inputs."""
WEAKEST = 3
"""A cell may be loaded so many times as much as a buffer of its max_capacitance."""

Pin = tuple[str, str, int]
"""Instance, pin, index of the bit."""


def buffered(netlist: Netlist, library: Library, dont_use: Sequence[str] = ()) -> Netlist:
    """The same design with buffer trees; itself where the library has no buffer. Of cells that a
    pattern in `dont_use` names none is put in.

    Nets that enter no module's instance have been buffered already and are left, unless they are
    above what their cell may drive, or what a buffer may where they are inputs.
    """
    buffers = plain_buffers(library, dont_use)
    if not buffers:
        return netlist
    work = _Work(library=library, buffers=buffers)
    modules = dict(netlist.modules)
    for name in netlist.children_first():
        modules[name] = work.module(modules[name])
    return Netlist(modules=modules, top=netlist.top)


def plain_buffers(library: Library, dont_use: Sequence[str]) -> tuple[LibCell, ...]:
    """Plain buffers, the strongest last."""
    found = [
        cell
        for cell in library.cells.values()
        if is_buffer(cell) and not cell.dont_use and not unused(cell, dont_use)
    ]
    return tuple(sorted(found, key=_strength))


def unused(cell: LibCell, dont_use: Sequence[str]) -> bool:
    """Whether one of the patterns names it."""
    return any(fnmatchcase(cell.name, one) for one in dont_use)


def weakest(buffers: Sequence[LibCell], load: float) -> LibCell:
    """Of plain buffers the weakest that may drive so many pF, the strongest where none may."""
    drives = (b for b in buffers if FAN_OUT * b.inputs[0].capacitance >= load)
    return next(drives, buffers[-1])


def _strength(buffer: LibCell) -> tuple[float, float, str]:
    drives = buffer.outputs[0].max_capacitance or 0.0
    return drives, buffer.inputs[0].capacitance, buffer.name


@dataclass(frozen=True, slots=True)
class _Inputs:
    """What a module shows to whoever drives its inputs: load in pF and whether it is a clock."""

    load: Mapping[tuple[str, int], float]
    clocks: frozenset[tuple[str, int]]


@dataclass(eq=False)
class _Work:
    library: Library
    buffers: tuple[LibCell, ...]
    inputs: dict[str, _Inputs] = field(default_factory=dict)
    """Of the modules that are done."""
    outputs: dict[str, dict[tuple[str, int], float]] = field(default_factory=dict)
    """What drives them there may drive, in pF."""

    def module(self, module: Module) -> Module:
        """The module with its trees; what its inputs and outputs are is remembered."""
        module = self._with_gates(module)
        sinks: dict[int, list[tuple[Pin, float]]] = {}
        clocks: set[Bit] = set()
        inner: set[int] = set()
        for pin, bit, load, clock, enters in self._sinks(module):
            sinks.setdefault(bit, []).append((pin, load))
            if clock:
                clocks.add(bit)
            if enters:
                inner.add(bit)
        trees = _Trees(self.buffers, module)
        limits = self._limits(module)
        ports = {
            (name, index): bit
            for name, port in module.ports.items()
            if port.direction == "input"
            for index, bit in enumerate(port.bits)
            if isinstance(bit, int)
        }
        most = limits | dict.fromkeys(ports.values(), self._root(None))
        loads = {}
        for bit, found in sinks.items():
            load = sum(one for _, one in found)
            if bit not in clocks and (bit in inner or load > most.get(bit, inf)):
                loads[bit] = trees.net(bit, found, self._root(limits.get(bit)))
            else:
                loads[bit] = load
        self.inputs[module.name] = _Inputs(
            load={at: loads.get(bit, 0.0) for at, bit in ports.items()},
            clocks=frozenset(at for at, bit in ports.items() if bit in clocks),
        )
        return trees.module()

    def _root(self, limit: float | None) -> float:
        """What a net of a cell with that max_capacitance is loaded with at most, in pF."""
        strongest = self.buffers[-1]
        most = FAN_OUT * strongest.inputs[0].capacitance
        own = strongest.outputs[0].max_capacitance
        return most if not own or limit is None else min(most, WEAKEST * most * limit / own)

    def _limits(self, module: Module) -> dict[int, float]:
        """What the cell that drives a net, here or in a module below, may drive, in pF, where its
        library says so; the module's own outputs are remembered."""
        found: dict[int, float] = {}
        for cell in module.cells.values():
            lib = self.library.cells.get(cell.type)
            for pin, bits in cell.connections.items():
                for index, bit in enumerate(bits):
                    if lib is None:
                        limit = self.outputs.get(cell.type, {}).get((pin, index))
                    elif lib.pins[pin].direction == "output":
                        limit = lib.pins[pin].max_capacitance
                    else:
                        limit = None
                    if limit is not None and isinstance(bit, int):
                        found[bit] = limit
        self.outputs[module.name] = {
            (name, index): found[driven]
            for name, port in module.ports.items()
            if port.direction == "output"
            for index, driven in enumerate(port.bits)
            if isinstance(driven, int) and driven in found
        }
        return found

    def _with_gates(self, module: Module) -> Module:
        """The module with each clock gate as often as its flip-flops take."""
        gates = {
            name: cell
            for name, cell in module.cells.items()
            if cell.type in self.library.cells and self.library.cells[cell.type].clock_gate
        }
        if not gates:
            return module
        sinks: dict[int, list[tuple[Pin, float]]] = {}
        for pin, bit, load, _, _ in self._sinks(module):
            sinks.setdefault(bit, []).append((pin, load))
        copies = _Trees(self.buffers, module)
        for name, cell in gates.items():
            (output,) = self.library.cells[cell.type].outputs
            (net,) = cell.connections[output.name]
            if output.max_capacitance and isinstance(net, int):
                copies.repeat(name, output.name, net, sinks.get(net, []), output.max_capacitance)
        return copies.module()

    def _sinks(self, module: Module) -> Iterator[tuple[Pin, int, float, bool, bool]]:
        """(pin, net, load, is a clock, enters a module) of everything that a net drives."""
        for instance, cell in module.cells.items():
            lib = self.library.cells.get(cell.type)
            inner = self.inputs.get(cell.type)
            for pin, bits in cell.connections.items():
                for index, bit in enumerate(bits):
                    if not isinstance(bit, int):
                        continue
                    at = (instance, pin, index)
                    if lib is not None:
                        found = lib.pins[pin]
                        if found.direction == "input":
                            yield at, bit, found.capacitance, _clocks(lib, pin), False
                    elif inner is not None and (pin, index) in inner.load:
                        key = (pin, index)
                        yield at, bit, inner.load[key], key in inner.clocks, True


def _clocks(cell: LibCell, pin: str) -> bool:
    if cell.clock_gate:
        return cell.pins[pin].clock
    return cell.flip_flop is not None and pin in function_inputs(cell.flip_flop.clock)


@dataclass(eq=False)
class _Trees:
    """One module while its nets are split."""

    buffers: tuple[LibCell, ...]
    original: Module
    moved: dict[Pin, int] = field(default_factory=dict)
    added: dict[str, Cell] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    next_net: int = 0

    def __post_init__(self) -> None:
        self.next_net = self.original.free_net()

    def net(self, bit: int, sinks: list[tuple[Pin, float]], root: float) -> float:
        """Split a net until it drives at most `root`; the load that is left on it, in pF."""
        most = FAN_OUT * self.buffers[-1].inputs[0].capacitance
        left = sinks
        while sum(load for _, load in left) > root and len(left) > 1:
            groups = list(_groups(left, most))
            lighter = sum(self._buffer(group).inputs[0].capacitance for group in groups)
            if lighter >= sum(load for _, load in left):
                break
            left = [self._add(bit, group) for group in groups]
        return sum(load for _, load in left)

    def repeat(
        self, name: str, output: str, bit: int, sinks: list[tuple[Pin, float]], most: float
    ) -> None:
        """A cell as often as it takes for none to drive more than `most`; the first is there."""
        _, *others = _groups(sinks, most) if sinks else [[]]
        cell = self.original.cells[name]
        for number, group in enumerate(others, 2):
            self._split_off(bit, group, f"{name}_{number}", cell, output)

    def _buffer(self, group: list[tuple[Pin, float]]) -> LibCell:
        """The weakest that may drive the group."""
        return weakest(self.buffers, sum(load for _, load in group))

    def _add(self, bit: int, group: list[tuple[Pin, float]]) -> tuple[Pin, float]:
        """A buffer for a group of sinks: its input pin and load, on the net itself until that is
        moved."""
        buffer = self._buffer(group)
        into, out = buffer.inputs[0], buffer.outputs[0]
        name = f"fan_out_{len(self.added) + 1}"
        cell = Cell(type=buffer.name, connections={into.name: (bit,)})
        self._split_off(bit, group, name, cell, out.name)
        return (name, into.name, 0), into.capacitance

    def _split_off(
        self, bit: int, group: list[tuple[Pin, float]], name: str, cell: Cell, output: str
    ) -> None:
        """One more cell, on whose output the group is from now on instead of the net."""
        net = self.next_net
        self.next_net += 1
        self.moved |= {pin: net for pin, _ in group}
        self.added[name] = Cell(type=cell.type, connections={**cell.connections, output: (net,)})
        self.names[net] = f"{self.original.net_name(bit)}.{name}"

    def module(self) -> Module:
        """The module as it is now."""
        if not self.added:
            return self.original
        cells = {**self.original.cells, **self.added}
        for (instance, pin, index), net in self.moved.items():
            cell = cells[instance]
            bits = list(cell.connections[pin])
            bits[index] = net
            cells[instance] = Cell(
                type=cell.type, connections={**cell.connections, pin: tuple(bits)}
            )
        return Module(
            name=self.original.name,
            ports=self.original.ports,
            cells=cells,
            net_names={**self.original.net_names, **self.names},
        )


def _groups(sinks: list[tuple[Pin, float]], most: float) -> Iterator[list[tuple[Pin, float]]]:
    """Sinks in turn, as many together as one buffer may drive."""
    group: list[tuple[Pin, float]] = []
    load = 0.0
    for pin, own in sinks:
        if group and load + own > most:
            yield group
            group, load = [], 0.0
        group.append((pin, own))
        load += own
    if group:
        yield group
