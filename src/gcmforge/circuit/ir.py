# SPDX-License-Identifier: Apache-2.0
"""Straight-line programs over one-bit nets.

Net numbering of a `Circuit`: net 0 is the constant 0, net 1 the constant 1, then the bits of the
input buses in port order (bit 0 of a bus first), then one net for each gate in topological order.
A bus is a tuple of nets in which element i is bit i; as an int, bit i has weight 2^i.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

Net = int
ZERO: Net = 0
ONE: Net = 1
FIRST_INPUT: Net = 2


class Op(StrEnum):
    """What a gate computes; MUX takes (select, value if 1, value if 0)."""

    XOR = "xor"
    XNOR = "xnor"
    AND = "and"
    NAND = "nand"
    OR = "or"
    NOR = "nor"
    NOT = "not"
    MUX = "mux"


ARITY = dict.fromkeys(Op, 2) | {Op.NOT: 1, Op.MUX: 3}


class Gate(NamedTuple):
    """One gate; its output net follows from its place in `Circuit.gates`."""

    op: Op
    args: tuple[Net, ...]


class Bus(NamedTuple):
    """A port: nets[i] is bit i."""

    name: str
    nets: tuple[Net, ...]

    @property
    def width(self) -> int:
        return len(self.nets)


class Label(NamedTuple):
    """A printed name for internal nets: pairs (bit index, net); bits whose gate died are absent."""

    name: str
    bits: tuple[tuple[int, Net], ...]
    scalar: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Circuit:
    """A combinational circuit; `gates[k]` drives net `first_gate + k`, arguments come first.

    `section_of[k]` indexes `sections` (comment texts) for gate k.
    """

    name: str
    inputs: tuple[Bus, ...]
    outputs: tuple[Bus, ...]
    gates: tuple[Gate, ...]
    sections: tuple[str, ...] = ("",)
    section_of: tuple[int, ...] = ()
    labels: tuple[Label, ...] = ()

    @property
    def input_width(self) -> int:
        """Bits of all input buses together."""
        return sum(bus.width for bus in self.inputs)

    @property
    def output_width(self) -> int:
        """Bits of all output buses together."""
        return sum(bus.width for bus in self.outputs)

    @property
    def first_gate(self) -> Net:
        """The net that `gates[0]` drives."""
        return FIRST_INPUT + self.input_width

    @property
    def net_count(self) -> int:
        return self.first_gate + len(self.gates)

    @property
    def output_nets(self) -> tuple[Net, ...]:
        return tuple(net for bus in self.outputs for net in bus.nets)

    def input_bus(self, name: str) -> Bus:
        return _find(self.inputs, name, "input", self.name)

    def output_bus(self, name: str) -> Bus:
        return _find(self.outputs, name, "output", self.name)


@dataclass(frozen=True, kw_only=True, slots=True)
class PipelinedCircuit:
    """A circuit in stages 0 .. stages-1; latency is stages - 1 cycles, outputs are not registered.

    `stage_of[net]` is the stage in which a net is computed (inputs and constants: 0). A net that
    is read in a later stage passes one register at every boundary between. `period` bounds the
    delay of each stage in T_A, with `head_delay` before the inputs in the first one and
    `tail_delay` after the outputs in the last.
    """

    circuit: Circuit
    stages: int
    stage_of: tuple[int, ...]
    period: float
    tail_delay: float = 0.0
    head_delay: float = 0.0

    @property
    def last_use(self) -> tuple[int, ...]:
        """For each net the last stage that reads it (outputs are read in the last stage)."""
        c = self.circuit
        last = list(self.stage_of)
        for net, gate in enumerate(c.gates, c.first_gate):
            for arg in gate.args:
                last[arg] = max(last[arg], self.stage_of[net])
        for net in c.output_nets:
            last[net] = self.stages - 1
        last[ZERO] = last[ONE] = 0
        return tuple(last)

    @property
    def cut_registers(self) -> tuple[int, ...]:
        """Flip-flops at each of the stages - 1 boundaries."""
        cuts = [0] * (self.stages - 1)
        for first, last in zip(self.stage_of, self.last_use, strict=True):
            for k in range(first, last):
                cuts[k] += 1
        return tuple(cuts)

    @property
    def registers(self) -> int:
        """All flip-flops."""
        return sum(self.cut_registers)


def combinational(c: Circuit) -> PipelinedCircuit:
    """c as a pipeline of one stage, without registers."""
    return PipelinedCircuit(circuit=c, stages=1, stage_of=(0,) * c.net_count, period=float("inf"))


def _find(buses: tuple[Bus, ...], name: str, kind: str, where: str) -> Bus:
    for bus in buses:
        if bus.name == name:
            return bus
    known = ", ".join(bus.name for bus in buses)
    raise KeyError(f"{where} has no {kind} bus {name!r}; it has {known}")


def check(c: Circuit) -> None:
    """Raise ValueError unless numbering, arity and topological order hold."""
    inputs = tuple(net for bus in c.inputs for net in bus.nets)
    if inputs != tuple(range(FIRST_INPUT, c.first_gate)):
        raise ValueError(f"{c.name}: input nets must be numbered from {FIRST_INPUT} in port order")
    if len(c.section_of) != len(c.gates):
        raise ValueError(f"{c.name}: section_of needs one entry for each of {len(c.gates)} gates")
    for net, gate in enumerate(c.gates, c.first_gate):
        if len(gate.args) != ARITY[gate.op]:
            raise ValueError(f"{c.name}: net {net}: {gate.op} takes {ARITY[gate.op]} arguments")
        if not all(0 <= arg < net for arg in gate.args):
            raise ValueError(f"{c.name}: net {net}: arguments {gate.args} must come earlier")
    if not all(0 <= net < c.net_count for net in c.output_nets):
        raise ValueError(f"{c.name}: an output names a net that does not exist")


def fanout_counts(c: Circuit) -> list[int]:
    """For each net, how many gate arguments and output bits read it."""
    counts = [0] * c.net_count
    for gate in c.gates:
        for arg in gate.args:
            counts[arg] += 1
    for net in c.output_nets:
        counts[net] += 1
    return counts
