# SPDX-License-Identifier: Apache-2.0
"""Mutants that are no change, shown by proof.

A circuit of ANDs and registers has the number of a mutant as an input. The mutant and the circuit
as it is are two copies of it, which share what they have in common:

    each cycle   of the whole core: from every state, every input gives the same outputs and the
                 same next state (ABC's cec). A mutant that shows only in states that are
                 never reached is not found
    reached      the same from every state that can be reached (ABC's pdr) from a reset of two
                 cycles: of the mutant's module, or of those that it is in, up to the whole core.
                 Registers that then differ are given to the mutant as its own, and again all else
                 has to be the same, as long as these are few

What modules keep and require (gcmforge.sim.properties) is relied upon where it is reached, once it
is shown that a trace of some cycles keeps to it. A module has to be the same with all parameters
that it has in the core, whatever it is given otherwise. Its outputs count from the second cycle on,
those of the core from the third. Later resets of the core last two cycles or more; those of a
module inside may last one, as `zeroise` has such. A register that no output depends on is not
looked at. Leaves are cut out: what they give may be anything, the same for both copies if what goes
into them is. A leaf with registers has to be given the same. What goes with a transfer of the core
(a status, tlast) counts where it is valid; data, a tag and an IV always, as they may hold no secret
either.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from pathlib import Path

from gcmforge.config import CoreConfig
from gcmforge.emit.core import core_files
from gcmforge.emit.leaves import leaf_modules
from gcmforge.formal.circuit import variants
from gcmforge.formal.texts import users_of, with_its_parts, with_parameters, with_what_holds
from gcmforge.sim.properties import module_of
from gcmforge.study.mutants.copies import Ordered, Table, of
from gcmforge.study.mutants.gates import Gates, kept_gates
from gcmforge.study.mutants.questions import ask_abc
from gcmforge.study.mutants.switched import with_switches
from gcmforge.synth.yosys import Yosys

CEC_LIMIT_S, PDR_LIMIT_S, INSIDE_LIMIT_S = 8, 30, 15
"""Of the processor; the last one of a module inside."""
_RESETS = {"aresetn": 0, "rst": 1}
"""Input -> the value that resets."""
_KEEPS = 8
"""Cycles without a reset in which what is relied upon has to be possible."""
_SAID = re.compile(r"(m_\w+)_(?:status|ok|tlast|tkeep)")
_WORD = re.compile(r"\[\d+\]$")
_ROUNDS, _OWN = 12, 600
"""How often registers are given to a mutant, and how many."""
_CORE = "gcm_axis_core"
"""The module that is all of the core but what guards its ports."""


class EachCycle:
    """Whether a mutant is no change in any state, reached or not."""

    def __init__(self, gates: Gates) -> None:
        self.gates, self.table = gates, Table(len(gates.inputs) + gates.latches)
        live = zip(gates.next_states, gates.live, strict=True)
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
        said = "" if not pairs else ask_abc("&r {}; &cec {}", both, CEC_LIMIT_S)[0]
        return not pairs or "Networks are equivalent" in said

    def _roots(self, number: int) -> list[int]:
        gates = self.gates
        free = range(2, 2 * self.table.first, 2)
        inputs, state = free[: len(gates.inputs)], free[len(gates.inputs) :]
        value = self.table.copy(gates, number, inputs, state)
        return of(value, self._looked_at)


class Reached:
    """Whether a mutant is no change in any state that is reached from a reset: of a whole core, or
    of a module inside."""

    def __init__(self, gates: Gates, *, whole: bool = True) -> None:
        self.gates, self._circuit, self._whole = gates, Ordered(gates), whole
        self._limit_s = PDR_LIMIT_S if whole else INSIDE_LIMIT_S
        self._possible = not gates.held
        self._of_register: dict[str, list[int]] = {}
        """Words of a memory are one."""
        for at, name in enumerate(gates.registers):
            self._of_register.setdefault(_WORD.sub("", name), []).append(at)
        self._valid: dict[str, int] = {}
        """Of what goes with a transfer: the output that says that there is one."""
        for name in gates.outputs if whole else ():
            if found := _SAID.fullmatch(name):
                self._valid[name] = gates.outputs.index(f"{found[1]}_tvalid")

    def same(self, number: int) -> bool:
        """Whether that is shown; False also where it is not decided."""
        if not self._possible:
            self._possible = self._can_be()
        if not self._possible:
            raise AssertionError("no trace keeps to all that is relied upon")
        own: set[int] = set()
        for _ in range(_ROUNDS):
            different = self._different(number, sorted(own))
            if different is None:
                return True
            if not different or max(different) >= self.gates.latches:
                return False
            for one in different:
                own.update(self._of_register[_WORD.sub("", self.gates.registers[one])])
            if len(own) > _OWN:
                return False
        return False

    def _different(self, number: int, own: Sequence[int]) -> list[int] | None:
        """Next states and outputs that differ in a trace, where the mutant has those registers of
        its own; nothing if that is not decided; None when all are the same for any time."""
        gates, inputs = self.gates, len(self.gates.inputs)
        latches = gates.latches + len(own) + 4
        table = Table(inputs * 2 + latches)
        low, lower, begun, ready = (2 * (table.inputs - back) for back in (3, 2, 1, 0))
        given = list(range(2, 2 * (1 + inputs), 2))
        free = [0, *range(2 * (1 + inputs), 2 * (1 + 2 * inputs), 2)]  # of leaves of the mutant
        aresetn, looked_at = 1, ready if self._whole else begun
        for at, high in self._resets():  # first of all two cycles of it
            goes_on = table.and_(low, lower ^ 1) if self._whole else 0
            may_end = begun if self._whole else ready
            aresetn = table.and_(given[at] ^ high, table.and_(may_end, goes_on ^ 1))
            given[at] = aresetn ^ high
        first = 1 + 2 * inputs
        state = list(range(2 * first, 2 * (first + gates.latches), 2))
        changed = list(state)
        for at, register in enumerate(own):
            changed[register] = 2 * (first + gates.latches + at)
        roots = (*gates.next_states, *gates.values)
        compared = [*gates.live, *self._circuit.compared]
        as_it_is = table.copy(gates, 0, given, state)
        plain = of(as_it_is, roots)
        other = of(table.copy_beside(as_it_is, number, self._circuit, changed, free), roots)
        owned = set(own)
        differs = {}
        for at in range(len(roots)):
            if plain[at] != other[at] and at not in owned and compared[at]:
                one = table.xor(plain[at], other[at])
                if at >= gates.latches:
                    name = gates.outputs[at - gates.latches]
                    valid = self._valid.get(name)
                    there = 1 if valid is None else plain[gates.latches + valid]
                    if "." not in name:  # else into a leaf that may keep it
                        one = table.and_(table.and_(one, looked_at), there)
                differs[at] = one
        differ = 0
        for one in differs.values():
            differ = table.and_(differ ^ 1, one ^ 1) ^ 1
        if differ == 0:
            return None
        ours = [other[at] for at in own]
        states = [*plain[: gates.latches], *ours, aresetn ^ 1, low, 1, begun]
        held = of(as_it_is, gates.held)
        text = table.aiger([differ], states, held)
        proof = "read {}; fold; scleanup; &get; &scorr; &put; "
        said, trace = ask_abc(f"{proof}pdr", [text], self._limit_s, trace=True)
        if "solved or timed out in frame 1" in said:  # no register is left, and pdr is for these
            said, trace = ask_abc(f"{proof}sat", [text], self._limit_s, trace=True)
            said = said.replace("UNSATISFIABLE", "proved")
        if "proved" in said:
            return None
        if not trace:
            return []
        values = table.played(trace, states)
        return [at for at, one in differs.items() if values[one >> 1] ^ (one & 1)]

    def _resets(self) -> list[tuple[int, int]]:
        """Inputs that reset, and the value that does."""
        names = enumerate(name for name, _ in self.gates.inputs)
        return [(at, _RESETS[name]) for at, name in names if name in _RESETS]

    def _can_be(self) -> bool:
        """Whether there is a trace that keeps to what is relied upon, with two cycles of reset and
        some without."""
        gates, inputs = self.gates, len(self.gates.inputs)
        table = Table(inputs + gates.latches + _KEEPS + 2)
        given = list(range(2, 2 * (1 + inputs), 2))
        *free, begun, ready = range(2 * (1 + inputs), 2 * table.first, 2)
        state, count = free[: gates.latches], free[gates.latches :]
        goes = ready
        for at, high in self._resets():
            goes = table.and_(given[at] ^ high, ready)
            given[at] = goes ^ high
        value = table.copy(gates, 0, given, state)
        counted = [goes, *(table.and_(one, goes) for one in count[:-1])]
        states = [*of(value, gates.next_states), *counted, 1, begun]
        text = table.aiger([count[-1]], states, of(value, gates.held))
        said, _ = ask_abc(f"read {{}}; fold; bmc3 -F {_KEEPS + 4}", [text], PDR_LIMIT_S)
        return "asserted in frame" in said


class Equal:
    """Comparisons of one core's mutants, by their numbers in `switched`."""

    def __init__(self, config: CoreConfig) -> None:
        files, rtl, _ = core_files(config, prove=False)
        self._texts, self._top = with_what_holds(with_switches(files, rtl)[0]), config.top
        self._leaves = leaf_modules(config)
        with tempfile.TemporaryDirectory(prefix="gcmforge-") as folder:
            plain = {name: files[name] for name in rtl}
            self._sizes = variants(plain, config.top, Yosys(), Path(folder))
        self._made: dict[tuple[str, int], Reached] = {}
        gates = kept_gates(self._texts, self._top, self._leaves)
        self._each_cycle, self._core = EachCycle(gates), Reached(gates)

    def in_each_cycle(self, number: int) -> bool:
        """Whether every state and input gives the same outputs and next state."""
        return self._each_cycle.same(number)

    def where_reached(self, number: int, module: str) -> bool:
        """Whether outputs are the same from a reset on, for any time: those of the module that has
        the mutant, or of all that it is in."""
        users = {name: users_of(self._texts, name) for name in self._sizes}
        return same_upwards(module, users, {self._top, _CORE}, lambda one: self._same(number, one))

    def _same(self, number: int, module: str) -> bool:
        """Of a module with each of its parameters, or of the core."""
        if module in {self._top, _CORE}:
            return self._core.same(number)
        return all(
            self._of_module(module, which, size).same(number)
            for which, size in enumerate(self._sizes[module])
        )

    def _of_module(self, module: str, which: int, size: Mapping[str, int]) -> Reached:
        if (module, which) not in self._made:
            texts = with_its_parts(self._texts, module)
            texts = {
                name: with_parameters(text, size) if module_of(text) == module else text
                for name, text in texts.items()
            }
            gates = kept_gates(texts, module, self._leaves)
            self._made[module, which] = Reached(gates, whole=False)
        return self._made[module, which]


def same_upwards(
    module: str,
    users: Mapping[str, Sequence[str]],
    core: Collection[str],
    same: Callable[[str], bool],
) -> bool:
    """Whether a module is the same, or else all that it is in; of the core, whose modules are not
    asked if one of them is reached, it is asked once. `users`: of each module of the design."""
    asked = cache(same)
    level = {module}
    while level:
        if found := level & set(core):
            return asked(min(found))
        different = [name for name in level if not asked(name)]
        found_in = {name: {user for user in users[name] if user in users} for name in different}
        if not all(found_in.values()):
            return False
        level = set().union(*found_in.values())
    return True
