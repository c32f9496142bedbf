# SPDX-License-Identifier: Apache-2.0
"""LUTs of two functions: which LUT cells of a mapped module can share one LUT6 with two outputs.

From Virtex-5 on a Xilinx LUT6 is two tables of five inputs, and both have an output. So it holds
one function of six inputs, or two that read at most five different nets together (LUT6_2). Yosys
maps one function a cell; a placer pairs them. So does this page, inputs only: no function changes.

Not paired: a cell that the other one reads, and one that drives a wide multiplexer or the select
input of a carry cell, which has one way out of the slice. A path from one cell of a pair over
other cells to the other is no loop: each output is a function of its own inputs only.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from gcmforge.netlist.netlist import Bit, Cell, Module, Netlist

INPUTS = 5
"""Different nets that two functions of a LUT6 may read together."""

_LUT = re.compile(r"LUT[1-6]")
_TAKES_O6 = {"MUXF7": ("I0", "I1"), "MUXF8": ("I0", "I1"), "CARRY4": ("S",), "CARRY8": ("S",),
             "MUXCY": ("S",), "XORCY": ("LI",)}  # fmt: skip
_NEAR = 16
"""Partners that are looked at for a LUT in one set of those that share the same nets."""
_DEPTH = 40
_PHASES = 6


@dataclass(frozen=True, slots=True)
class Lut:
    """A function: the nets that it reads, constants left out, and the net that it drives."""

    inputs: frozenset[int]
    output: Bit = "x"


def pairs_of(netlist: Netlist) -> int:
    """LUTs of the whole design that two cells share; no pair leaves its module."""
    times = Counter(name for _, name in netlist.instances())
    return sum(number * module_pairs(netlist.modules[name]) for name, number in times.items())


def module_pairs(module: Module) -> int:
    """LUTs of one module without what it instantiates that two cells share."""
    return len(pairs(functions(module)))


def functions(module: Module) -> list[Lut]:
    """The LUT1 to LUT6 of one module that may share a LUT6, in the order of the netlist."""
    alone = _alone(module.cells.values())
    found = []
    for cell in module.cells.values():
        if not _LUT.fullmatch(cell.type):
            continue
        pins = cell.connections
        read = frozenset(
            bit for pin, bits in pins.items() if pin != "O" for bit in bits if isinstance(bit, int)
        )
        output = pins["O"][0]
        if len(read) <= INPUTS and output not in alone:
            found.append(Lut(read, output))
    return found


def _alone(cells: Iterable[Cell]) -> set[Bit]:
    """Nets that have to leave their LUT by the output O6 and take the way out of the slice."""
    return {
        bit
        for cell in cells
        for pin in _TAKES_O6.get(cell.type, ())
        for bit in cell.connections.get(pin, ())
    }


def fit(one: Lut, other: Lut) -> bool:
    """Whether a LUT6 holds both."""
    together = one.inputs | other.inputs
    return len(together) <= INPUTS and one.output not in together and other.output not in together


def pairs(luts: Sequence[Lut]) -> list[tuple[int, int]]:
    """Many disjoint pairs of LUTs that fit, as positions; the same ones for the same input.

    Cells with the fewest partners choose first; then pairs are exchanged along alternating
    paths while that makes one more. It is not always the largest number.
    """
    matching = _Matching(luts, _near(luts))
    matching.choose()
    for _ in range(_PHASES):
        if not matching.exchange():
            break
    return sorted((a, b) for a, b in matching.mate.items() if a < b)


# Which LUTs share inputs --------------------------------------------------------------------------


def _near(luts: Sequence[Lut]) -> list[list[int]]:
    """For each LUT, others that it fits because they share inputs; a few of each kind."""
    near: list[set[int]] = [set() for _ in luts]
    for one, other in _meetings(luts):
        if fit(luts[one], luts[other]):
            near[one].add(other)
            near[other].add(one)
    return [sorted(others) for others in near]


def _meetings(luts: Sequence[Lut]) -> Iterator[tuple[int, int]]:
    """Pairs of LUTs of a and b inputs that have at least a + b - 5 of them in common."""
    for large in range(1, INPUTS + 1):
        for small in range(1, large + 1):
            shared = large + small - INPUTS
            if shared < 1:
                continue
            of_large = _by_nets(luts, large, shared)
            of_small = of_large if small == large else _by_nets(luts, small, shared)
            for nets, some in of_large.items():
                if small == large:
                    yield from _among(some)
                elif nets in of_small:
                    yield from _between(some, of_small[nets])


def _by_nets(luts: Sequence[Lut], size: int, shared: int) -> Mapping[tuple[int, ...], list[int]]:
    """LUTs of `size` inputs, listed under every `shared` of them."""
    found: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for at, lut in enumerate(luts):
        if len(lut.inputs) == size:
            for nets in combinations(sorted(lut.inputs), shared):
                found[nets].append(at)
    return found


def _among(some: Sequence[int]) -> Iterator[tuple[int, int]]:
    """All pairs, or of many each with those that follow it in a circle."""
    count = len(some)
    for at, one in enumerate(some):
        for step in range(1, min(count, _NEAR + 1)):
            yield one, some[(at + step) % count]


def _between(some: Sequence[int], others: Sequence[int]) -> Iterator[tuple[int, int]]:
    """All pairs of one each, or of many each with a few that lie as far along in their list."""
    if len(some) < len(others):
        some, others = others, some
    for at, one in enumerate(some):
        first = at * len(others) // len(some)
        for step in range(min(len(others), _NEAR)):
            yield one, others[(first + step) % len(others)]


# Matching -----------------------------------------------------------------------------------------


@dataclass
class _Matching:
    """Pairs so far: `mate` of each LUT that has one. `near` is complete but for LUTs that fit
    without a shared input: those are found by their size."""

    luts: Sequence[Lut]
    near: list[list[int]]
    mate: dict[int, int] = field(default_factory=dict)
    _seen: set[int] = field(default_factory=set)
    _of_size: dict[int, list[int]] = field(default_factory=dict)

    def choose(self) -> None:
        """Pairs of LUTs that share inputs; those with fewest partners first, and with such."""

        def need(at: int) -> tuple[int, int, int]:
            return (len(self.near[at]), -len(self.luts[at].inputs), at)

        for at in sorted(range(len(self.luts)), key=need):
            free = [other for other in self.near[at] if other not in self.mate]
            if at not in self.mate and free:
                self._join(at, min(free, key=need))

    def exchange(self) -> bool:
        """One more pair for each alternating path found; every LUT lies on at most one."""
        self._seen = set()
        self._of_size = {
            size: [at for at, lut in enumerate(self.luts) if len(lut.inputs) == size]
            for size in range(INPUTS + 1)
        }
        before = len(self.mate)
        for at in range(len(self.luts)):
            if at not in self.mate and at not in self._seen:
                self._seen.add(at)
                self._grow(at, 0)
        return len(self.mate) > before

    def _grow(self, at: int, depth: int) -> bool:
        """Give `at` a mate, whose own one finds another."""
        for other in self._partners(at):
            self._seen.add(other)
            left = self.mate.get(other)
            if left is not None:
                self._seen.add(left)
                if depth == _DEPTH or not self._grow(left, depth + 1):
                    continue
            self._join(at, other)
            return True
        return False

    def _partners(self, at: int) -> Iterator[int]:
        """LUTs not yet seen that fit: first those without a mate."""
        lut = self.luts[at]
        near = self.near[at]
        yield from (n for n in near if n not in self._seen and n not in self.mate)
        yield from (n for n in near if n not in self._seen)
        for size in range(INPUTS - len(lut.inputs), -1, -1):
            some = self._of_size[size]
            skipped = []
            while some:
                other = some.pop()
                if other in self._seen:
                    continue
                if fit(lut, self.luts[other]):
                    yield other
                else:
                    skipped.append(other)
            some.extend(reversed(skipped))

    def _join(self, one: int, other: int) -> None:
        self.mate[one], self.mate[other] = other, one
