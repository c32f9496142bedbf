# SPDX-License-Identifier: Apache-2.0
"""What the joint distribution of some stable signals depends on: decided, not estimated.

Two steps. First random bits are moved: a random bit r that is read by one signal only, and that
turns this signal round whatever else it hangs on, makes it uniform and independent of all the rest;
the signal takes the place of r. Each such step is a change of variables, so that it changes no
distribution (the rule of Barthe, Belaid, Dupressoir, Fouque, Gregoire, Strub, EUROCRYPT 2015).
Then what is left is counted over all values of its variables. Nothing is sampled: the answer is
right, or it is that there are too many variables.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

from gcmforge.circuit.probing.graph import (
    ONE,
    ZERO,
    Gate,
    Node,
    ProbeGraph,
    bits,
    evaluate,
    flips,
)

MAX_VARIABLES = 22
"""Of one count: 2^22 rows."""

_MAX_TABLE = 16
"""Stable signals of a function whose table is made to find the bits that turn it round."""


class TooManyVariablesError(ValueError):
    """A joint distribution has more variables than can be counted."""


class Joint:
    """Joint distributions in one circuit. `given` are variables of which one asks whether they
    matter, `free` the uniform and independent ones; `derived` are further stable signals that are
    functions of these (a last share, of its secret and the other shares)."""

    def __init__(
        self,
        graph: ProbeGraph,
        *,
        given: Collection[Node],
        free: Collection[Node],
        derived: Mapping[Node, Gate] | None = None,
    ) -> None:
        self.graph = graph
        self.given = frozenset(given)
        self.free = frozenset(free)
        self.derived = dict(derived or {})
        self.cone = graph.cones()
        graph.check_forward(self.cone)
        self.linear = cache(self._linear)

    # ---- functions of stable signals

    def _reads(self, signal: Node) -> int:
        """The stable signals before this one."""
        if signal in self.derived:
            return sum(1 << arg for arg in self.derived[signal].args)
        if signal in self.graph.registers:
            return self.cone[self.graph.registers[signal]]
        return 0

    def _linear(self, signal: Node) -> int:
        """Those of `_reads` that turn the signal round whatever the others are."""
        if signal in self.derived:
            gate = self.derived[signal]
            width = len(gate.args)
            return sum(1 << a for i, a in enumerate(gate.args) if flips(gate.table, i, width))
        if signal not in self.graph.registers:
            return 0
        return self.terms(self.graph.registers[signal])[0]

    def terms(self, node: Node) -> tuple[int, int]:
        """A node as a sum of stable signals and a function of others: (those, the others)."""
        found = self._by_structure(node)
        if found == self.cone[node] or self.cone[node].bit_count() > _MAX_TABLE:
            return found, self.cone[node] & ~found
        return self._by_table(node)

    def _by_structure(self, node: Node) -> int:
        """Through gates that their argument turns round, and by one way only."""
        if node not in self.graph.gates:
            return self.cone[node]
        table, args = self.graph.gates[node]
        found = 0
        for i, arg in enumerate(args):
            if flips(table, i, len(args)):
                others = 0
                for k, other in enumerate(args):
                    others |= self.cone[other] * (k != i)
                found |= self._by_structure(arg) & ~others
        return found

    def _by_table(self, node: Node) -> tuple[int, int]:
        reads = list(bits(self.cone[node]))
        ones = (1 << (1 << len(reads))) - 1
        columns = {n: _column(i, len(reads)) for i, n in enumerate(reads)}
        value = self._value(node, dict(columns), ones)
        added = others = 0
        for i, signal in enumerate(reads):
            below = ~columns[signal] & ones
            changes = (value ^ value >> (1 << i)) & below
            if changes == below:
                added |= 1 << signal
            elif changes:
                others |= 1 << signal
        return added, others

    def _value(self, node: Node, known: dict[Node, Any], ones: Any) -> Any:
        """A node as words, from those of the stable signals that it hangs on."""
        todo = [node]
        while todo:
            at = todo[-1]
            if at in known:
                todo.pop()
            elif at in (ZERO, ONE):
                known[at] = ones if at == ONE else ones ^ ones
            elif at in self.graph.registers and at not in self.graph.gates:
                raise AssertionError("a stable signal without a value")
            else:
                gate = self.graph.gates[at]
                missing = [arg for arg in gate.args if arg not in known]
                todo += missing
                if not missing:
                    known[at] = evaluate(gate.table, [known[arg] for arg in gate.args], ones)
        return known[node]

    # ---- the first step

    def simplified(self, observed: int) -> tuple[int, frozenset[Node]]:
        """(signals that are still to be looked at, signals that have become free variables)."""
        fresh: set[Node] = set()
        while True:
            readers = self._readers(observed, fresh)
            free = [n for n in readers if n in self.free or n in fresh]
            for node in free:
                if observed >> node & 1 and not readers[node]:
                    observed &= ~(1 << node)  # uniform, and nothing else hangs on it
                    break
                if not observed >> node & 1 and len(readers[node]) == 1:
                    (reader,) = readers[node]
                    if self.linear(reader) >> node & 1:
                        fresh.add(reader)
                        break
            else:
                return observed, frozenset(fresh)

    def _readers(self, observed: int, fresh: Collection[Node]) -> dict[Node, set[Node]]:
        """Every stable signal that the observed ones hang on, and which of them read it."""
        readers: dict[Node, set[Node]] = {node: set() for node in bits(observed)}
        todo = list(readers)
        while todo:
            node = todo.pop()
            if node in fresh or node in self.free or node in self.given:
                continue
            for arg in bits(self._reads(node)):
                if arg not in readers:
                    readers[arg] = set()
                    todo.append(arg)
                readers[arg].add(node)
        return readers

    # ---- the second step

    def matters(self, observed: int) -> frozenset[Node]:
        """The given variables that the joint distribution of these signals depends on.

        Random bits are moved first; then the rest is counted. TooManyVariablesError if that is too
        much."""
        observed, fresh = self.simplified(observed)
        reached = self._readers(observed, fresh)
        given = sorted(n for n in reached if n in self.given and n not in fresh)
        if not given:
            return frozenset()
        free = sorted(n for n in reached if n in self.free or n in fresh)
        if len(given) + len(free) > MAX_VARIABLES:
            raise TooManyVariablesError(
                f"{len(given)} given and {len(free)} free variables are more than {MAX_VARIABLES}"
            )
        return self._counted(observed, fresh, free, given)

    def _counted(
        self, observed: int, fresh: Collection[Node], free: list[Node], given: list[Node]
    ) -> frozenset[Node]:
        import numpy as np

        variables = free + given
        size = 1 << len(variables)
        index = np.arange(size, dtype=np.int64)
        known: dict[Node, Any] = {
            node: (index >> i & 1).astype(np.uint8) for i, node in enumerate(variables)
        }
        key = np.zeros(size, dtype=np.int64)
        for place, node in enumerate(bits(observed)):
            if place > 62:
                raise TooManyVariablesError("more than 63 signals in one count")
            key |= self._signal(node, known, np.uint8(1)).astype(np.int64) << place
        rows = np.sort(key.reshape(1 << len(given), 1 << len(free)), axis=1)
        found = set()
        for i, node in enumerate(given):
            pair = rows.reshape(-1, 2, 1 << i, rows.shape[1])
            if not np.array_equal(pair[:, 0], pair[:, 1]):
                found.add(node)
        return frozenset(found)

    def _signal(self, node: Node, known: dict[Node, Any], one: Any) -> Any:
        """A stable signal over all values of the variables."""
        if node not in known:
            for arg in bits(self._reads(node)):
                self._signal(arg, known, one)
            if node in self.derived:
                gate = self.derived[node]
                known[node] = evaluate(gate.table, [known[arg] for arg in gate.args], one)
            elif node in self.graph.registers:
                known[node] = self._value(self.graph.registers[node], known, one)
            else:
                raise ValueError(f"{self.graph.node_name(node)}: an input without a role")
        return known[node]


def _column(i: int, width: int) -> int:
    """The word in which bit p is bit i of p, for 2^width patterns."""
    block = ((1 << (1 << i)) - 1) << (1 << i)
    word, length = block, 2 << i
    while length < 1 << width:
        word |= word << length
        length *= 2
    return word
