# SPDX-License-Identifier: Apache-2.0
"""Buffer trees for nets that run through several modules.

ABC buffers and sizes within a module; what a net meets in the modules that it goes on to is not
seen there. An enable of all pipeline stages would be driven by one small gate. Here such nets get
trees of buffers, from the innermost modules outwards, so that nothing has to drive more than a
share of what a buffer can. Clocks are ideal and get none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from gcmforge.measure.liberty import LibCell, Library, function_inputs, parse_function
from gcmforge.measure.netlist import Bit, Cell, Module, Netlist

FAN_OUT = 10
"""A net's load is at most that many inputs of the buffer."""

Pin = tuple[str, str, int]
"""Instance, pin, index of the bit."""


def buffered(netlist: Netlist, library: Library) -> Netlist:
    """The same design with buffer trees; itself where the library has no buffer.

    Only nets that enter a module's instance are looked at: others have been buffered already.
    """
    buffer = _buffer(library)
    if buffer is None:
        return netlist
    work = _Work(library=library, buffer=buffer)
    modules = dict(netlist.modules)
    for name in netlist.children_first():
        modules[name] = work.module(modules[name])
    return Netlist(modules=modules, top=netlist.top)


def _buffer(library: Library) -> LibCell | None:
    """The buffer of the largest drive, as its area tells, among plain ones."""
    found = [cell for cell in library.cells.values() if _is_buffer(cell)]
    return max(found, key=lambda cell: (cell.area, cell.name), default=None)


def _is_buffer(cell: LibCell) -> bool:
    if cell.dont_use or cell.is_sequential or len(cell.inputs) != 1 or len(cell.outputs) != 1:
        return False
    output = cell.outputs[0]
    if not output.function or output.three_state:
        return False
    return parse_function(output.function) == cell.inputs[0].name


@dataclass(frozen=True, slots=True)
class _Inputs:
    """What a module shows to whoever drives its inputs: load in pF and whether it is a clock."""

    load: Mapping[tuple[str, int], float]
    clocks: frozenset[tuple[str, int]]


@dataclass(eq=False)
class _Work:
    library: Library
    buffer: LibCell
    inputs: dict[str, _Inputs] = field(default_factory=dict)
    """Of the modules that are done."""

    def module(self, module: Module) -> Module:
        """The module with its trees; what its inputs are is remembered."""
        sinks: dict[int, list[tuple[Pin, float]]] = {}
        clocks: set[Bit] = set()
        inner: set[int] = set()
        for pin, bit, load, clock, enters in self._sinks(module):
            sinks.setdefault(bit, []).append((pin, load))
            if clock:
                clocks.add(bit)
            if enters:
                inner.add(bit)
        trees = _Trees(self.buffer, module)
        loads = {
            bit: trees.net(bit, found)
            if bit in inner and bit not in clocks
            else sum(load for _, load in found)
            for bit, found in sinks.items()
        }
        ports = {
            (name, index): bit
            for name, port in module.ports.items()
            if port.direction == "input"
            for index, bit in enumerate(port.bits)
            if isinstance(bit, int)
        }
        self.inputs[module.name] = _Inputs(
            load={at: loads.get(bit, 0.0) for at, bit in ports.items()},
            clocks=frozenset(at for at, bit in ports.items() if bit in clocks),
        )
        return trees.module()

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
    return cell.flip_flop is not None and pin in function_inputs(cell.flip_flop.clock)


@dataclass(eq=False)
class _Trees:
    """One module while its nets are split."""

    buffer: LibCell
    original: Module
    moved: dict[Pin, int] = field(default_factory=dict)
    added: dict[str, Cell] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    next_net: int = 0

    def __post_init__(self) -> None:
        bits = [b for port in self.original.ports.values() for b in port.bits]
        bits += [b for c in self.original.cells.values() for p in c.connections.values() for b in p]
        self.next_net = 1 + max((b for b in bits if isinstance(b, int)), default=0)

    def net(self, bit: int, sinks: list[tuple[Pin, float]]) -> float:
        """Split a net until it drives no more than it may; the load that is left on it, in pF."""
        own = self.buffer.inputs[0].capacitance
        most = FAN_OUT * own
        left = sinks
        while sum(load for _, load in left) > most and len(left) > 1:
            left = [(self._add(bit, group), own) for group in _groups(left, most)]
        return sum(load for _, load in left)

    def _add(self, bit: int, group: list[tuple[Pin, float]]) -> Pin:
        """A buffer for a group of sinks: its input pin, on the net itself until that is moved."""
        net = self.next_net
        self.next_net += 1
        name = f"fan_out_{len(self.added) + 1}"
        for pin, _ in group:
            self.moved[pin] = net
        into, out = self.buffer.inputs[0].name, self.buffer.outputs[0].name
        self.added[name] = Cell(type=self.buffer.name, connections={into: (bit,), out: (net,)})
        self.names[net] = f"{self.original.net_name(bit)}.{name}"
        return name, into, 0

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
