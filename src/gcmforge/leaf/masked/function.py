# SPDX-License-Identifier: Apache-2.0
"""Proof of what a gadget computes: the sum of the shares, for all shares and all random bits.

Every signal is a polynomial over GF(2) in shares and random bits, and has one such form only. The
sum of the shares of each value is compared with the polynomial of its function, whose variables are
replaced by the sums of their shares. Values in between (`Gadget.marks`) become variables of their
own, step by step, so that no polynomial gets large.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from itertools import accumulate

from gcmforge.circuit import Net, Op, Proof
from gcmforge.circuit.prove import python_version
from gcmforge.leaf.masked.gadget import Gadget, Step

Polynomial = frozenset[int]
"""The monomials that are there, each a set of variables as bits."""

_ZERO: Polynomial = frozenset()
_ONE: Polynomial = frozenset([0])


def prove_function(g: Gadget) -> Proof:
    """That the shares add up to what `g.steps` say, for every input and every random bit."""
    start = time.perf_counter()
    variables = _Variables(g)
    wrong, cases = "", 0
    for step in g.steps:
        for i, wanted in enumerate(_wanted(step, variables)):
            got = _ZERO
            for share in variables.found[step.value]:
                got ^= share[i]
            cases += 1
            if got != wanted:
                wrong = wrong or f"bit {i} of {step.value} is another polynomial"
    return Proof(
        kind="function",
        circuit=g.module,
        passed=not wrong,
        cases=cases,
        seconds=time.perf_counter() - start,
        detail=wrong or "the shares of every bit add up to the polynomial of its function",
        tools=python_version(),
    )


class _Variables:
    """`shares`: each value's shares as variables; `found`: what the circuit has for them, as
    polynomials in the variables of earlier values."""

    def __init__(self, g: Gadget) -> None:
        self.count = 0
        self.shares: dict[str, list[list[Polynomial]]] = {}
        self.found: dict[str, list[list[Polynomial]]] = {}
        self.at: dict[Net, list[tuple[str, int, int]]] = {}
        circuit = g.pipe.circuit
        value: list[Polynomial] = [_ZERO, _ONE]
        for bus in circuit.inputs:
            share = [self.new() for _ in bus.nets]
            value += share
            role = g.roles[bus.name]
            if not isinstance(role, str):
                self.shares.setdefault(role.value, []).append(share)
        for name, shares in g.marks.items():
            self.found[name] = [[_ZERO] * len(nets) for nets in shares]
            self.shares[name] = [
                [value[net] if net < circuit.first_gate else self.new() for net in nets]
                for nets in shares
            ]
            for i, nets in enumerate(shares):
                for bit, net in enumerate(nets):
                    self.at.setdefault(net, []).append((name, i, bit))
        later: dict[Net, Polynomial] = {}  # what a register makes of a net
        stage_of = g.pipe.stage_of
        for net in range(2, circuit.net_count):
            if net >= circuit.first_gate:
                op, args = circuit.gates[net - circuit.first_gate]
                here = stage_of[net]
                read = [later.get(a, value[a]) if stage_of[a] < here else value[a] for a in args]
                value.append(_gate(op, read))
            for name, i, bit in self.at.get(net, ()):
                self.found[name][i][bit] = value[net]
                later[net] = self.shares[name][i][bit]
        for name, output in g.outputs.items():
            share = [later.get(net, value[net]) for net in circuit.output_bus(name).nets]
            self.found.setdefault(output.value, []).append(share)

    def new(self) -> Polynomial:
        self.count += 1
        return frozenset([1 << (self.count - 1)])


def _gate(op: Op, args: Sequence[Polynomial]) -> Polynomial:
    if op in (Op.XOR, Op.XNOR):
        total = args[0] ^ args[1]
    elif op in (Op.AND, Op.NAND):
        total = _product(args[0], args[1])
    elif op in (Op.OR, Op.NOR):
        total = args[0] ^ args[1] ^ _product(args[0], args[1])
    elif op is Op.NOT:
        return args[0] ^ _ONE
    else:
        total = args[2] ^ _product(args[0], args[1] ^ args[2])
    return total ^ _ONE if op in (Op.XNOR, Op.NAND, Op.NOR) else total


def _product(p: Polynomial, q: Polynomial) -> Polynomial:
    odd: set[int] = set()
    for first in p:
        for second in q:
            odd ^= {first | second}
    return frozenset(odd)


def _wanted(step: Step, variables: _Variables) -> list[Polynomial]:
    """The bits of a step's value, in the shares of its sources."""
    sums: list[Polynomial] = []
    widths = []
    for source in step.sources:
        shares = variables.shares[source]
        columns = list(zip(*shares, strict=True))
        widths.append(len(columns))
        for column in columns:
            total = _ZERO
            for share in column:
                total ^= share
            sums.append(total)
    values = [step.function(*_split(p, widths)) for p in range(1 << sum(widths))]
    width = len(variables.found[step.value][0])
    return [_substituted(_normal_form([v >> i & 1 for v in values]), sums) for i in range(width)]


def _split(pattern: int, widths: Sequence[int]) -> list[int]:
    starts = accumulate(widths, initial=0)
    return [pattern >> first & ((1 << w) - 1) for first, w in zip(starts, widths, strict=False)]


def _normal_form(table: list[int]) -> list[int]:
    """The monomials of a truth table, by the Moebius transform."""
    size = len(table)
    step = 1
    while step < size:
        for p in range(size):
            if p & step:
                table[p] ^= table[p ^ step]
        step *= 2
    return [p for p in range(size) if table[p]]


def _substituted(monomials: Sequence[int], sums: Sequence[Polynomial]) -> Polynomial:
    known: dict[int, Polynomial] = {0: _ONE}

    def product(monomial: int) -> Polynomial:
        if monomial not in known:
            low = monomial & -monomial
            known[monomial] = _product(product(monomial ^ low), sums[low.bit_length() - 1])
        return known[monomial]

    total = _ZERO
    for monomial in monomials:
        total ^= product(monomial)
    return total


def plain_value(g: Gadget, inputs: Mapping[str, int]) -> int:
    """The last value of the steps, for these values of the inputs: what the gadget is for."""
    known = dict(inputs)
    for step in g.steps:
        known[step.value] = step.function(*(known[name] for name in step.sources))
    return known[g.steps[-1].value]
