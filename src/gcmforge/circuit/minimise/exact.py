# SPDX-License-Identifier: Apache-2.0
"""The fewest gates for a few functions of a few inputs, by SAT. Needs the extra `search`.

Is there a circuit of so many gates? The question becomes clauses, in the way of A. Kojevnikov,
A. Kulikov, G. Yaroslavtsev, "Finding efficient circuits using SAT-solvers", SAT 2009: for each gate
what it reads and which function it is, for each gate and input row its value. A gate is any
function of two nets, with inversions for nothing, or a multiplexer, where they are allowed; the
number of XORs can be bounded, too. The answer is a circuit, or a proof that there is none, or
nothing when the time is over.

Functions are taken as normal, 0 for the input 0: a complement costs nothing, so nothing is lost.
"""

from __future__ import annotations

import itertools
import multiprocessing
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Literal

from gcmforge.circuit.build import Builder
from gcmforge.circuit.ir import Circuit, Net
from gcmforge.tools import ToolError

SOLVER = "cadical195"
MOST_INPUTS = 6

Literals = list[int]


@dataclass(frozen=True, kw_only=True, slots=True)
class GateBudget:
    """How many gates in all, and how many of them may be multiplexers and XORs (None: any)."""

    gates: int
    muxes: int = 0
    xors: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ExactResult:
    """The answer: a circuit (input bus x_i, output bus y_o), a proof that there is none, or
    neither within the time."""

    answer: Literal["found", "impossible", "unknown"]
    circuit: Circuit | None
    seconds: float


def exact(
    tables: Sequence[int],
    inputs: int,
    budget: GateBudget,
    *,
    seed: int = 1,
    time_limit_s: float = 60.0,
    name: str = "exact",
) -> ExactResult:
    """A circuit within the budget for the functions with these truth tables (bit t: the value for
    the input t). The seed numbers the variables; another one may be luckier."""
    if not 2 <= inputs <= MOST_INPUTS:
        raise ValueError(f"inputs={inputs}: exact search takes 2 to {MOST_INPUTS}")
    rows = (1 << inputs) - 1
    normal = [table ^ (-(table & 1) & ((1 << rows + 1) - 1)) for table in tables]
    if any(table == 0 for table in normal):
        raise ValueError("a table is constant; leave it out")
    if any(table == _projection(i, inputs) for table in normal for i in range(inputs)):
        raise ValueError("a table is that of an input; leave it out")
    began = time.monotonic()
    formula = _Formula(normal, inputs, budget)
    solved = _solve(formula.clauses, formula.variables, seed, time_limit_s)
    seconds = time.monotonic() - began
    if solved is None:
        return ExactResult(answer="unknown", circuit=None, seconds=seconds)
    if not solved:
        return ExactResult(answer="impossible", circuit=None, seconds=seconds)
    made = formula.circuit(solved, [table & 1 == 1 for table in tables], name)
    return ExactResult(answer="found", circuit=made, seconds=seconds)


def _projection(i: int, inputs: int) -> int:
    return sum(1 << t for t in range(1 << inputs) if t >> i & 1)


# Clauses ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Gate:
    """The variables of one gate: which operands, which function, its value in each row."""

    pairs: dict[tuple[int, int], int]
    muxes: dict[tuple[int, int, int], int]
    at01: int
    at10: int
    at11: int
    inverted: int
    is_xor: int
    values: list[int] = field(default_factory=list)


