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

Leaves are cut out: what goes into them is compared, and what they give may be anything, the same
for both copies.
"""

from __future__ import annotations

import re
import resource
import signal
import subprocess
import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from gcmforge.cache import cache_folder, cached, digest, keep
from gcmforge.circuit.export import Aig, and_bytes
from gcmforge.config import CoreConfig
from gcmforge.emit.core import core_files
from gcmforge.emit.leaves import leaf_modules
from gcmforge.formal.texts import modules, with_what_holds
from gcmforge.study.mutants.sites import CHOSEN
from gcmforge.study.mutants.switched import with_switches
from gcmforge.tools import run_yosys, yosys_abc, yosys_version

TIME_LIMIT_S = 1_800.0
CEC_LIMIT_S, PDR_LIMIT_S = 8, 30
"""Of the processor."""
_PORT = "mutant_chosen"
_BITS = 12
_OFF = re.compile(r"^\s*// synthesis translate_off.*?^\s*// synthesis translate_on\n", re.S | re.M)
_PORTS_END = re.compile(r"^\);\n", re.M)
_PLAIN = "-nosdff -nodffe"
_RESET = "aresetn"
_LONGEST = 200
"""Longer lines are counterexamples, of which the end is kept."""
_ROUNDS, _OWN = 4, 300
"""How often registers are given to a mutant, and how many."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Gates:
    """A circuit as AIGER has it: literals are twice a variable, odd where inverted."""

    inputs: tuple[tuple[str, int], ...]
    """Name and bit; those of initial values and of what is undefined, too."""
    latches: int
    next_states: tuple[int, ...]
    values: tuple[int, ...]
    """Of the outputs."""
    held: tuple[int, ...]
    """What is 1 in every cycle."""
    ands: tuple[tuple[int, int], ...]


def gates_of(texts: Mapping[str, str], top: str, leaves: Collection[str]) -> Gates:
    """The circuit of SystemVerilog with mutants."""
    cut = sorted(set(leaves) & modules(texts))
    with tempfile.TemporaryDirectory(prefix="gcmforge-") as name:
        folder, names = Path(name), []
        for path, text in texts.items():
            text = _OFF.sub("", text)
            if CHOSEN in text:
                text = text.replace(CHOSEN, _PORT)
                text = _PORTS_END.sub(f");\n  wire [{_BITS - 1}:0] {_PORT};\n", text, count=1)
            names.append(Path(path).name)
            (folder / names[-1]).write_text(text, encoding="utf-8")
        run_yosys(
            [
                f"read_verilog -sv -formal {' '.join(names)}",
                f"hierarchy -check -top {top}",
                *(f"blackbox {leaf}" for leaf in cut),
                *("proc -norom", "flatten"),
                *("opt_clean", f"opt -fast {_PLAIN}"),
                *("memory -nomap", "memory_map", f"opt -fast {_PLAIN}"),
                *("setundef -undriven -expose", *(f"expose -evert t:{leaf}" for leaf in cut)),
                *("async2sync", "chformal -cover -remove", "chformal -assert -remove"),
                *("chformal -lower", f"opt -fast {_PLAIN}", "techmap", "dffunmap"),
                *(f"opt -fast {_PLAIN}", "simplemap", "setundef -zero", "aigmap", "opt_clean"),
                "write_aiger -zinit -map core.map core.aig",
            ],
            time_limit_s=TIME_LIMIT_S,
            cwd=folder,
        )
        return _read(folder / "core.aig", folder / "core.map")


