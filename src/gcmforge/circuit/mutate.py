# SPDX-License-Identifier: Apache-2.0
"""Circuits that are wrong in one gate, to see a proof fail."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gcmforge.circuit.ir import ONE, Circuit, Gate, Net, Op

_OTHER_OPS = {
    Op.XOR: (Op.XNOR, Op.OR, Op.AND),
    Op.XNOR: (Op.XOR, Op.NOR, Op.NAND),
    Op.AND: (Op.NAND, Op.OR, Op.XOR),
    Op.NAND: (Op.AND, Op.NOR, Op.XNOR),
    Op.OR: (Op.NOR, Op.AND, Op.XOR),
    Op.NOR: (Op.OR, Op.NAND, Op.XNOR),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Mutation:
    """`circuit` has `now` where the original had `before` driving `net`."""

    net: Net
    before: Gate
    now: Gate
    circuit: Circuit

    def __str__(self) -> str:
        return f"net {self.net}: {_text(self.before)} -> {_text(self.now)}"


def _text(gate: Gate) -> str:
    return f"{gate.op}({', '.join(map(str, gate.args))})"


def mutations(
    c: Circuit, *, nets: Iterable[Net] | None = None, seed: int = 0
) -> Iterator[Mutation]:
    """Every change of operation, and one random change of each argument, gate by gate.

    nets limits the gates; a changed argument is an earlier net (input or gate) that the gate does
    not read yet. An inverter becomes a wire, a multiplexer swaps its legs.
    """
    rng = random.Random(seed)
    for net in range(c.first_gate, c.net_count) if nets is None else nets:
        before = c.gates[net - c.first_gate]
        for now in [*_other_ops(before), *_other_args(before, net, rng)]:
            gates = list(c.gates)
            gates[net - c.first_gate] = now
            changed = dataclasses.replace(c, gates=tuple(gates))
            yield Mutation(net=net, before=before, now=now, circuit=changed)


def _other_ops(gate: Gate) -> Iterator[Gate]:
    if gate.op is Op.NOT:
        yield Gate(Op.AND, gate.args * 2)
    elif gate.op is Op.MUX:
        yield Gate(Op.MUX, (gate.args[0], gate.args[2], gate.args[1]))
    else:
        for op in _OTHER_OPS[gate.op]:
            yield Gate(op, gate.args)


def _other_args(gate: Gate, net: Net, rng: random.Random) -> Iterator[Gate]:
    choices = [n for n in rng.sample(range(ONE + 1, net), min(8, net - 2)) if n not in gate.args]
    for place, choice in zip(range(len(gate.args)), choices, strict=False):
        args = list(gate.args)
        args[place] = choice
        yield Gate(gate.op, tuple(args))
