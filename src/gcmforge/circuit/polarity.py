# SPDX-License-Identifier: Apache-2.0
"""Products by NAND: in a sum of products every complement can wait for the next XOR.

The complement of a term of an XOR is the complement of the sum, and an XNOR is as large and as fast
as an XOR.  So each AND that feeds nothing but XORs becomes a NAND (1 GE and not 1.25, and smaller
and faster in every cell library), and an XOR over one complement becomes an XNOR; nothing after
the first level of XORs changes its value.
"""

from __future__ import annotations

import dataclasses

from gcmforge.circuit.build import COMPLEMENT
from gcmforge.circuit.ir import Circuit, Gate, Net, Op

_SUMS = (Op.XOR, Op.XNOR)


def with_nands(c: Circuit) -> Circuit:
    """The same function with a NAND for each AND whose readers are all XOR or XNOR gates.

    Nets keep their numbers and sections; a net that is now complemented loses its label.
    """
    complemented = _ands_that_only_sums_read(c)
    gates = []
    for net, gate in enumerate(c.gates, c.first_gate):
        odd = sum(arg in complemented for arg in gate.args) % 2
        flip = net in complemented or (gate.op in _SUMS and odd)
        gates.append(Gate(COMPLEMENT[gate.op], gate.args) if flip else gate)
    labels = []
    for label in c.labels:
        bits = tuple((i, net) for i, net in label.bits if net not in complemented)
        if bits:
            labels.append(label._replace(bits=bits))
    return dataclasses.replace(c, gates=tuple(gates), labels=tuple(labels))


def _ands_that_only_sums_read(c: Circuit) -> set[Net]:
    ands = {net for net, gate in enumerate(c.gates, c.first_gate) if gate.op is Op.AND}
    ands -= set(c.output_nets)
    for gate in c.gates:
        if gate.op not in _SUMS:
            ands.difference_update(gate.args)
    return ands
