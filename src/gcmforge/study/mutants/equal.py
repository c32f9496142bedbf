# SPDX-License-Identifier: Apache-2.0
"""Mutants that are no change, shown by proof.

A circuit of ANDs and registers has the number of a mutant as an input. The mutant and the circuit
as it is are two copies of it, which share what they have in common:

    each cycle   of the whole core: from every state, every input gives the same outputs and the
                 same next state (ABC's cec). A mutant that shows only in states that are
                 never reached is not found
    reached      of the whole core: the same from every state that can be reached (ABC's pdr), where
                 a reset lasts two cycles or more.
                 Registers that then differ are given to the mutant as its own, and again all else
                 has to be the same, as long as these are few

A register that no output depends on is not looked at. Leaves are cut out: what they give may be
anything, the same for both copies if what goes into them is. A leaf with registers has to be given
the same. What goes with a transfer (a status, tlast) counts where it is valid; data, a tag and an
IV always, as they may hold no secret either.
"""

from __future__ import annotations

import re
import resource
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from gcmforge.cache import cache_folder, digest, keep
from gcmforge.circuit.export import Aig, and_bytes
from gcmforge.config import CoreConfig
from gcmforge.emit.core import core_files
from gcmforge.emit.leaves import leaf_modules
from gcmforge.formal.texts import with_what_holds
from gcmforge.study.mutants.gates import PORT, Gates, kept_gates
from gcmforge.study.mutants.switched import with_switches
from gcmforge.tools import yosys_abc, yosys_version

