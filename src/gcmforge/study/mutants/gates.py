# SPDX-License-Identifier: Apache-2.0
"""A core with its mutants as a circuit of ANDs and registers, which has the number of a mutant as
an input; copies of it that share what they have in common, and ABC's proofs about them.

Leaves are cut out: what goes into them is an output of the circuit, and what they give an input,
which may be anything.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gcmforge.circuit.export import Aig, and_bytes
from gcmforge.formal.texts import modules
from gcmforge.study.mutants.sites import CHOSEN
from gcmforge.tools import run_yosys, yosys_abc

TIME_LIMIT_S = 1_800.0
CEC_LIMIT_S, PDR_LIMIT_S = 8.0, 60.0
RESET = "aresetn"
_PORT = "mutant_chosen"
_BITS = 12
_OFF = re.compile(r"^\s*// synthesis translate_off.*?^\s*// synthesis translate_on\n", re.S | re.M)
_PORTS_END = re.compile(r"^\);\n", re.M)
_PLAIN = "-nosdff -nodffe"


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
    latch_names: tuple[tuple[str, int], ...]
    """Name and bit of each register; no name where there is none."""
    output_names: tuple[tuple[str, int], ...]


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
    named = {
        "input": [("", 0)] * inputs, "latch": [("", 0)] * latches, "output": [("", 0)] * outputs
    }  # fmt: skip
    for line in names.read_text().splitlines():
        kind, index, *bit_and_name = line.split()
        if kind in named:
            bit, name = bit_and_name
            if not named[kind][int(index)][0]:
                named[kind][int(index)] = (name, int(bit))
    return Gates(
        inputs=tuple(named["input"]),
        latches=latches,
        next_states=tuple(roots[:latches]),
        values=tuple(roots[latches : latches + outputs]),
        held=tuple(roots[latches + outputs + wrong :]),
        ands=tuple(gates),
        latch_names=tuple(named["latch"]),
        output_names=tuple(named["output"]),
    )


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


def of_literals(value: Sequence[int], literals: Iterable[int]) -> list[int]:
    return [value[literal >> 1] ^ (literal & 1) for literal in literals]


def proven(
    table: Table,
    bad: int,
    next_states: Sequence[int],
    held: Sequence[int],
    told: list[str] | None = None,
) -> bool:
    """Whether `bad` is 0 in every state that is reached from the one in which all registers are 0,
    while all of `held` are 1. What ABC says goes into `told`."""
    text = table.aiger([bad], next_states, held)
    said = abc(
        "read {files}; fold; scleanup; &get; &scorr; &put; pdr -T {limit}", [text], PDR_LIMIT_S
    )
    if told is not None:
        told.append(said)
    return "Property proved" in said


def abc(command: str, circuits: Sequence[bytes], limit_s: float) -> str:
    """What ABC says of these; nothing where it is not done in its time."""
    with tempfile.TemporaryDirectory(prefix="gcmforge-") as folder:
        files = [Path(folder) / f"{number}.aig" for number in range(len(circuits))]
        for file, data in zip(files, circuits, strict=True):
            file.write_bytes(data)
        script = command.format(limit=f"{limit_s:.0f}", files=" ".join(map(str, files)))
        try:
            done = subprocess.run(
                [str(yosys_abc()), "-q", script],
                capture_output=True, text=True, timeout=2 * limit_s, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return ""
    return done.stdout