class _Formula:
    """All clauses; nets are the inputs, then the gates. Row t is the input t; row 0 needs none."""

    def __init__(self, tables: Sequence[int], inputs: int, budget: GateBudget) -> None:
        self.clauses: list[Literals] = []
        self.variables = 0
        self.inputs = inputs
        self.rows = range(1, 1 << inputs)
        self.gates: list[_Gate] = []
        for number in range(budget.gates):
            self.gates.append(self._gate(inputs + number, with_muxes=budget.muxes > 0))
            self._function(self.gates[-1])
        self.outputs = [self._output(table) for table in tables]
        self._all_are_used()
        self._in_order()
        muxes = [v for gate in self.gates for v in gate.muxes.values()]
        self._at_most(muxes, budget.muxes)
        if budget.xors is not None:
            self._at_most([gate.is_xor for gate in self.gates], budget.xors)

    def new(self) -> int:
        self.variables += 1
        return self.variables

    def _gate(self, below: int, *, with_muxes: bool) -> _Gate:
        pairs = {pair: self.new() for pair in itertools.combinations(range(below), 2)}
        triples = itertools.permutations(range(below), 3) if with_muxes else ()
        gate = _Gate(
            pairs=pairs, muxes={triple: self.new() for triple in triples},
            at01=self.new(), at10=self.new(), at11=self.new(), inverted=self.new(),
            is_xor=self.new(),
        )  # fmt: skip
        gate.values = [0, *(self.new() for _ in self.rows)]
        self._exactly_one([*gate.pairs.values(), *gate.muxes.values()])
        return gate

    def _function(self, gate: _Gate) -> None:
        """The gate's value in each row from those of its operands."""
        p, q, r = gate.at01, gate.at10, gate.at11
        self.clauses += [[p, q, r], [p, -q, -r], [-p, q, -r]]  # neither 0 nor an operand alone
        self.clauses += [[gate.is_xor, -p, -q, r], [-gate.is_xor, p], [-gate.is_xor, -r]]
        self.clauses.append([-gate.is_xor, q])
        for (j, k), chosen in gate.pairs.items():
            for t in self.rows:
                for a, b in itertools.product((0, 1), repeat=2):
                    when = [*self._differs(j, t, a), *self._differs(k, t, b)]
                    if 0 not in when:
                        value = (0, p, q, r)[b + 2 * a]
                        self._equal([-chosen, *(w for w in when if w != _NEVER)], gate, t, value)
        for (s, j, k), chosen in gate.muxes.items():
            self._multiplexer(gate, (s, j, k), chosen)

    def _multiplexer(self, gate: _Gate, operands: tuple[int, int, int], chosen: int) -> None:
        """s ? j : k, or s ? ~j : k where the gate is inverted."""
        s, j, k = operands
        for t in self.rows:
            for a in (0, 1):
                upper = [*self._differs(s, t, 1), *self._differs(j, t, a)]
                lower = [*self._differs(s, t, 0), *self._differs(k, t, a)]
                y = gate.values[t]
                if 0 not in upper:
                    when = [-chosen, *(w for w in upper if w != _NEVER)]
                    self.clauses += [
                        [*when, gate.inverted, y if a else -y],
                        [*when, -gate.inverted, -y if a else y],
                    ]
                if 0 not in lower:
                    when = [-chosen, *(w for w in lower if w != _NEVER)]
                    self.clauses.append([*when, y if a else -y])

    def _differs(self, net: int, t: int, value: int) -> Literals:
        """The literal that holds when the net is not `value` in row t; 0 when it always does, and
        _NEVER when it never does."""
        if net < self.inputs:
            return [_NEVER if (t >> net & 1) == value else 0]
        variable = self.gates[net - self.inputs].values[t]
        return [-variable if value else variable]

    def _equal(self, when: Literals, gate: _Gate, t: int, value: int) -> None:
        """Where none of `when` holds, the gate's value in row t is `value` (0: false)."""
        y = gate.values[t]
        if value:
            self.clauses += [[*when, -y, value], [*when, y, -value]]
        else:
            self.clauses.append([*when, -y])

    def _output(self, table: int) -> Literals:
        """For each gate the variable that says it is this output."""
        chosen = [self.new() for _ in self.gates]
        self._exactly_one(chosen)
        for variable, gate in zip(chosen, self.gates, strict=True):
            for t in self.rows:
                y = gate.values[t]
                self.clauses.append([-variable, y if table >> t & 1 else -y])
        return chosen

    def _all_are_used(self) -> None:
        for number in range(len(self.gates)):
            net = self.inputs + number
            readers = [out[number] for out in self.outputs]
            for later in self.gates[number + 1 :]:
                readers += [v for pair, v in later.pairs.items() if net in pair]
                readers += [v for triple, v in later.muxes.items() if net in triple]
            self.clauses.append(readers)

    def _in_order(self) -> None:
        """Of two neighbours that could change places the one with the lower operands is first; no
        pair is read together with a gate over it, as that is another gate over the pair."""
        for number, gate in enumerate(self.gates[:-1]):
            net, after = self.inputs + number, self.gates[number + 1]
            for pair, first in gate.pairs.items():
                for other, second in after.pairs.items():
                    if net not in other and other[::-1] < pair[::-1]:
                        self.clauses.append([-first, -second])
            for later in self.gates[number + 1 :]:
                for (j, k), first in gate.pairs.items():
                    self.clauses += [[-first, -later.pairs[j, net]], [-first, -later.pairs[k, net]]]

    def _exactly_one(self, variables: Sequence[int]) -> None:
        self.clauses.append(list(variables))
        self._at_most(variables, 1)

    def _at_most(self, variables: Sequence[int], most: int) -> None:
        """Sequential counter (Sinz 2005): after[k] says that more than k of those so far hold."""
        if most >= len(variables):
            return
        if most == 0:
            self.clauses += [[-v] for v in variables]
            return
        before: Literals = []
        for variable in variables:
            after = [self.new() for _ in range(most)]
            self.clauses.append([-variable, after[0]])
            for k, old in enumerate(before):
                self.clauses.append([-old, after[k]])
                more = [after[k + 1]] if k + 1 < most else []
                self.clauses.append([-old, -variable, *more])
            before = after

    def circuit(self, model: set[int], complements: Sequence[bool], name: str) -> Circuit:
        b = Builder(name)
        nets = list(b.input("x_i", self.inputs))
        for gate in self.gates:
            nets.append(_built(b, gate, nets, model))
        outputs = []
        for chosen, complement in zip(self.outputs, complements, strict=True):
            net = next(
                nets[self.inputs + i] for i, variable in enumerate(chosen) if variable in model
            )
            outputs.append(b.not_(net) if complement else net)
        b.output("y_o", outputs)
        return b.build()