CEC_LIMIT_S, PDR_LIMIT_S = 8, 30
"""Of the processor."""
_RESET = "aresetn"
_TRACE = "a trace of inputs:"
_SAID = re.compile(r"(m_\w+)_(?:status|ok|tlast|tkeep)")
_ROUNDS, _OWN = 12, 600
"""How often registers are given to a mutant, and how many."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Leaf:
    """A leaf without registers: literals that it is given, and inputs of the circuit that it
    gives, as variables."""

    given: tuple[int, ...]
    gives: tuple[int, ...]


class _Ordered:
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


class _Table(Aig):
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
        value = [0, *_with_mutant(gates, number, inputs), *state]
        both = self.and_
        for left, right in gates.ands:
            value.append(both(value[left >> 1] ^ (left & 1), value[right >> 1] ^ (right & 1)))
        return value

    def copy_beside(
        self, first: Sequence[int], number: int, circuit: _Ordered, state: Sequence[int],
        own: Sequence[int],
    ) -> list[int]:  # fmt: skip
        """As `copy`, of a second copy with the inputs of the first one; leaves that are given
        something else give what is `own`, one literal for each input."""
        gates = circuit.gates
        inputs = _with_mutant(gates, number, first[1 : 1 + len(gates.inputs)])
        value = [0, *inputs, *state, *[0] * len(gates.ands)]
        start = len(value) - len(gates.ands)
        both, ands = self.and_, gates.ands
        for leaves, numbers in circuit.steps:
            for leaf in leaves:
                same = 1
                for root in leaf.given:
                    one = self.xor(*_of(first, [root]), *_of(value, [root]))
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


def _with_mutant(gates: Gates, number: int, inputs: Sequence[int]) -> list[int]:
    """The same literals, but for those that choose the mutant."""
    return [
        number >> bit & 1 if name.endswith(PORT) else literal
        for (name, bit), literal in zip(gates.inputs, inputs, strict=True)
    ]


def _of(value: Sequence[int], literals: Iterable[int]) -> list[int]:
    return [value[literal >> 1] ^ (literal & 1) for literal in literals]


def _live(gates: Gates) -> list[bool]:
    """Of each register, whether an output depends on it in any time."""
    first = 1 + len(gates.inputs)
    seen = bytearray(first + gates.latches + len(gates.ands))
    waiting = [root >> 1 for root in gates.values]
    while waiting:
        variable = waiting.pop()
        if variable < first or seen[variable]:
            continue
        seen[variable] = 1
        at = variable - first
        if at < gates.latches:
            waiting.append(gates.next_states[at] >> 1)
        else:
            waiting += [literal >> 1 for literal in gates.ands[at - gates.latches]]
    return [bool(one) for one in seen[first : first + gates.latches]]


class EachCycle:
    """Whether a mutant is no change in any state, reached or not."""

    def __init__(self, gates: Gates) -> None:
        self.gates, self.table = gates, _Table(len(gates.inputs) + gates.latches)
        live = zip(gates.next_states, _live(gates), strict=True)
        self._looked_at = (*(root for root, one in live if one), *gates.values)
        self.plain = self._roots(0)
        self.kept = len(self.table.ands)

    def same(self, number: int) -> bool:
        """Whether that is shown; False also where it is not decided."""
        changed = self._roots(number)
        pairs = sorted(
            {pair for pair in zip(self.plain, changed, strict=True) if pair[0] != pair[1]}
        )
        both = [self.table.aiger([pair[side] for pair in pairs]) for side in (0, 1)]
        self.table.forget(self.kept)
        # not `cec`: that one writes a counterexample's 44,000 inputs, for seconds
        said = "" if not pairs else _abc("&r {}; &cec {}", both, CEC_LIMIT_S)[0]
        return not pairs or "Networks are equivalent" in said

    def _roots(self, number: int) -> list[int]:
        gates = self.gates
        free = range(2, 2 * self.table.first, 2)
        inputs, state = free[: len(gates.inputs)], free[len(gates.inputs) :]
        value = self.table.copy(gates, number, inputs, state)
        return _of(value, self._looked_at)


class Reached:
    """Whether a mutant is no change in any state that is reached from a reset."""

    def __init__(self, gates: Gates) -> None:
        self.gates, self._circuit, self._live = gates, _Ordered(gates), _live(gates)
        self._of_register: dict[str, list[int]] = {}
        for at, name in enumerate(gates.registers):
            self._of_register.setdefault(name, []).append(at)
        self._valid: dict[str, int] = {}
        """Of what goes with a transfer: the output that says that there is one."""
        for name in gates.outputs:
            if found := _SAID.fullmatch(name):
                self._valid[name] = gates.outputs.index(f"{found[1]}_tvalid")

    def same(self, number: int) -> bool:
        """Whether that is shown; False also where it is not decided."""
        own: set[int] = set()
        for _ in range(_ROUNDS):
            different = self._different(number, sorted(own))
            if different is None:
                return True
            if not different or max(different) >= self.gates.latches:
                return False
            for one in different:
                own.update(self._of_register[self.gates.registers[one]])
            if len(own) > _OWN:
                return False
        return False

    def _different(self, number: int, own: Sequence[int]) -> list[int] | None:
        """Next states and outputs that differ in a trace, where the mutant has those registers of
        its own; nothing if that is not decided; None when all are the same for any time."""
        gates, inputs = self.gates, len(self.gates.inputs)
        latches = gates.latches + len(own) + 4
        table = _Table(inputs * 2 + latches)
        low, lower, begun, ready = (2 * (table.inputs - back) for back in (3, 2, 1, 0))
        given = list(range(2, 2 * (1 + inputs), 2))
        free = [0, *range(2 * (1 + inputs), 2 * (1 + 2 * inputs), 2)]  # of leaves of the mutant
        aresetn = 1
        for at, (name, _) in enumerate(gates.inputs):
            if name == _RESET:  # first of all a reset, and each lasts two cycles at least
                first_low = table.and_(low, lower ^ 1)
                aresetn = table.and_(given[at], table.and_(begun, first_low ^ 1))
                given[at] = aresetn
        first = 1 + 2 * inputs
        state = list(range(2 * first, 2 * (first + gates.latches), 2))
        changed = list(state)
        for at, register in enumerate(own):
            changed[register] = 2 * (first + gates.latches + at)
        roots = (*gates.next_states, *gates.values)
        compared = [*self._live, *self._circuit.compared]
        as_it_is = table.copy(gates, 0, given, state)
        plain = _of(as_it_is, roots)
        other = _of(table.copy_beside(as_it_is, number, self._circuit, changed, free), roots)
        owned = set(own)
        differs = {}  # outputs of the first reset are looked at by nobody
        for at in range(len(roots)):
            if plain[at] != other[at] and at not in owned and compared[at]:
                one = table.xor(plain[at], other[at])
                if at >= gates.latches:
                    valid = self._valid.get(gates.outputs[at - gates.latches])
                    there = 1 if valid is None else plain[gates.latches + valid]
                    one = table.and_(table.and_(one, ready), there)
                differs[at] = one
        differ = 0
        for one in differs.values():
            differ = table.and_(differ ^ 1, one ^ 1) ^ 1
        if differ == 0:
            return None
        ours = [other[at] for at in own]
        states = [*plain[: gates.latches], *ours, aresetn ^ 1, low, 1, begun]
        held = _of(as_it_is, gates.held)
        text = table.aiger([differ], states, held)
        proof = "read {}; fold; scleanup; &get; &scorr; &put; "
        said, trace = _abc(f"{proof}pdr", [text], PDR_LIMIT_S, trace=True)
        if "solved or timed out in frame 1" in said:  # no register is left, and pdr is for these
            said, trace = _abc(f"{proof}sat", [text], PDR_LIMIT_S, trace=True)
            said = said.replace("UNSATISFIABLE", "proved")
        if "proved" in said:
            return None
        if not trace:
            return []
        values = table.played(trace, states)
        return [at for at, one in differs.items() if values[one >> 1] ^ (one & 1)]


class Equal:
    """Comparisons of one core's mutants, by their numbers in `switched`."""

    def __init__(self, config: CoreConfig) -> None:
        files, rtl, _ = core_files(config, prove=False)
        texts = with_what_holds(with_switches(files, rtl)[0])
        self._gates = kept_gates(texts, config.top, leaf_modules(config))
        self._each_cycle, self._reached = EachCycle(self._gates), Reached(self._gates)

    def in_each_cycle(self, number: int) -> bool:
        """Whether every state and input gives the same outputs and next state."""
        return self._each_cycle.same(number)

    def where_reached(self, number: int) -> bool:
        """Whether outputs are the same from a reset on, for any time."""
        return self._reached.same(number)


