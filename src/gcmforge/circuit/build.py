# SPDX-License-Identifier: Apache-2.0
"""The Builder: gates are asked for one by one, hashed, folded, and frozen into a Circuit.

Folding never adds gates beyond the one asked for (a MUX with one constant leg becomes NOT and
AND, or NOT and OR, of equal area). Nets of a Builder are numbered as they are made; `build`
renumbers them as `Circuit` states.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from gcmforge.circuit.cost import DELAY
from gcmforge.circuit.ir import FIRST_INPUT, ONE, ZERO, Bus, Circuit, Gate, Label, Net, Op

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
COMPLEMENT = {
    Op.XOR: Op.XNOR, Op.XNOR: Op.XOR, Op.AND: Op.NAND,
    Op.NAND: Op.AND, Op.OR: Op.NOR, Op.NOR: Op.OR,
}  # fmt: skip


class Builder:
    """Makes one Circuit; equal gates are made once, constants and repeated arguments fold away."""

    def __init__(self, name: str) -> None:
        _check_name(name)
        self.name = name
        self._gates: list[Gate | None] = [None, None]  # None: constant or input
        self._arrival: list[int] = [0, 0]  # hundredths of T_A
        self._section_of: list[int] = [0, 0]
        self._sections: list[str] = [""]
        self._current = 0
        self._known: dict[Gate, Net] = {}
        self._labels: list[tuple[str, tuple[tuple[int, Net], ...], bool]] = []
        self._inputs: list[Bus] = []
        self._outputs: list[Bus] = []
        self._names: set[str] = {"clk", "en_i"}

    # ---- ports and names

    def input(self, name: str, width: int) -> tuple[Net, ...]:
        """A new input bus; element i of the answer is bit i."""
        self._claim(name)
        if width < 1:
            raise ValueError(f"input {name!r}: width must be at least 1, not {width}")
        first = len(self._gates)
        self._gates += [None] * width
        self._arrival += [0] * width
        self._section_of += [0] * width
        bus = Bus(name, tuple(range(first, first + width)))
        self._inputs.append(bus)
        return bus.nets

    def output(self, name: str, nets: Iterable[Net]) -> None:
        """A new output bus; nets[i] is bit i."""
        bus = Bus(name, tuple(nets))
        if not bus.nets:
            raise ValueError(f"output {name!r}: needs at least one net")
        self._check_nets(bus.nets)
        self._claim(name)
        self._outputs.append(bus)

    @contextmanager
    def section(self, title: str) -> Iterator[None]:
        """Gates made inside are printed together under this comment; sections may nest."""
        before = self._current
        if title not in self._sections:
            self._sections.append(title)
        self._current = self._sections.index(title)
        try:
            yield
        finally:
            self._current = before

    def label(self, nets: Net | Sequence[Net] | Mapping[int, Net], name: str) -> None:
        """Name a net, or a bus of nets (nets[i] is bit i), in the printed text.

        A net keeps its first name; inputs and constants keep theirs. A name that is taken gets
        the suffix _2, _3, ... in order of asking.
        """
        scalar = isinstance(nets, int)
        if isinstance(nets, int):
            nets = (nets,)
        bits = tuple(nets.items() if isinstance(nets, Mapping) else enumerate(nets))
        self._check_nets(net for _, net in bits)
        unique, n = name, 1
        while unique in self._names:
            n += 1
            unique = f"{name}_{n}"
        self._claim(unique)
        self._labels.append((unique, bits, scalar))

    def _claim(self, name: str) -> None:
        _check_name(name)
        if name in self._names:
            raise ValueError(f"{self.name}: the name {name!r} is taken; choose another")
        self._names.add(name)

    def _check_nets(self, nets: Iterable[Net]) -> None:
        for net in nets:
            if not 0 <= net < len(self._gates):
                raise ValueError(f"{self.name}: net {net} does not exist")

    # ---- gates

    def const(self, value: int) -> Net:
        """The constant net 0 or 1."""
        if value not in (0, 1):
            raise ValueError(f"a constant net is 0 or 1, not {value}")
        return ONE if value else ZERO

    def xor(self, p: Net, q: Net) -> Net:
        return self._parity(p, q, 0)

    def xnor(self, p: Net, q: Net) -> Net:
        return self._parity(p, q, 1)

    def _parity(self, p: Net, q: Net, flip: int) -> Net:
        """p ^ q ^ flip; constants and inverters move into flip."""
        p, flip_p = self._strip(p)
        q, flip_q = self._strip(q)
        flip ^= flip_p ^ flip_q
        if p == q:
            return flip
        if ZERO in (p, q):
            rest = q if p == ZERO else p
            return self.not_(rest) if flip else rest
        return self._make(Op.XNOR if flip else Op.XOR, p, q)

    def _strip(self, net: Net) -> tuple[Net, int]:
        """(net without an inverter, whether there was one); the constant 1 is an inverted 0."""
        if net == ONE:
            return ZERO, 1
        gate = self._gates[net]
        return (gate.args[0], 1) if gate and gate.op is Op.NOT else (net, 0)

    def and_(self, p: Net, q: Net) -> Net:
        folded = self._fold_and(p, q)
        return self._make(Op.AND, p, q) if folded is None else folded

    def nand(self, p: Net, q: Net) -> Net:
        folded = self._fold_and(p, q)
        return self._make(Op.NAND, p, q) if folded is None else self.not_(folded)

    def or_(self, p: Net, q: Net) -> Net:
        folded = self._fold_or(p, q)
        return self._make(Op.OR, p, q) if folded is None else folded

    def nor(self, p: Net, q: Net) -> Net:
        folded = self._fold_or(p, q)
        return self._make(Op.NOR, p, q) if folded is None else self.not_(folded)

    def _fold_and(self, p: Net, q: Net) -> Net | None:
        if ZERO in (p, q) or self._complementary(p, q):
            return ZERO
        if p in (ONE, q):
            return q
        return p if q == ONE else None

    def _fold_or(self, p: Net, q: Net) -> Net | None:
        if ONE in (p, q) or self._complementary(p, q):
            return ONE
        if p in (ZERO, q):
            return q
        return p if q == ZERO else None

    def _complementary(self, p: Net, q: Net) -> bool:
        (p, flip_p), (q, flip_q) = self._strip(p), self._strip(q)
        if p == q:
            return flip_p != flip_q
        gate_p, gate_q = self._gates[p], self._gates[q]
        if not gate_p or not gate_q or gate_p.args != gate_q.args or flip_p != flip_q:
            return False
        return COMPLEMENT.get(gate_p.op) is gate_q.op

    def not_(self, p: Net) -> Net:
        if p in (ZERO, ONE):
            return ONE - p
        gate = self._gates[p]
        if gate and gate.op is Op.NOT:
            return gate.args[0]
        if gate and gate.op in COMPLEMENT:  # its complement may be there already
            twin = self._known.get(Gate(COMPLEMENT[gate.op], gate.args))
            if twin is not None:
                return twin
        return self._make(Op.NOT, p)

    def mux(self, sel: Net, if1: Net, if0: Net) -> Net:
        """if1 when sel is 1, else if0."""
        if sel in (ZERO, ONE):
            return if1 if sel else if0
        if if1 == if0:
            return if1
        if if1 in (ZERO, ONE) or if0 in (ZERO, ONE):
            return self._mux_with_constant(sel, if1, if0)
        if self._complementary(if1, if0):
            return self.xor(sel, if0)
        return self._make(Op.MUX, sel, if1, if0)

    def _mux_with_constant(self, sel: Net, if1: Net, if0: Net) -> Net:
        if if1 == ONE:
            return self.or_(sel, if0)
        if if0 == ZERO:
            return self.and_(sel, if1)
        if if1 == ZERO:
            return self.and_(self.not_(sel), if0)
        return self.or_(self.not_(sel), if1)

    def gate(self, op: Op, args: Sequence[Net]) -> Net:
        """The gate `op` over args, hashed and folded like the named methods."""
        method = {
            Op.XOR: self.xor, Op.XNOR: self.xnor, Op.AND: self.and_, Op.NAND: self.nand,
            Op.OR: self.or_, Op.NOR: self.nor, Op.NOT: self.not_, Op.MUX: self.mux,
        }[op]  # fmt: skip
        return method(*args)  # type: ignore[operator, no-any-return]

    def as_it_is(self, op: Op, args: Sequence[Net]) -> Net:
        """The gate `op` over args, hashed and not folded."""
        return self._make(op, *args)

    def xor_sum(self, nets: Iterable[Net]) -> Net:
        """The XOR of all nets as a tree of least delay; nets that occur twice cancel.

        The two terms that are ready first are joined first (ties: in the order given), which
        gives the least depth for the arrival times at hand.
        """
        odd: dict[Net, None] = {}
        for net in nets:
            if net in odd:
                del odd[net]
            else:
                odd[net] = None
        heap = [(self._arrival[net], order, net) for order, net in enumerate(odd)]
        heapq.heapify(heap)
        order = len(heap)
        while len(heap) > 1:
            first, second = heapq.heappop(heap), heapq.heappop(heap)
            net = self.xor(first[2], second[2])
            heapq.heappush(heap, (self._arrival[net], order, net))
            order += 1
        return heap[0][2] if heap else ZERO

    def arrival(self, net: Net) -> float:
        """The slowest path from an input to this net, in T_A."""
        return self._arrival[net] / 100

    def _make(self, op: Op, *args: Net) -> Net:
        gate = Gate(op, args if op is Op.MUX else tuple(sorted(args)))
        known = self._known.get(gate)
        if known is not None:
            return known
        self._check_nets(args)
        net = len(self._gates)
        self._gates.append(gate)
        self._arrival.append(DELAY[op] + max(self._arrival[arg] for arg in args))
        self._section_of.append(self._current)
        self._known[gate] = net
        return net

    # ---- composition and the end

    def instance(self, c: Circuit, **buses: Sequence[Net]) -> dict[str, tuple[Net, ...]]:
        """c's gates made again here on the given input buses; its output buses by name."""
        value = [ZERO, ONE]
        for bus in c.inputs:
            nets = buses[bus.name]
            if len(nets) != bus.width:
                raise ValueError(f"{c.name}.{bus.name} has {bus.width} bits, not {len(nets)}")
            value += nets
        for op, args in c.gates:
            value.append(self.gate(op, [value[arg] for arg in args]))
        return {bus.name: tuple(value[net] for net in bus.nets) for bus in c.outputs}

    def build(self) -> Circuit:
        """The frozen circuit: gates that reach no output are dropped, order is kept."""
        live = self._live()
        number = [-1] * len(self._gates)
        number[ZERO], number[ONE] = ZERO, ONE
        count = FIRST_INPUT
        for net in [n for bus in self._inputs for n in bus.nets] + live:
            number[net] = count
            count += 1
        gates = [gate for net in live if (gate := self._gates[net]) is not None]
        used = sorted({self._section_of[net] for net in live} | {0})
        index = {old: new for new, old in enumerate(used)}
        return Circuit(
            name=self.name,
            inputs=tuple(_renumber(bus, number) for bus in self._inputs),
            outputs=tuple(_renumber(bus, number) for bus in self._outputs),
            gates=tuple(Gate(g.op, tuple(number[a] for a in g.args)) for g in gates),
            sections=tuple(self._sections[old] for old in used),
            section_of=tuple(index[self._section_of[net]] for net in live),
            labels=self._live_labels(number),
        )

    def _live(self) -> list[Net]:
        """Gate nets that reach an output, in the order they were made."""
        seen: set[Net] = set()
        todo = [net for bus in self._outputs for net in bus.nets]
        while todo:
            net = todo.pop()
            gate = self._gates[net]
            if gate is not None and net not in seen:
                seen.add(net)
                todo += gate.args
        return sorted(seen)

    def _live_labels(self, number: Sequence[int]) -> tuple[Label, ...]:
        named: set[Net] = set()
        labels = []
        for name, nets, scalar in self._labels:
            bits = []
            for i, net in nets:
                if number[net] >= 0 and self._gates[net] is not None and net not in named:
                    named.add(net)
                    bits.append((i, number[net]))
            if bits:
                labels.append(Label(name, tuple(bits), scalar))
        return tuple(labels)


def _renumber(bus: Bus, number: Sequence[int]) -> Bus:
    return Bus(bus.name, tuple(number[net] for net in bus.nets))


def _check_name(name: str) -> None:
    if not _IDENTIFIER.match(name):
        raise ValueError(f"{name!r} is not a Verilog identifier; use letters, digits and _")
