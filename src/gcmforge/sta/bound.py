# SPDX-License-Identifier: Apache-2.0
"""A flat netlist bound to a library, as arrays: what timing and power work on.

Nets are numbered from 0; the last two are the constants 0 and 1. A node is one edge of one net:
2 * net for falling, 2 * net + 1 for rising.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from gcmforge.netlist.functions import parse_function
from gcmforge.netlist.library import LibCell, Library, Table
from gcmforge.netlist.netlist import Bit, Module, Netlist, NetlistError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]

FALL, RISE = 0, 1
EDGE_NAMES = ("fall", "rise")
UNCONNECTED = -1
LAUNCH = ("rising_edge", "falling_edge")
"""Timing types of arcs from a flip-flop's clock to its outputs."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Group:
    """All instances of one library cell: nets[i, p] is on pin pins[p] of instance names[i]."""

    cell: LibCell
    names: Sequence[str]
    pins: Sequence[str]
    nets: Ints
    first: int
    """Number of its first instance among all cells of the design."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Bound:
    """The design. `drivers` says which nets a cell or an input drives."""

    module: Module
    library: Library
    groups: Sequence[Group]
    net_count: int
    inputs: Ints
    outputs: Ints
    net_of_bit: dict[Bit, int]

    @cached_property
    def net_names(self) -> list[str]:
        """Names by net; a port's bit is called after the port."""
        names = [""] * self.net_count
        for bit, net in self.net_of_bit.items():
            names[net] = self.module.net_name(bit)
        for name, port in self.module.ports.items():
            for i, bit in enumerate(port.bits):
                if not isinstance(bit, str):
                    names[self.net_of_bit[bit]] = name if len(port.bits) == 1 else f"{name}[{i}]"
        return names

    @cached_property
    def clock_nets(self) -> Ints:
        """Nets that clock a flip-flop or a clock gate, and those before them in a clock tree."""
        import numpy as np

        parts = [np.zeros(0, dtype=np.int64)]
        for group in self.groups:
            for n, name in enumerate(group.pins):
                if name in clock_pins(group.cell):
                    parts.append(group.nets[:, n])
        found, before = np.unique(np.concatenate(parts)), 0
        buffers = self._buffers
        while found.size > before:  # one level of buffers more
            before = found.size
            into = [g.nets[np.isin(g.nets[:, q], found), p] for g, p, q in buffers]
            found = np.unique(np.concatenate([found, *into]))
        return found

    @cached_property
    def has_clock_tree(self) -> bool:
        """Whether buffers drive clock nets; without them the clock is ideal."""
        import numpy as np

        return any(bool(np.isin(g.nets[:, q], self.clock_nets).any()) for g, _, q in self._buffers)

    @property
    def _buffers(self) -> list[tuple[Group, int, int]]:
        """Groups of plain buffers, with the columns of input and output."""
        return [
            (group, group.pins.index(cell.inputs[0].name), group.pins.index(cell.outputs[0].name))
            for group in self.groups
            if is_buffer(cell := group.cell)
        ]

    def instance(self, cell: int) -> str:
        """Name of a cell by its number."""
        for group in self.groups:
            if group.first <= cell < group.first + len(group.names):
                return group.names[cell - group.first]
        raise IndexError(cell)

    def driven_name(self, cell: int) -> str:
        """Name of the first net that a cell drives."""
        for group in self.groups:
            if group.first <= cell < group.first + len(group.names):
                for column, pin in enumerate(group.pins):
                    net = int(group.nets[cell - group.first, column])
                    if group.cell.pins[pin].direction == "output" and net >= 0:
                        return self.net_names[net]
        return "unconnected"

    def loads(self, output_load_pf: float) -> Floats:
        """Capacitance in pF by node: pins on the net, and the load of each output."""
        import numpy as np

        load = np.zeros(2 * self.net_count)
        for group in self.groups:
            for column, name in enumerate(group.pins):
                pin = group.cell.pins[name]
                if pin.direction == "output":
                    continue
                nets = group.nets[:, column]
                count = np.bincount(nets[nets >= 0], minlength=self.net_count)
                load[FALL::2] += count * pin.fall_capacitance
                load[RISE::2] += count * pin.rise_capacitance
        extra = np.bincount(self.outputs, minlength=self.net_count) * output_load_pf
        load[FALL::2] += extra
        load[RISE::2] += extra
        return load


