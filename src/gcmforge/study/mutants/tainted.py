# SPDX-License-Identifier: Apache-2.0
"""Mutants that change nothing but what nobody looks at, shown by proof.

A mutant may leave other data in a register while that is not valid. Then no register stays the
same, and copies of all that differ would be a proof as large as the core. Here a mark goes with
each register instead, which says that it may differ: one mark for a bit, or for a part of a wide
word. What wide words hold is left open: it may be anything. What is computed from marked bits is marked, but where the other inputs of a gate decide
alone. A leaf with a marked input has marked outputs; one with a clock keeps its mark. ABC's pdr
shows that no output of the core is ever marked: then the core answers the same, from a reset on,
for any time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gcmforge.study.mutants.gates import RESET, Gates, Table, of_literals, proven

WIDE, PART = 64, 32
"""Words of so many bits and more have one mark for each part."""
_PASSES = 8
"""As many leaves lie one after the other at most."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Leaf:
    """A leaf that was cut out: numbers of the inputs of the circuit that it gives, and of the
    outputs that it takes."""

    gives: tuple[int, ...]
    takes: tuple[int, ...]
    clocked: bool


class Tainted:
    """Whether outputs can tell a mutant from the circuit as it is."""

    def __init__(self, gates: Gates, *, clocked_leaves: bool) -> None:
        """`clocked_leaves`: some leaves have registers; one that has a clock is taken for such."""
        self.gates = gates
        self.leaves = _leaves(gates, clocked_leaves)
        self.groups, wide = _groups(gates)
        self.of_control = [at for at in range(gates.latches) if not wide[at]]
        self.of_data = [at for at in range(gates.latches) if wide[at]]
        self.count = 1 + max(self.groups, default=-1)
        inside = {at for leaf in self.leaves for at in leaf.takes}
        self.outputs = [at for at in range(len(gates.values)) if at not in inside]

    def same(self, number: int) -> bool:
        """Whether that is shown; False also where it is not decided."""
        gates, inputs = self.gates, len(self.gates.inputs)
        clocked = [n for n, leaf in enumerate(self.leaves) if leaf.clocked]
        table = Table(inputs + gates.latches + self.count + len(clocked) + 1)
        begun = 2 * table.inputs
        given = list(range(2, 2 * (1 + inputs), 2))
        for at, (name, _) in enumerate(gates.inputs):
            if name == RESET:
                given[at] = table.and_(given[at], begun)
        first = 2 * (1 + inputs)
        state = [0] * gates.latches
        for at in (*self.of_data, *self.of_control):
            state[at], first = first, first + 2
        marks = [first + 2 * n for n in range(self.count)]
        kept = {leaf: first + 2 * (self.count + n) for n, leaf in enumerate(clocked)}
        as_it_is = table.copy(gates, 0, given, state)
        changed = table.copy(gates, number, given, state)
        found = self._marked(table, as_it_is, changed, [marks[g] for g in self.groups], kept)
        if found is None:
            return False
        next_marks, outputs, of_leaves = found
        bad = table.and_(_any(table, outputs), begun)
        after = of_literals(as_it_is, gates.next_states)
        states = [*(after[at] for at in self.of_control), *next_marks]
        states += [table.or_(kept[leaf], of_leaves[leaf]) for leaf in clocked]
        held = of_literals(as_it_is, gates.held)
        return bad == 0 or proven(table, bad, [*states, 1], held)

    def _marked(
        self,
        table: Table,
        as_it_is: Sequence[int],
        changed: Sequence[int],
        state: Sequence[int],
        kept: dict[int, int],
    ) -> tuple[list[int], list[int], list[int]] | None:
        """Marks of what comes next, by group; of outputs; of what leaves take."""
        gates = self.gates
        before: list[int] | None = None
        of_leaves = [0] * len(self.leaves)
        for _ in range(_PASSES):
            given = [0] * len(gates.inputs)
            for number, leaf in enumerate(self.leaves):
                mark = table.or_(of_leaves[number], kept.get(number, 0))
                for at in leaf.gives:
                    given[at] = mark
            marks = _through(table, gates, changed, given, state)

            def mark_of(literal: int, marks: Sequence[int] = marks) -> int:
                now = as_it_is[literal >> 1], changed[literal >> 1]
                return table.or_(marks[literal >> 1], table.xor(*now))

            before, of_leaves = (
                of_leaves,
                [
                    _any(table, [mark_of(gates.values[at]) for at in leaf.takes])
                    for leaf in self.leaves
                ],
            )
            if of_leaves == before:
                break
        else:
            return None
        parts: list[list[int]] = [[] for _ in range(self.count)]
        for at, literal in enumerate(gates.next_states):
            parts[self.groups[at]].append(mark_of(literal))
        outputs = [mark_of(gates.values[at]) for at in self.outputs]
        return [_any(table, part) for part in parts], outputs, of_leaves


def _through(
    table: Table, gates: Gates, value: Sequence[int], given: Sequence[int], state: Sequence[int]
) -> list[int]:
    """Marks of all variables: an AND is marked by a marked input whose other one is 1 or marked."""
    marks = [0, *given, *state]
    for left, right in gates.ands:
        a, b = marks[left >> 1], marks[right >> 1]
        if a == b == 0:
            marks.append(0)
            continue
        by_a = table.and_(a, table.or_(value[right >> 1] ^ (right & 1), b))
        by_b = table.and_(b, table.or_(value[left >> 1] ^ (left & 1), a))
        marks.append(table.or_(by_a, by_b))
    return marks


def _any(table: Table, marks: Sequence[int]) -> int:
    """As a balanced tree, equal ones once."""
    left = sorted(set(marks) - {0})
    while len(left) > 1:
        pairs = [left[at : at + 2] for at in range(0, len(left), 2)]
        left = [table.or_(*pair) if len(pair) == 2 else pair[0] for pair in pairs]
    return left[0] if left else 0


def _leaves(gates: Gates, some_are_clocked: bool) -> list[_Leaf]:
    """Those that give an input: what these take are the outputs with the same instance."""
    gives: dict[str, list[int]] = {}
    for at, (name, _) in enumerate(gates.inputs):
        instance, dot, _ = name.rpartition(".")
        if dot:
            gives.setdefault(instance, []).append(at)
    takes: dict[str, list[int]] = {instance: [] for instance in gives}
    clocked = set()
    for at, (name, _) in enumerate(gates.output_names):
        instance, _, pin = name.rpartition(".")
        if instance in takes:
            takes[instance].append(at)
            if some_are_clocked and pin == "clk":
                clocked.add(instance)
    return [
        _Leaf(gives=tuple(gives[one]), takes=tuple(takes[one]), clocked=one in clocked)
        for one in gives
        if takes[one]
    ]


def _groups(gates: Gates) -> tuple[list[int], list[bool]]:
    """By register the number of its mark, and whether it is of a wide word."""
    width: dict[str, int] = {}
    for name, bit in gates.latch_names:
        width[name] = max(width.get(name, 0), bit + 1)
    numbers: dict[tuple[str, int], int] = {}
    groups = [
        numbers.setdefault((name, bit // PART if width[name] >= WIDE else bit), len(numbers))
        for name, bit in gates.latch_names
    ]
    return groups, [width[name] >= WIDE for name, _ in gates.latch_names]