def _read(aig: Path, names: Path) -> Gates:
    data = aig.read_bytes()
    at = data.index(b"\n")
    words = [int(word) for word in data[:at].split()[2:]]
    inputs, latches, outputs, ands, wrong, held = [*words, 0, 0][:6]
    roots: list[int] = []
    for _ in range(latches + outputs + wrong + held):
        end = data.index(b"\n", at + 1)
        roots.append(int(data[at + 1 : end].split()[0]))
        at = end
    at += 1
    gates = []
    for number in range(ands):
        left = 2 * (1 + inputs + latches + number)
        pair = []
        for _ in range(2):
            delta = shift = 0
            while data[at] & 0x80:
                delta |= (data[at] & 0x7F) << shift
                at, shift = at + 1, shift + 7
            delta |= data[at] << shift
            at += 1
            left -= delta
            pair.append(left)
        gates.append((pair[0], pair[1]))
    named = [("", 0)] * inputs
    for line in names.read_text().splitlines():
        kind, index, *bit_and_name = line.split()
        if kind == "input":
            bit, name = bit_and_name
            named[int(index)] = (name, int(bit))
    return Gates(
        inputs=tuple(named),
        latches=latches,
        next_states=tuple(roots[:latches]),
        values=tuple(roots[latches : latches + outputs]),
        held=tuple(roots[latches + outputs + wrong :]),
        ands=tuple(gates),
    )


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
        value = [0, *inputs, *state]
        for at, (name, bit) in enumerate(gates.inputs, 1):
            if name.endswith(_PORT):
                value[at] = number >> bit & 1
        both = self.and_
        for left, right in gates.ands:
            value.append(both(value[left >> 1] ^ (left & 1), value[right >> 1] ^ (right & 1)))
        return value

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


def _of(value: Sequence[int], literals: Iterable[int]) -> list[int]:
    return [value[literal >> 1] ^ (literal & 1) for literal in literals]


class EachCycle:
    """Whether a mutant is no change in any state, reached or not."""

    def __init__(self, gates: Gates) -> None:
        self.gates, self.table = gates, _Table(len(gates.inputs) + gates.latches)
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
        return not pairs or "Networks are equivalent" in _abc("&r {}; &cec {}", both, CEC_LIMIT_S)

    def _roots(self, number: int) -> list[int]:
        gates = self.gates
        free = range(2, 2 * self.table.first, 2)
        inputs, state = free[: len(gates.inputs)], free[len(gates.inputs) :]
        value = self.table.copy(gates, number, inputs, state)
        return _of(value, (*gates.next_states, *gates.values))


class Reached:
    """Whether a mutant is no change in any state that is reached from a reset."""

    def __init__(self, gates: Gates) -> None:
        self.gates = gates

    def same(self, number: int) -> bool:
        """Whether that is shown; False also where it is not decided."""
        own: list[int] = []
        for _ in range(_ROUNDS):
            different = self._different(number, own)
            if different is None:
                return True
            own += different
            if not different or max(own) >= self.gates.latches or len(own) > _OWN:
                return False
        return False

    def _different(self, number: int, own: Sequence[int]) -> list[int] | None:
        """Next states and outputs that may differ, where the mutant has those registers of its
        own; nothing if that is not decided; None when all are the same for any time."""
        gates, inputs = self.gates, len(self.gates.inputs)
        table = _Table(inputs + gates.latches + len(own) + 4)
        low, lower, begun, ready = (2 * (table.inputs - back) for back in (3, 2, 1, 0))
        given = list(range(2, 2 * (1 + inputs), 2))
        aresetn = 1
        for at, (name, _) in enumerate(gates.inputs):
            if name == _RESET:  # first of all a reset, and each lasts two cycles at least
                first_low = table.and_(low, lower ^ 1)
                aresetn = table.and_(given[at], table.and_(begun, first_low ^ 1))
                given[at] = aresetn
        state = list(range(2 * (1 + inputs), 2 * (1 + inputs + gates.latches), 2))
        changed = list(state)
        for at, register in enumerate(own):
            changed[register] = 2 * (1 + inputs + gates.latches + at)
        roots = (*gates.next_states, *gates.values)
        as_it_is = table.copy(gates, 0, given, state)
        plain = _of(as_it_is, roots)
        other = _of(table.copy(gates, number, given, changed), roots)
        found = [at for at in range(len(roots)) if plain[at] != other[at] and at not in set(own)]
        differ = 0
        for at in found:  # outputs of the first reset are looked at by nobody
            one = table.xor(plain[at], other[at])
            one = one if at < gates.latches else table.and_(one, ready)
            differ = table.and_(differ ^ 1, one ^ 1) ^ 1
        if differ == 0:
            return None
        ours = [other[at] for at in own]
        states = [*plain[: gates.latches], *ours, aresetn ^ 1, low, 1, begun]
        held = _of(as_it_is, gates.held)
        text = table.aiger([differ], states, held)
        proof = "read {}; fold; scleanup; &get; &scorr; &put; "
        said = _abc(f"{proof}pdr", [text], PDR_LIMIT_S)
        if "solved or timed out in frame 1" in said:  # no register is left, and pdr is for these
            said = _abc(f"{proof}sat", [text], PDR_LIMIT_S).replace("UNSATISFIABLE", "proved")
        if "proved" in said:
            return None
        return found if "was asserted" in said else []


