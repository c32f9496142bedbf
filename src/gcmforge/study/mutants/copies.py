# SPDX-License-Identifier: Apache-2.0
"""Two copies of a circuit, one with a mutant in force, that share what they have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gcmforge.circuit.export import Aig, and_bytes
from gcmforge.study.mutants.gates import BITS, PORT, Gates


@dataclass(frozen=True, kw_only=True, slots=True)
class _Leaf:
    """A leaf without registers: literals that it is given, and inputs of the circuit that it
    gives, as variables."""

    given: tuple[int, ...]
    gives: tuple[int, ...]


class Ordered:
    """A circuit with its leaves in order: what they are given before what they give."""

    def __init__(self, gates: Gates) -> None:
        self.gates = gates
        given: dict[str, list[int]] = {}
        clocked = set()
        for name, root in zip(gates.outputs, gates.values, strict=True):
            instance, _, port = name.rpartition(".")
            given.setdefault(instance, []).append(root)
            clocked |= {instance} if port == "clk" else set()
        gives: dict[str, list[int]] = {}
        for at, (name, _) in enumerate(gates.inputs, 1):
            gives.setdefault(name.rpartition(".")[0], []).append(at)
        names = sorted((given.keys() & gives.keys()) - clocked - {""})
        leaves = [_Leaf(given=tuple(given[name]), gives=tuple(gives[name])) for name in names]
        self.compared = [
            name.rpartition(".")[0] not in names for name in gates.outputs
        ]  # what goes into other leaves, and the outputs of the core
        first = 1 + len(gates.inputs) + gates.latches
        rank = [0] * (first + len(gates.ands))
        of_leaf = [-1] * len(leaves)
        while True:
            found = [1 + max(rank[root >> 1] for root in leaf.given) for leaf in leaves]
            if found == of_leaf:
                break
            of_leaf = found
            for leaf, one in zip(leaves, found, strict=True):
                for at in leaf.gives:
                    rank[at] = one
            for at, (left, right) in enumerate(gates.ands, first):
                rank[at] = max(rank[left >> 1], rank[right >> 1])
        last = max(of_leaf, default=0)
        self.steps: list[tuple[list[_Leaf], list[int]]] = [([], []) for _ in range(last + 1)]
        for leaf, one in zip(leaves, of_leaf, strict=True):
            self.steps[one][0].append(leaf)
        for at in range(len(gates.ands)):
            self.steps[rank[first + at]][1].append(at)


class Table(Aig):
    """An and-inverter graph whose last inputs are registers; of what was made last it can be rid,
    and it writes single cones."""

    @property
    def first(self) -> int:
        """The first variable that is an AND."""
        return self.inputs + 1

    def forget(self, count: int) -> None:
        """What was made after so many."""
        for pair in self.ands[count:]:
            del self._known[pair]
        del self.ands[count:]

    def copy(
        self, gates: Gates, number: int, inputs: Sequence[int], state: Sequence[int]
    ) -> list[int]:
        """Literals of all variables of the circuit with that mutant in force, from those of its
        inputs and registers."""
        value = [0, *with_mutant(gates, number, inputs), *state]
        both = self.and_
        for left, right in gates.ands:
            value.append(both(value[left >> 1] ^ (left & 1), value[right >> 1] ^ (right & 1)))
        return value

    def copy_beside(
        self, first: Sequence[int], number: int, circuit: Ordered, state: Sequence[int],
        own: Sequence[int],
    ) -> list[int]:  # fmt: skip
        """As `copy`, of a second copy with the inputs of the first one; leaves that are given
        something else give what is `own`, one literal for each input."""
        gates = circuit.gates
        inputs = with_mutant(gates, number, first[1 : 1 + len(gates.inputs)])
        value = [0, *inputs, *state, *[0] * len(gates.ands)]
        start = len(value) - len(gates.ands)
        both, ands = self.and_, gates.ands
        for leaves, numbers in circuit.steps:
            for leaf in leaves:
                same = 1
                for root in leaf.given:
                    one = self.xor(*of(first, [root]), *of(value, [root]))
                    same = both(same, one ^ 1)
                for at in leaf.gives:
                    value[at] = self.mux(same, first[at], own[at])
            for at in numbers:
                left, right = ands[at]
                value[start + at] = both(
                    value[left >> 1] ^ (left & 1), value[right >> 1] ^ (right & 1)
                )
        return value

    def played(self, trace: Sequence[str], next_states: Sequence[int]) -> bytearray:
        """Every variable in the last cycle of a trace: the inputs of each cycle, from states of
        0."""
        values = bytearray(self.first + len(self.ands))
        states = [0] * len(next_states)
        for inputs in trace:
            values[1 : self.first] = bytes([*map(int, inputs), *states])
            for at, (left, right) in enumerate(self.ands, self.first):
                values[at] = (values[left >> 1] ^ (left & 1)) & (values[right >> 1] ^ (right & 1))
            states = [values[root >> 1] ^ (root & 1) for root in next_states]
        return values

    def aiger(
        self, outputs: Iterable[int], next_states: Sequence[int] = (), held: Sequence[int] = ()
    ) -> bytes:
        """The cones of these; registers are the last variables before `first`."""
        outputs, first = list(outputs), self.first
        needed: set[int] = set()
        waiting = [root >> 1 for root in (*outputs, *next_states, *held)]
        while waiting:
            variable = waiting.pop()
            if variable >= first and variable not in needed:
                needed.add(variable)
                waiting += [literal >> 1 for literal in self.ands[variable - first]]
        number = {variable: first + at for at, variable in enumerate(sorted(needed))}

        def literal(old: int) -> int:
            return 2 * number.get(old >> 1, old >> 1) + (old & 1)

        latches = len(next_states)
        header = [first - 1 + len(needed), first - 1 - latches, latches, len(outputs), len(needed)]
        header += [0, len(held)] if held else []
        lines = ["aig " + " ".join(map(str, header))]
        lines += [str(literal(root)) for root in (*next_states, *outputs, *held)]
        body = bytearray("\n".join(lines).encode() + b"\n")
        for variable in sorted(needed):
            high, low = (literal(one) for one in self.ands[variable - first])
            body += and_bytes(2 * number[variable], high, low)
        return bytes(body)


def with_mutant(gates: Gates, number: int, inputs: Sequence[int]) -> list[int]:
    """The same literals, but for those that choose the mutant."""
    if number >> BITS:
        raise ValueError(f"mutant {number}: a circuit takes {BITS} bits of its number")
    return [
        number >> bit & 1 if name.endswith(PORT) else literal
        for (name, bit), literal in zip(gates.inputs, inputs, strict=True)
    ]


def of(value: Sequence[int], literals: Iterable[int]) -> list[int]:
    return [value[literal >> 1] ^ (literal & 1) for literal in literals]