_NEVER = 1 << 60
"""Stands for a literal that is false, and is left out of its clause."""


def _built(b: Builder, gate: _Gate, nets: Sequence[Net], model: set[int]) -> Net:
    """The gate as the model has it."""
    for (s, j, k), variable in gate.muxes.items():
        if variable in model:
            upper = b.not_(nets[j]) if gate.inverted in model else nets[j]
            return b.mux(nets[s], upper, nets[k])
    j, k = next(pair for pair, variable in gate.pairs.items() if variable in model)
    p, q = nets[j], nets[k]
    truth = tuple(v in model for v in (gate.at01, gate.at10, gate.at11))
    if truth == (True, True, False):
        return b.xor(p, q)
    if truth == (True, True, True):
        return b.or_(p, q)
    if truth == (False, False, True):
        return b.and_(p, q)
    return b.and_(b.not_(p), q) if truth[0] else b.and_(p, b.not_(q))


# Solving ------------------------------------------------------------------------------------------


def _solve(
    clauses: list[Literals], variables: int, seed: int, time_limit_s: float
) -> set[int] | None:
    """The variables that hold; empty when there is no answer; None when the time is over."""
    try:
        import pysat  # noqa: F401
    except ImportError as error:
        raise ToolError("exact search needs python-sat: pip install 'gcmforge[search]'") from error
    names = list(range(1, variables + 1))
    random.Random(seed).shuffle(names)
    renamed = [[names[v - 1] if v > 0 else -names[-v - 1] for v in clause] for clause in clauses]
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_solver, args=(renamed, sender), daemon=True)
    process.start()
    sender.close()
    try:
        if not receiver.poll(time_limit_s):
            return None
        model = receiver.recv()
    finally:
        process.terminate()
        process.join()
        receiver.close()
    back = {new: old for old, new in enumerate(names, 1)}
    return {back[v] for v in model if v > 0}


def _solver(clauses: list[Literals], sender: Connection) -> None:
    """In a process of its own, which can be ended at any time."""
    from pysat.solvers import Solver

    with Solver(name=SOLVER, bootstrap_with=clauses) as solver:
        sender.send(solver.get_model() if solver.solve() else [])