def _abc(
    command: str, circuits: Sequence[bytes], limit_s: int, *, trace: bool = False
) -> tuple[str, list[str]]:
    """What ABC says of these; nothing where it is not done in its time, which is the processor's.
    With `trace` the inputs of every cycle to where it says that something is different. It is kept:
    the same question has the same answer."""
    command += "; write_cex -a {trace}" if trace else ""
    asked = digest(
        command, str(limit_s), yosys_version(), *(sha256(data).hexdigest() for data in circuits)
    )
    file = cache_folder() / "equal" / asked[:32]
    with suppress(OSError):
        told, *inputs = file.read_text().split(_TRACE)
        return told, inputs[0].split() if inputs else []
    with tempfile.TemporaryDirectory(prefix="gcmforge-") as folder:
        files = [Path(folder) / f"{number}.aig" for number in range(len(circuits))]
        for path, data in zip(files, circuits, strict=True):
            path.write_bytes(data)
        said, found = Path(folder) / "said", Path(folder) / "trace"
        with said.open("wb") as out:
            run = subprocess.Popen(
                [str(yosys_abc()), "-q", command.format(*files, trace=found)],
                stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            resource.prlimit(run.pid, resource.RLIMIT_CPU, (limit_s, limit_s))
            try:
                ended = run.wait()
            except BaseException:
                run.kill()
                raise
        told = said.read_text(errors="replace") if ended == 0 else ""
        inputs = _cycles(found.read_text()) if ended == 0 and found.is_file() else []
    if ended in (0, -signal.SIGXCPU, -signal.SIGKILL):
        keep(file, "\n".join([told, *([_TRACE, *inputs] if inputs else [])]).encode())
    return told, inputs


def _cycles(text: str) -> list[str]:
    """Inputs of each cycle, from a counterexample in AIGER's format: after its initial state."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return lines[1:]
