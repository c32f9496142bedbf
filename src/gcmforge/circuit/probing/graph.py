# SPDX-License-Identifier: Apache-2.0
"""A masked circuit as a probe sees it: signals that are stable in a cycle, and gates in between.

Stable are inputs and what registers give. Everything else may glitch: a wire can show, for a while,
any function of the stable signals that it hangs on. A probe on a wire is therefore taken to see all
of them (Faust, Grosso, Merino Del Pozo, Paglialonga, Standaert, TCHES 2018(3): glitch-extended
probes). Registers delay and do nothing else, so each signal is a function of the inputs that belong
to the same computation; a circuit whose registers feed back is no such graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from gcmforge.circuit.ir import Net, Op, PipelinedCircuit

Node = int
ZERO, ONE = 0, 1


class Share(NamedTuple):
    """A bus that carries one share of a value: the value is the XOR of its shares."""

    value: str
    number: int


RANDOM = "random"
PUBLIC = "public"
Role = Share | str
"""What an input bus carries: a share, fresh random bits, or what everybody may know."""

_TABLES = {
    Op.XOR: 0b0110, Op.XNOR: 0b1001, Op.AND: 0b1000, Op.NAND: 0b0111,
    Op.OR: 0b1110, Op.NOR: 0b0001, Op.NOT: 0b01, Op.MUX: 0b11011000,
}  # fmt: skip
"""Bit p: the value where argument i is bit i of p. MUX takes (select, value if 1, value if 0)."""


class Gate(NamedTuple):
    """A function of some nodes, as a truth table: bit p is its value where args[i] is bit i."""

    table: int
    args: tuple[Node, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class ProbeGraph:
    """Nodes are numbers; 0 and 1 are the constants, and each other one is an input, a register
    or a gate. `registers` has what a register takes over. Names are for reports."""

    name: str
    inputs: Mapping[str, tuple[Node, ...]]
    outputs: Mapping[str, tuple[Node, ...]]
    gates: Mapping[Node, Gate]
    registers: Mapping[Node, Node]
    names: Mapping[Node, str]

    @classmethod
    def of_pipeline(cls, pipe: PipelinedCircuit) -> ProbeGraph:
        """Of our own circuit: a net that is read in a later stage passes registers on its way."""
        return _Unrolled(pipe).graph()

    def node_name(self, node: Node) -> str:
        return self.names.get(node, f"n{node}")

    def cones(self, marks: Mapping[Node, int] | None = None) -> dict[Node, int]:
        """For each node the stable ones that it hangs on, as a set of bits: itself if stable.

        marks: bits that stand for a stable node, in place of one of its own; none, if it has none
        there. A large netlist takes few of them.
        """
        cone = {ZERO: 0, ONE: 0}
        stable = [*self.registers, *(node for bus in self.inputs.values() for node in bus)]
        cone |= {node: 1 << node if marks is None else marks.get(node, 0) for node in stable}
        for start in self.gates:
            todo = [start]
            while todo:
                node = todo[-1]
                args = self._args(node) if node not in cone else ()
                missing = [arg for arg in args if arg not in cone]
                if len(todo) > len(self.gates):
                    raise ValueError(f"{self.name}: a loop of gates at {self.node_name(node)}")
                todo += missing
                if not missing:
                    todo.pop()
                    if node not in cone:
                        cone[node] = 0
                        for arg in args:
                            cone[node] |= cone[arg]
        return cone

    def _args(self, node: Node) -> tuple[Node, ...]:
        if node not in self.gates:
            raise ValueError(f"{self.name}: nothing drives {self.node_name(node)}")
        return self.gates[node].args

    def check_forward(self, cone: Mapping[Node, int]) -> None:
        """ValueError where a register feeds back to itself."""
        done: set[Node] = set()
        for start in self.registers:
            todo, open_ = [start], set[Node]()
            while todo:
                node = todo[-1]
                before = [n for n in bits(cone[self.registers[node]]) if n in self.registers]
                missing = [n for n in before if n not in done]
                if not missing:
                    done.add(todo.pop())
                elif node in open_:
                    raise ValueError(
                        f"{self.name}: {self.node_name(node)} depends on itself; a probing proof "
                        "takes circuits without feedback"
                    )
                else:
                    open_.add(node)
                    todo += missing


class _Unrolled:
    """The nodes of a pipelined circuit: one for each net in each stage in which it is there."""

    def __init__(self, pipe: PipelinedCircuit) -> None:
        self.pipe = pipe
        self.number: dict[tuple[Net, int], Node] = {}
        self.registers: dict[Node, Node] = {}
        self.names: dict[Node, str] = {}
        self.count = 2

    def graph(self) -> ProbeGraph:
        pipe, c = self.pipe, self.pipe.circuit
        labels = {net: f"{label.name}[{i}]" for label in c.labels for i, net in label.bits}
        labels |= {net: f"{bus.name}[{i}]" for bus in c.inputs for i, net in enumerate(bus.nets)}
        for net in range(2, c.net_count):
            for stage in range(pipe.stage_of[net], pipe.last_use[net] + 1):
                node = self.number[net, stage] = self.count
                self.names[node] = f"{labels.get(net, f'net {net}')} in stage {stage + 1}"
                if stage > pipe.stage_of[net]:
                    self.registers[node] = node - 1
                self.count += 1
        gates = {}
        for net, gate in enumerate(c.gates, c.first_gate):
            stage = pipe.stage_of[net]
            args = tuple(self._at(arg, stage) for arg in gate.args)
            gates[self.number[net, stage]] = Gate(_TABLES[gate.op], args)
        last = pipe.stages - 1
        return ProbeGraph(
            name=c.name,
            inputs={
                bus.name: tuple(self.number[n, pipe.stage_of[n]] for n in bus.nets)
                for bus in c.inputs
            },
            outputs={bus.name: tuple(self._at(n, last) for n in bus.nets) for bus in c.outputs},
            gates=gates,
            registers=self.registers,
            names=self.names,
        )

    def _at(self, net: Net, stage: int) -> Node:
        return net if net < 2 else self.number[net, stage]


def evaluate(table: int, args: Sequence[Any], ones: Any) -> Any:
    """A truth table over words of bits, ints or numpy rows."""
    if not args:
        return ones if table & 1 else ones ^ ones
    half = 1 << (len(args) - 1)
    low, high = table & ((1 << half) - 1), table >> half
    top, rest = args[-1], args[:-1]
    if low == high:
        return evaluate(low, rest, ones)
    full = (1 << half) - 1
    if high == low ^ full:
        return top ^ evaluate(low, rest, ones)
    if low == 0:
        return top & evaluate(high, rest, ones)
    if high == 0:
        return (top ^ ones) & evaluate(low, rest, ones)
    zero = evaluate(low, rest, ones)
    return zero ^ (top & (zero ^ evaluate(high, rest, ones)))


def flips(table: int, pin: int, width: int) -> bool:
    """Whether the function is turned round by this argument, whatever the others are."""
    return all((table >> p & 1) != (table >> (p ^ 1 << pin) & 1) for p in range(1 << width))


def bits(mask: int) -> Iterable[int]:
    """The members of a set of bits, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
