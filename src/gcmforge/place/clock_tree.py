# SPDX-License-Identifier: Apache-2.0
"""A clock tree of the library's buffers, amid flip-flops that are placed.

Flip-flops are halved by their places, along the longer side each time, until the parts are small:
each part gets a buffer in its middle. These buffers are halved and driven in the same way, and so
on up to one buffer, which the clock's port drives. So each flip-flop has as many buffers before it
as any other, each with nearly the same load. The flip-flops of a clock gate get buffers, too, which
the gate drives; so it takes the place of a buffer of the second level.

Several trees are tried, with each buffer of the library and parts of several sizes, and timed with
the wires that they would have. Skew and transition at the flip-flops cost a path its time, buffers
cost area: the tree is built whose sum of both, as parts of the period and of the area, is smallest.
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
    out: Bit = ""
    """The net that a gate drives."""
    drives: tuple[Sink, ...] = ()
    """What is on that net."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Buffer:
    """One of a tree, and what it drives."""

    name: str
    spot: Spot
    drives: Sequence[Sink]
    after: Bit = ""
    """The clock gate's net that drives it; empty where another buffer does, or the port."""


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
    tried = []
    for cell, most, branches in _variants(target, library):
        number = count()
        trees = {
            bit: list(_tree(found, cell, (most, branches), number)) for bit, found in sinks.items()
        }
        small = _planted(clocked, placement, trees, cell)
        bound = bind(small.module, library)
        clock = wires_of(bound, small.placement, metal, driving_cell=target.driving_cell).clock
        assert clock is not None
        time = (clock.skew_ns + clock.transition_ns) / period_ns
        area = cell.area * sum(map(len, trees.values())) / whole
        tried.append((time + area, trees, cell))
    _, trees, cell = min(tried, key=lambda one: one[0])
    return _planted(module, placement, trees, cell)


def _variants(target: Target, library: Library) -> Iterator[tuple[LibCell, int, int]]:
    """Buffer, and how much it drives; those for clocks, too, which mapping must not take."""
    kept = [pattern for pattern in target.dont_use if "clk" not in pattern.lower()]
    for cell in plain_buffers(library, kept):
        for most in SINKS:
            for branches in BRANCHES:
                yield cell, most, branches


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

    def whole(sink: Sink) -> Sink:
        if not sink.gate:
            return sink
        cell = module.cells[sink.cell]
        (out,) = cell.connections[library.cell(cell.type).outputs[0].name]
        return replace(sink, out=out, drives=tuple(found.get(out, ())))

    return {bit: [whole(sink) for sink in found[bit]] for bit in found if bit in inputs}


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


def _tree(
    sinks: Sequence[Sink], cell: LibCell, at_most: tuple[int, int], number: Iterator[int]
) -> Iterator[Buffer]:
    """Buffers, those of the flip-flops first, and last the one that drives all. They drive at most
    so many flip-flops and so many branches."""
    pin, (most, branches) = cell.inputs[0].name, at_most

    def level(below: Sequence[Sink], parts: int, after: Bit = "") -> list[Buffer]:
        return [
            Buffer(name=f"{PREFIX}{next(number)}", spot=_middle(part), drives=part, after=after)
            for part in _halved(below, parts)
        ]

    def pins(buffers: Sequence[Buffer]) -> list[Sink]:
        return [Sink(cell=buffer.name, pin=pin, spot=buffer.spot) for buffer in buffers]

    flops = [sink for sink in sinks if not sink.gate]
    gates = [sink for sink in sinks if sink.gate]
    # A power of two is halved again and again without a rest: loads are alike on all levels.
    now = level(flops, 1 << max(0, ceil(log2(len(flops) / most)))) if flops else []
    yield from now
    for gate in gates:
        if gate.drives:
            yield from level(gate.drives, ceil(len(gate.drives) / most), gate.out)
    if gates and now:
        now = level(pins(now), ceil(len(now) / branches))
        yield from now
    while len(now) + len(gates) > 1 or gates:
        below, gates = [*pins(now), *gates], []
        now = level(below, ceil(len(below) / branches))
        yield from now


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
    module: Module,
    placement: Placement,
    trees: Mapping[Bit, Sequence[Buffer]],
    cell: LibCell,
) -> Planted:
    into, out = cell.inputs[0].name, cell.outputs[0].name
    cells, names = dict(module.cells), dict(module.net_names)
    net = module.free_net()
    spots = dict(placement.cells)
    for root, tree in trees.items():
        before: dict[str, Bit] = {}
        for buffer in reversed(tree):
            bit = buffer.after if buffer.after != "" else before.get(buffer.name, root)
            names[net] = buffer.name
            cells[buffer.name] = Cell(type=cell.name, connections={into: (bit,), out: (net,)})
            spots[buffer.name] = buffer.spot
            for sink in buffer.drives:
                if sink.cell in cells:
                    old = cells[sink.cell]
                    new = {**old.connections, sink.pin: (net,)}
                    cells[sink.cell] = Cell(type=old.type, connections=new)
                else:
                    before[sink.cell] = net
            net += 1
    return Planted(
        module=replace(module, cells=cells, net_names=names),
        placement=replace(placement, cells=spots),
    )


__all__ = ["PREFIX", "Planted", "with_clock_tree"]