def bind(netlist: Netlist | Module, library: Library) -> Bound:
    """The netlist's cells looked up and its nets numbered, in the order of ports and then of cells
    by type; NetlistError says what does not fit."""
    import numpy as np

    module = netlist.flatten() if isinstance(netlist, Netlist) else netlist
    by_type: dict[str, list[str]] = defaultdict(list)
    for name, instance in module.cells.items():
        by_type[instance.type].append(name)
    kinds = sorted(by_type)
    ports = [_port_bits(module, direction) for direction in ("input", "output")]
    bits = [_as_ints(port) for port in ports]
    bits += [_pin_bits(kind, by_type[kind], module, library).reshape(-1) for kind in kinds]
    nets, net_of_bit = _numbered(np.concatenate(bits))
    ends = np.cumsum([part.size for part in bits])
    inputs, outputs, *cells = np.split(nets, ends[:-1])
    return Bound(
        module=module,
        library=library,
        groups=_groups(by_type, kinds, cells, library),
        net_count=len(net_of_bit) + 2,
        inputs=inputs[bits[0] >= 0],
        outputs=outputs[bits[1] >= 0],
        net_of_bit=net_of_bit,
    )


def is_buffer(cell: LibCell) -> bool:
    """Whether its one output is its one input."""
    if cell.is_sequential or len(cell.inputs) != 1 or len(cell.outputs) != 1:
        return False
    output = cell.outputs[0]
    if not output.function or output.three_state:
        return False
    return parse_function(output.function) == cell.inputs[0].name


def clock_pins(cell: LibCell) -> set[str]:
    """Pins from which a flip-flop's outputs are launched, and the clock of a clock gate."""
    if cell.clock_gate:
        return {pin.name for pin in cell.inputs if pin.clock}
    if cell.flip_flop is None:
        return set()
    return {a.related_pin for p in cell.outputs for a in p.timing if a.timing_type in LAUNCH}


_CONSTANT_ZERO, _CONSTANT_ONE = -2, -3
_CONSTANTS = {"0": _CONSTANT_ZERO, "1": _CONSTANT_ONE}


def _numbered(bits: Ints) -> tuple[Ints, dict[Bit, int]]:
    """The net of each bit, and the nets by bit: in the order in which bits come first."""
    import numpy as np

    at = np.flatnonzero(bits >= 0)
    numbers = bits[at]
    comes_first = np.full(int(numbers.max(initial=-1)) + 1, -1)
    comes_first[numbers[::-1]] = at[::-1]
    first = np.zeros(bits.size, dtype=np.bool_)
    first[comes_first[comes_first >= 0]] = True
    in_order = bits[first]
    net_of = np.full(comes_first.size, UNCONNECTED, dtype=np.int64)
    net_of[in_order] = np.arange(in_order.size)
    nets = np.full(bits.size, UNCONNECTED, dtype=np.int64)
    nets[at] = net_of[numbers]
    nets[bits == _CONSTANT_ZERO] = in_order.size
    nets[bits == _CONSTANT_ONE] = in_order.size + 1
    return nets, dict(zip(in_order.tolist(), range(in_order.size), strict=True))


def _as_ints(bits: Sequence[Bit]) -> Ints:
    """Bits as numbers: those that are no nets below 0."""
    import numpy as np

    if set(map(type, bits)) - {int}:  # numpy would read a text that is a number as that
        bits = [_as_int(bit) for bit in bits]
    return np.array(bits, dtype=np.int64)


def _as_int(bit: Bit) -> int:
    return _CONSTANTS.get(bit, UNCONNECTED) if isinstance(bit, str) else bit


def _port_bits(module: Module, direction: str) -> list[Bit]:
    ports = (port for port in module.ports.values() if port.direction == direction)
    return [bit for port in ports for bit in port.bits]


def _pin_bits(kind: str, names: Sequence[str], module: Module, library: Library) -> Ints:
    """Bits by instance and pin of one type."""
    import numpy as np

    cell = library.cells.get(kind)
    if cell is None:
        raise NetlistError(
            f"cell {names[0]} is a {kind}, which library {library.name} does not have; "
            "map the netlist to this library first"
        )
    if cell.latch is not None:
        raise NetlistError(
            f"cell {names[0]} is a latch ({kind}): timing and power know flip-flops only"
        )
    connected = [module.cells[name].connections for name in names]
    bits = np.empty((len(names), len(cell.pins)), dtype=np.int64)
    known = 0
    for n, pin in enumerate(cell.pins):
        found = [connections.get(pin) for connections in connected]
        known += len(found) - found.count(None)
        bits[:, n] = _as_ints([one[0] if one else "" for one in found])
    if known < sum(map(len, connected)):  # a connection is at no pin of the library's cell
        name, wrong = next(
            (name, min(more))
            for name, connections in zip(names, connected, strict=True)
            if (more := connections.keys() - cell.pins.keys())
        )
        raise NetlistError(f"cell {name}: {kind} of {library.name} has no pin {wrong}")
    return bits


