# SPDX-License-Identifier: Apache-2.0
"""A clock tree of the library's buffers, amid flip-flops that are placed.

Flip-flops are halved by their places, along the longer side each time, until the parts are small:
each part gets a buffer in its middle. These buffers are halved and driven in the same way, and so
on up to one buffer, which the clock's port drives. So each flip-flop has as many buffers before it
as any other, each with nearly the same load.

A clock gate takes the place of a buffer. One that has more to drive than such a buffer is built
several times, each for the flip-flops of a part. It is either of the first level, and drives
flip-flops, or of the second, and drives buffers: then it is built less often, and its enable has to
come earlier, as the clock does.

Several trees are tried, with each buffer of the library, parts of several sizes, and gates of both
levels, and timed with the wires that they would have. Skew and transition at the flip-flops, and
how much earlier the clock is at gates, cost a path its time; buffers and gates cost area. The tree
is built whose sum of both, as parts of the period and of the area, is smallest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from math import ceil, log2
from typing import TypeAlias

from gcmforge.netlist.library import LibCell, Library
from gcmforge.netlist.netlist import Bit, Cell, Module
from gcmforge.netlist.targets import Target
from gcmforge.place.cells import Placement
from gcmforge.place.wires import Metal, wires_of
from gcmforge.sta.bound import bind, clock_pins
from gcmforge.synth.fanout import plain_buffers

PREFIX = "clock_tree_"
"""Names of its buffers begin so."""

COPY = "clock_gate_"
"""And those of the clock gates that it has in addition."""

SINKS = (8, 16, 32)
"""Flip-flops after a buffer, at most."""

BRANCHES = (4, 8)
"""Buffers and clock gates after a buffer, at most."""


Spot: TypeAlias = tuple[float, float]


@dataclass(frozen=True, kw_only=True, slots=True)
class Sink:
    """A pin that a clock reaches."""

    cell: str
    pin: str
    spot: Spot
    gate: bool = False
    """Of a clock gate."""
    copy_of: str = ""
    """The gate that it is once more."""
    same: tuple[str, ...] = ()
    """Gates that do the same, and give way to its copies: mapping, which knew no places, had them
    for the loads."""
    drives: tuple[Sink, ...] = ()
    """The flip-flops of a gate."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Buffer:
    """One of a tree, and what it drives."""

    name: str
    spot: Spot
    drives: Sequence[Sink]
    after: str = ""
    """The clock gate that drives it; empty where another buffer does, or the port."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Form:
    """How a tree is built."""

    cell: LibCell
    """Its buffers."""
    flops: int
    """Flip-flops after a buffer, or a gate of the first level, at most."""
    branches: int
    """Buffers and clock gates after a buffer, or after a gate of the second level, at most."""
    gates_first: bool
    """Gates are of the first level."""

    @property
    def shape(self) -> object:
        """All of it that `_tree` looks at."""
        return self.flops, self.branches, self.gates_first, self.cell.inputs[0].name

    @property
    def gated(self) -> int:
        """Flip-flops of one gate, at most."""
        return self.flops if self.gates_first else self.flops * self.branches


@dataclass(frozen=True, kw_only=True, slots=True)
class Tree:
    """Buffers, those of the flip-flops first, and last the one that drives all; and clock gates."""

    form: Form
    buffers: Sequence[Buffer]
    gates: Sequence[Sink]


@dataclass(frozen=True, kw_only=True, slots=True)
class Planted:
    """A module with its trees, and the places of all cells."""

    module: Module
    placement: Placement


def with_clock_tree(
    module: Module,
    target: Target,
    library: Library,
    placement: Placement,
    metal: Metal,
    *,
    period_ns: float,
) -> Planted:
    """A flat module with a tree at each port that clocks something; itself where none does. The
    new buffers stand where they belong, on whatever stands there already. `period_ns` is about what
    the design is for."""
    sinks = _sinks(module, library, placement)
    if not sinks:
        return Planted(module=module, placement=placement)
    clocked = _clocked_part(module, library, sinks)
    whole = sum(library.cells[cell.type].area for cell in module.cells.values())
    shapes: dict[object, dict[Bit, Tree]] = {}
    tried = []
    for form in _forms(target, library, any(s.gate for found in sinks.values() for s in found)):
        if form.shape not in shapes:
            number = count()
            shapes[form.shape] = {bit: _tree(found, form, number) for bit, found in sinks.items()}
        trees = {bit: replace(tree, form=form) for bit, tree in shapes[form.shape].items()}
        small = _planted(clocked, library, placement, trees)
        bound = bind(small.module, library)
        clock = wires_of(bound, small.placement, metal, driving_cell=target.driving_cell).clock
        assert clock is not None
        time = (clock.skew_ns + clock.transition_ns + clock.gate_lead_ns) / period_ns
        area = sum(
            library.cells[cell.type].area
            for name, cell in small.module.cells.items()
            if name not in clocked.cells
        )
        tried.append((time + area / whole, trees))
    _, trees = min(tried, key=lambda one: one[0])
    return _planted(module, library, placement, trees)


def _forms(target: Target, library: Library, gated: bool) -> Iterator[Form]:
    """With each buffer; those for clocks, too, which mapping must not take, but none for delay."""
    kept = [pattern for pattern in target.dont_use if "clk" not in pattern.lower()] + ["*dly*"]
    for cell in plain_buffers(library, kept):
        for flops in SINKS:
            for branches in BRANCHES:
                for first in (False, True)[: 1 + gated]:
                    yield Form(cell=cell, flops=flops, branches=branches, gates_first=first)


def _sinks(module: Module, library: Library, placement: Placement) -> dict[Bit, list[Sink]]:
    """Clock pins by the bit of an input that clocks them, with nothing or a gate between."""
    inputs = {
        bit for port in module.ports.values() if port.direction == "input" for bit in port.bits
    }
    pins = {name: sorted(clock_pins(library.cell(name))) for name in _types(module)}
    found: dict[Bit, list[Sink]] = defaultdict(list)
    for name, cell in module.cells.items():
        for pin in pins[cell.type]:
            if bits := cell.connections.get(pin, ()):
                gate = library.cell(cell.type).clock_gate
                sink = Sink(cell=name, pin=pin, spot=placement.cells[name], gate=gate)
                found[bits[0]].append(sink)

    def whole(sinks: Sequence[Sink]) -> Iterator[Sink]:
        """Flip-flops, and one gate of those with the same inputs."""
        alike: dict[tuple[object, ...], list[tuple[Sink, Bit]]] = defaultdict(list)
        for sink in sinks:
            if sink.gate:
                cell = module.cells[sink.cell]
                output = library.cell(cell.type).outputs[0].name
                into = sorted(pin for pin in cell.connections.items() if pin[0] != output)
                alike[cell.type, *into].append((sink, cell.connections[output][0]))
            else:
                yield sink
        for gates in alike.values():
            first, *others = (gate for gate, _ in gates)
            drives = tuple(one for _, out in gates for one in found.get(out, ()))
            yield replace(first, drives=drives, same=tuple(gate.cell for gate in others))

    return {bit: list(whole(found[bit])) for bit in found if bit in inputs}


def _types(module: Module) -> set[str]:
    return {cell.type for cell in module.cells.values()}


def _clocked_part(module: Module, library: Library, sinks: Mapping[Bit, Sequence[Sink]]) -> Module:
    """What a tree is timed with: what is clocked, without data."""
    cells = {}
    for name, cell in module.cells.items():
        lib = library.cell(cell.type)
        pins = clock_pins(lib) | ({pin.name for pin in lib.outputs} if lib.clock_gate else set())
        if pins:
            own = {pin: bits for pin, bits in cell.connections.items() if pin in pins}
            cells[name] = Cell(type=cell.type, connections=own)
    ports = {n: p for n, p in module.ports.items() if any(bit in sinks for bit in p.bits)}
    return Module(name=module.name, ports=ports, cells=cells, net_names={})


def _tree(sinks: Sequence[Sink], form: Form, number: Iterator[int]) -> Tree:
    pin, made = form.cell.inputs[0].name, list[Buffer]()

    def level(below: Sequence[Sink], parts: int, after: str = "") -> list[Sink]:
        """So many buffers before these, as sinks."""
        new = [
            Buffer(name=f"{PREFIX}{next(number)}", spot=_middle(part), drives=part, after=after)
            for part in _halved(below, parts)
        ]
        made.extend(new)
        return [Sink(cell=buffer.name, pin=pin, spot=buffer.spot) for buffer in new]

    flops = [sink for sink in sinks if not sink.gate]
    gates = [part for sink in sinks if sink.gate for part in _copies(sink, form.gated, number)]
    # A power of two is halved again and again without a rest: loads are alike on all levels.
    now = level(flops, 1 << max(0, ceil(log2(len(flops) / form.flops)))) if flops else []
    if not form.gates_first:
        for gate in gates:
            if gate.drives:
                level(gate.drives, ceil(len(gate.drives) / form.flops), gate.cell)
        if gates and now:
            now = level(now, ceil(len(now) / form.branches))
    now += gates
    while len(now) > 1 or now == gates:
        now = level(now, ceil(len(now) / form.branches))
    return Tree(form=form, buffers=made, gates=gates)


def _copies(gate: Sink, most: int, number: Iterator[int]) -> Iterator[Sink]:
    """A clock gate as often as it takes, amid its flip-flops."""
    for n, part in enumerate(_halved(gate.drives, ceil(len(gate.drives) / most))):
        own = replace(gate, drives=tuple(part), spot=_middle(part) if part else gate.spot)
        yield replace(own, cell=f"{COPY}{next(number)}", copy_of=gate.cell) if n else own


def _halved(sinks: Sequence[Sink], parts: int) -> list[list[Sink]]:
    """So many parts of nearly the same size, each of sinks that are near each other."""
    if parts <= 1:
        return [list(sinks)]
    spans = [max(side) - min(side) for side in zip(*(s.spot for s in sinks), strict=True)]
    way = 0 if spans[0] >= spans[1] else 1
    order = sorted(sinks, key=lambda sink: (sink.spot[way], sink.cell))
    cut = round(len(order) * (parts // 2) / parts)
    return _halved(order[:cut], parts // 2) + _halved(order[cut:], parts - parts // 2)


def _middle(sinks: Sequence[Sink]) -> Spot:
    """Of the rectangle around them."""
    x, y = zip(*(sink.spot for sink in sinks), strict=True)
    return (min(x) + max(x)) / 2, (min(y) + max(y)) / 2


def _planted(
    module: Module, library: Library, placement: Placement, trees: Mapping[Bit, Tree]
) -> Planted:
    cells, names = dict(module.cells), dict(module.net_names)
    net = module.free_net()
    spots = dict(placement.cells)

    def connect(sinks: Sequence[Sink], bit: Bit) -> None:
        for sink in sinks:
            old = cells[sink.cell]
            cells[sink.cell] = replace(old, connections={**old.connections, sink.pin: (bit,)})

    for root, tree in trees.items():
        driver = tree.form.cell
        into, out = driver.inputs[0].name, driver.outputs[0].name
        after: dict[str, Bit] = {}
        for name in {name for gate in tree.gates for name in gate.same}:
            del cells[name], spots[name]
        for gate in tree.gates:
            old = cells[gate.copy_of or gate.cell]
            output = library.cell(old.type).outputs[0].name
            if gate.copy_of:
                cells[gate.cell] = replace(old, connections={**old.connections, output: (net,)})
                names[net] = gate.cell
                net += 1
            (after[gate.cell],) = cells[gate.cell].connections[output]
            spots[gate.cell] = gate.spot
            if tree.form.gates_first:
                connect(gate.drives, after[gate.cell])
        before: dict[str, Bit] = {}
        for buffer in reversed(tree.buffers):
            bit = after[buffer.after] if buffer.after else before.get(buffer.name, root)
            names[net] = buffer.name
            cells[buffer.name] = Cell(type=driver.name, connections={into: (bit,), out: (net,)})
            spots[buffer.name] = buffer.spot
            connect([sink for sink in buffer.drives if sink.cell in cells], net)
            before |= {sink.cell: net for sink in buffer.drives}
            net += 1
    return Planted(
        module=replace(module, cells=cells, net_names=names),
        placement=replace(placement, cells=spots),
    )


__all__ = ["COPY", "PREFIX", "Planted", "with_clock_tree"]