def _kept_gates(texts: Mapping[str, str], top: str, leaves: Collection[str]) -> Gates:
    """As gates_of, made once for each core."""
    here = Path(__file__).read_text()
    key = digest(here, yosys_version(), top, *sorted(leaves), *(f"{k}\n{texts[k]}" for k in texts))

    def make() -> dict[str, Any]:
        return asdict(gates_of(texts, top, leaves))

    kept = cached("gates", key[:32], make)
    return Gates(
        inputs=tuple((name, bit) for name, bit in kept["inputs"]),
        latches=kept["latches"],
        next_states=tuple(kept["next_states"]),
        values=tuple(kept["values"]),
        held=tuple(kept["held"]),
        ands=tuple((left, right) for left, right in kept["ands"]),
    )


class Equal:
    """Comparisons of one core's mutants, by their numbers in `switched`."""

    def __init__(self, config: CoreConfig) -> None:
        files, rtl, _ = core_files(config, prove=False)
        texts = with_what_holds(with_switches(files, rtl)[0])
        self._gates = _kept_gates(texts, config.top, leaf_modules(config))
        self._each_cycle, self._reached = EachCycle(self._gates), Reached(self._gates)

    def in_each_cycle(self, number: int) -> bool:
        """Whether every state and input gives the same outputs and next state."""
        return self._each_cycle.same(number)

    def where_reached(self, number: int) -> bool:
        """Whether outputs are the same from a reset on, for any time."""
        return self._reached.same(number)


def _abc(command: str, circuits: Sequence[bytes], limit_s: int) -> str:
    """What ABC says of these, counterexamples cut; nothing where it is not done in its time,
    which is the processor's. It is kept: the same question has the same answer."""
    asked = digest(
        command, str(limit_s), yosys_version(), *(sha256(data).hexdigest() for data in circuits)
    )
    file = cache_folder() / "equal" / asked[:32]
    with suppress(OSError):
        return file.read_text()
    with tempfile.TemporaryDirectory(prefix="gcmforge-") as folder:
        files = [Path(folder) / f"{number}.aig" for number in range(len(circuits))]
        for path, data in zip(files, circuits, strict=True):
            path.write_bytes(data)
        said = Path(folder) / "said"
        with said.open("wb") as out:
            run = subprocess.Popen(
                [str(yosys_abc()), "-q", command.format(*files)],
                stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            resource.prlimit(run.pid, resource.RLIMIT_CPU, (limit_s, limit_s))
            try:
                ended = run.wait()
            except BaseException:
                run.kill()
                raise
        lines = said.read_text(errors="replace").splitlines()
    told = "\n".join(line[-_LONGEST:] for line in lines) if ended == 0 else ""
    if ended in (0, -signal.SIGXCPU, -signal.SIGKILL):
        keep(file, told.encode())
    return told