def _groups(
    by_type: dict[str, list[str]], kinds: Sequence[str], nets: Sequence[Ints], library: Library
) -> list[Group]:
    groups, first = [], 0
    for kind, own in zip(kinds, nets, strict=True):
        cell, names = library.cell(kind), by_type[kind]
        shape = len(names), len(cell.pins)
        groups.append(
            Group(
                cell=cell, names=names, pins=list(cell.pins), nets=own.reshape(shape), first=first
            )
        )
        first += len(names)
    return groups


# Tables -------------------------------------------------------------------------------------------


FEW = 16
"""So many values are looked up one by one."""


class TableStack:
    """Many tables of different sizes, looked up at once: linear between points and beyond them."""

    def __init__(self) -> None:
        self._tables: list[Table] = []
        self._number: dict[int, int] = {}
        self._plain: dict[int, tuple[list[float], list[float], list[list[float]]]] = {}

    def add(self, table: Table) -> int:
        """The table's number."""
        key = id(table)
        if key not in self._number:
            self._number[key] = len(self._tables)
            self._tables.append(table)
        return self._number[key]

    @cached_property
    def _packed(self) -> tuple[Floats, Floats, Floats, Ints, Ints]:
        """Axes padded with infinity and a one-point axis made two; sizes by table."""
        import numpy as np

        tables = [_two_by_two(table) for table in self._tables]
        if not tables:
            tables = [(np.zeros(2), np.zeros(2), np.zeros((2, 2)))]
        rows = max(first.size for first, _, _ in tables)
        columns = max(second.size for _, second, _ in tables)
        count = len(tables)
        firsts = np.full((count, rows), np.inf)
        seconds = np.full((count, columns), np.inf)
        values = np.zeros((count, rows, columns))
        sizes = np.zeros((count, 2), dtype=np.int64)
        for n, (first, second, table) in enumerate(tables):
            firsts[n, : first.size] = first
            seconds[n, : second.size] = second
            values[n, : first.size, : second.size] = table
            sizes[n] = first.size, second.size
        return firsts, seconds, values, sizes[:, 0], sizes[:, 1]

    def look_up(self, number: Ints, x: Floats, y: Floats) -> Floats:
        """Values of tables `number` at x on their first and y on their second axis."""
        if number.size <= FEW:
            return self._one_by_one(number, x, y)
        firsts, seconds, values, rows, columns = self._packed
        i, u = _place(firsts, rows, number, x)
        j, v = _place(seconds, columns, number, y)
        low = values[number, i, j] * (1 - v) + values[number, i, j + 1] * v
        high = values[number, i + 1, j] * (1 - v) + values[number, i + 1, j + 1] * v
        result: Floats = low * (1 - u) + high * u
        return result

    def _one_by_one(self, number: Ints, x: Floats, y: Floats) -> Floats:
        """The same for few: numpy takes longer to begin than these take. The same steps in the
        same order, so to the last bit the same numbers."""
        import numpy as np

        found = []
        for table, a, b in zip(number.tolist(), x.tolist(), y.tolist(), strict=True):
            if table not in self._plain:
                self._plain[table] = tuple(a.tolist() for a in _two_by_two(self._tables[table]))
            first, second, values = self._plain[table]
            i = min(max(bisect_right(first, a) - 1, 0), len(first) - 2)
            j = min(max(bisect_right(second, b) - 1, 0), len(second) - 2)
            u = (a - first[i]) / (first[i + 1] - first[i])
            v = (b - second[j]) / (second[j + 1] - second[j])
            low = values[i][j] * (1 - v) + values[i][j + 1] * v
            high = values[i + 1][j] * (1 - v) + values[i + 1][j + 1] * v
            found.append(low * (1 - u) + high * u)
        return np.array(found, dtype=np.float64)


def _place(axes: Floats, sizes: Ints, number: Ints, at: Floats) -> tuple[Ints, Floats]:
    """Interval of each point on its table's axis, and where in it (outside 0..1 beyond it)."""
    import numpy as np

    index = (axes[number] <= at[:, None]).sum(axis=1) - 1
    index = np.clip(index, 0, sizes[number] - 2)
    low, high = axes[number, index], axes[number, index + 1]
    return index, (at - low) / (high - low)


def _two_by_two(table: Table) -> tuple[Floats, Floats, Floats]:
    import numpy as np

    first, second, values = table.first, table.second, table.values
    if first.size == 1:
        first, values = np.array([0.0, 1.0]), np.repeat(values, 2, axis=0)
    if second.size == 1:
        second, values = np.array([0.0, 1.0]), np.repeat(values, 2, axis=1)
    return first, second, values
