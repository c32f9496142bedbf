# SPDX-License-Identifier: Apache-2.0
"""A mapped netlist: modules of cells as Yosys writes them in JSON, one bit a net.

Nets are numbers within their module; a bit that is constant is "0", "1" or "x". Flattening gives
one module whose cells and nets carry hierarchical names (u_core.u_aes.gen_round[3]...).
"""

from __future__ import annotations

import gc
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

Bit = int | str
"""A net's number within its module, 0 or more, or "0", "1", "x"."""


class NetlistError(ValueError):
    """The netlist is not what can be measured; the text says where and why."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Port:
    """A module's port: "input", "output" or "inout"; bits from bit 0 up."""

    direction: str
    bits: tuple[Bit, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Cell:
    """An instance: `type` is a library cell or another module; connections from bit 0 up."""

    type: str
    connections: Mapping[str, tuple[Bit, ...]]


@dataclass(frozen=True, kw_only=True, slots=True)
class Module:
    """One module: ports, cells by instance name, and names of nets where the netlist has any."""

    name: str
    ports: Mapping[str, Port]
    cells: Mapping[str, Cell]
    net_names: Mapping[int, str]

    def net_name(self, bit: Bit) -> str:
        """The name of a bit's net, or its number where it has none."""
        return bit if isinstance(bit, str) else self.net_names.get(bit, f"net{bit}")

    def free_net(self) -> int:
        """A number that no net of it has."""
        bits = [b for port in self.ports.values() for b in port.bits]
        bits += [b for c in self.cells.values() for p in c.connections.values() for b in p]
        return 1 + max((b for b in bits if isinstance(b, int)), default=0)


@dataclass(frozen=True, kw_only=True)
class Netlist:
    """A mapped design: every cell type that is not a name in `modules` is a library cell."""

    modules: Mapping[str, Module]
    top: str

    def flatten(self) -> Module:
        """One module with the ports of the top and library cells only."""
        with _no_garbage():
            return _Flattener(self).module()

    @cached_property
    def counts(self) -> Counter[str]:
        """Library cells by type in the whole design."""
        return self.module_counts(self.top)

    def module_counts(self, name: str) -> Counter[str]:
        """Library cells by type in one module with everything below it."""
        return self._below[name]

    @cached_property
    def _below(self) -> dict[str, Counter[str]]:
        counts: dict[str, Counter[str]] = {}
        for name in self.children_first():
            count: Counter[str] = Counter()
            for kind, number in Counter(c.type for c in self.modules[name].cells.values()).items():
                inner = counts.get(kind)
                if inner is None:
                    count[kind] += number
                else:
                    for cell, inside in inner.items():
                        count[cell] += number * inside
            counts[name] = count
        return counts

    def children_first(self) -> list[str]:
        """Modules that the top uses, each after those that it instantiates."""
        order: list[str] = []
        done: set[str] = set()
        todo = [(self.top, False)]
        while todo:
            name, children_done = todo.pop()
            if children_done:
                order.append(name)
            elif name not in done:
                done.add(name)
                todo.append((name, True))
                inner = {cell.type for cell in self.modules[name].cells.values()}
                todo += [(kind, False) for kind in sorted(inner) if kind in self.modules]
        return order

    def instances(self) -> Iterator[tuple[tuple[str, ...], str]]:
        """Every instance of a module: (path of instance names, module name), the top first."""
        todo: list[tuple[tuple[str, ...], str]] = [((), self.top)]
        while todo:
            path, name = todo.pop()
            yield path, name
            if len(self.modules) == 1:  # all its cells are of the library
                return
            cells = self.modules[name].cells.items()
            todo += [((*path, i), c.type) for i, c in cells if c.type in self.modules]


def parse_yosys_json(text: str, top: str) -> Netlist:
    """The netlist in what Yosys's write_json printed; NetlistError when `top` is not in it.

    Black boxes and library cells' own modules are left out: they are cells.
    """
    kept = parse_modules(text)
    if top not in kept:
        raise NetlistError(f"the netlist has no module {top}; it has {', '.join(sorted(kept))}")
    return Netlist(modules=kept, top=top)


def read_yosys_json(path: Path, top: str) -> Netlist:
    """The netlist in a file that Yosys's write_json wrote."""
    return parse_yosys_json(path.read_text(), top)


def read_modules(path: Path) -> dict[str, Module]:
    """Every module in a file that Yosys's write_json wrote, black boxes left out."""
    return parse_modules(path.read_text())


def parse_modules(text: str) -> dict[str, Module]:
    """Every module in what Yosys's write_json printed, black boxes left out."""
    with _no_garbage():
        modules = json.loads(text)["modules"]
        return {name: _module(name, m) for name, m in modules.items() if not _is_box(m)}


@contextmanager
def _no_garbage() -> Iterator[None]:
    """Where millions of objects are made and kept: Python would look through all of them again and
    again for some that nobody holds, which takes longer than to make them."""
    looks = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if looks:
            gc.enable()


def _is_box(module: Mapping[str, Any]) -> bool:
    return any(name in module.get("attributes", {}) for name in ("blackbox", "whitebox"))


def _module(name: str, module: Mapping[str, Any]) -> Module:
    cells = {
        instance: Cell(
            type=cell["type"],
            connections={pin: tuple(bits) for pin, bits in cell["connections"].items()},
        )
        for instance, cell in module["cells"].items()
        if cell["type"] != "$scopeinfo"
    }
    ports = {
        port: Port(direction=p["direction"], bits=tuple(p["bits"]))
        for port, p in module["ports"].items()
    }
    return Module(name=name, ports=ports, cells=cells, net_names=_net_names(module))


def _net_names(module: Mapping[str, Any]) -> dict[int, str]:
    """The names that the source gave to nets; what a tool called them changes with every run."""
    names: dict[int, str] = {}
    for name, net in module.get("netnames", {}).items():
        if net.get("hide_name"):
            continue
        bits, first = net["bits"], net.get("offset", 0)
        for index, bit in enumerate(bits):
            if isinstance(bit, int):
                names.setdefault(bit, name if len(bits) == 1 else f"{name}[{first + index}]")
    return names


@dataclass(frozen=True, slots=True)
class _Plan:
    """What each instance of a module takes, so that the module is looked at once."""

    nets: Sequence[int]
    """In the order in which its ports and cells have them."""
    constants: Mapping[Bit, Bit]
    cells: Sequence[tuple[str, Cell, Sequence[tuple[str, Bit]] | None]]
    """By instance; and pins of library cells that have a bit each, as all of them should."""

    @classmethod
    def of(cls, module: Module, modules: Mapping[str, Module]) -> _Plan:
        bits: dict[Bit, None] = {}
        for port in module.ports.values():
            bits.update(dict.fromkeys(port.bits))
        cells = []
        for instance, cell in module.cells.items():
            pins = cell.connections
            for own in pins.values():
                bits.update(dict.fromkeys(own))
            single = cell.type not in modules and all(len(own) == 1 for own in pins.values())
            one_each = [(pin, own[0]) for pin, own in pins.items()] if single else None
            cells.append((instance, cell, one_each))
        nets = [bit for bit in bits if isinstance(bit, int)]
        return cls(nets, {bit: bit for bit in bits if isinstance(bit, str)}, cells)


@dataclass
class _Flattener:
    """Cells and net names of the flat module while instances are inlined.

    A module whose output is one of its inputs or a constant joins two nets of its parent: `joined`
    says of a net which other bit it is, and is applied at the end.
    """

    netlist: Netlist
    cells: dict[str, Cell] = field(default_factory=dict)
    names: dict[int, str] = field(default_factory=dict)
    joined: dict[int, Bit] = field(default_factory=dict)
    plans: dict[int, _Plan] = field(default_factory=dict)
    """By the identity of a module, all of which the netlist holds."""
    next_net: int = 0

    def module(self) -> Module:
        top = self.netlist.modules[self.netlist.top]
        nets: dict[Bit, Bit] = {}
        self._inline(top, nets, "")
        ports = {
            name: Port(direction=p.direction, bits=tuple(self._root(nets[b]) for b in p.bits))
            for name, p in top.ports.items()
        }
        if self.joined:
            away = self.joined.keys()
            for path, cell in self.cells.items():
                if any(bit in away for bits in cell.connections.values() for bit in bits):
                    pins = {pin: tuple(map(self._root, b)) for pin, b in cell.connections.items()}
                    self.cells[path] = Cell(type=cell.type, connections=pins)
        return Module(name=top.name, ports=ports, cells=self.cells, net_names=self.names)

    def _inline(self, module: Module, nets: dict[Bit, Bit], prefix: str) -> None:
        """Add the cells of one instance, whose ports have these nets; a hierarchy is a handful of
        levels deep."""
        if id(module) not in self.plans:
            self.plans[id(module)] = _Plan.of(module, self.netlist.modules)
        plan = self.plans[id(module)]
        nets |= plan.constants
        for bit in plan.nets:
            if bit not in nets:
                nets[bit] = self.next_net
                if bit in module.net_names:
                    self.names[self.next_net] = prefix + module.net_names[bit]
                self.next_net += 1
        for instance, cell, pins in plan.cells:
            path = prefix + instance
            found: dict[str, tuple[Bit, ...]]
            if pins is not None:
                found = {pin: (nets[bit],) for pin, bit in pins}
            else:
                found = {pin: tuple(nets[bit] for bit in b) for pin, b in cell.connections.items()}
                if inner := self.netlist.modules.get(cell.type):
                    self._inline(inner, self._bind(inner, found), f"{path}.")
                    continue
            self.cells[path] = Cell(type=cell.type, connections=found)

    def _bind(self, inner: Module, connections: Mapping[str, tuple[Bit, ...]]) -> dict[Bit, Bit]:
        """Flat bits of an instance's ports; inputs first, so that an output can be one of them."""
        nets: dict[Bit, Bit] = {}
        ports = sorted(inner.ports.items(), key=lambda item: item[1].direction != "input")
        for name, port in ports:
            for bit, outside in zip(port.bits, connections.get(name, ()), strict=False):
                if isinstance(bit, str):
                    self._join(outside, bit)
                elif nets.setdefault(bit, outside) != outside:
                    self._join(outside, nets[bit])
        return nets

    def _join(self, net: Bit, other: Bit) -> None:
        """Make the driven `net` the same as `other`."""
        net, other = self._root(net), self._root(other)
        if net != other and isinstance(net, int):
            self.joined[net] = other

    def _root(self, bit: Bit) -> Bit:
        while isinstance(bit, int) and bit in self.joined:
            bit = self.joined[bit]
        return bit
