# SPDX-License-Identifier: Apache-2.0
"""Common subexpressions of a whole circuit."""

from __future__ import annotations

from collections.abc import Sequence

from gcmforge.circuit.build import COMPLEMENT, Builder
from gcmforge.circuit.ir import ONE, ZERO, Circuit, Gate, Op, fanout_counts


def cse(c: Circuit) -> Circuit:
    """The same function with every subexpression made once.

    Equal gates (up to the order of arguments) become one, constants and double inversions fold,
    an inverter that is the only reader of a gate turns into that gate's complement. Sums keep
    their association: `paar` is what looks for shared partial sums.
    """
    b = Builder(c.name)
    fanout = fanout_counts(c)
    nets = [ZERO, ONE]
    for bus in c.inputs:
        nets += b.input(bus.name, bus.width)
    for gate, section in zip(c.gates, c.section_of, strict=True):
        with b.section(c.sections[section]):
            op, args = _absorbed(c, gate, fanout)
            nets.append(b.gate(op, [nets[arg] for arg in args]))
    for bus in c.outputs:
        b.output(bus.name, [nets[net] for net in bus.nets])
    for label in c.labels:
        if label.scalar:
            b.label(nets[label.bits[0][1]], label.name)
        else:
            b.label({i: nets[net] for i, net in label.bits}, label.name)
    return b.build()


def _absorbed(c: Circuit, gate: Gate, fanout: Sequence[int]) -> Gate:
    """The complement of a gate whose only reader is the given inverter, else the gate itself."""
    below = gate.args[0]
    if gate.op is Op.NOT and below >= c.first_gate and fanout[below] == 1:
        inner = c.gates[below - c.first_gate]
        if inner.op in COMPLEMENT:
            return Gate(COMPLEMENT[inner.op], inner.args)
    return gate
