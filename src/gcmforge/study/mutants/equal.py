# SPDX-License-Identifier: Apache-2.0
"""Mutants that are no change: from every state, every input gives the same outputs and next state.

The whole core is one circuit of ANDs, its leaves gate by gate, with the number of a mutant as an
input. A mutant and the core as it is share what they have in common; what is left of both is
compared by ABC (cec). Registers are compared bit for bit, so a mutant that makes a difference only
in states that cannot be reached, or in a register that nobody reads, is not shown equal.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from gcmforge.config import CoreConfig
from gcmforge.emit.core import core_files
from gcmforge.study.mutants.sites import CHOSEN
from gcmforge.study.mutants.switched import with_switches
from gcmforge.tools import run_yosys, yosys_abc

TIME_LIMIT_S = 1_800.0
ABC_LIMIT_S = 60.0
_PORT = "mutant_chosen"
_BITS = 12
_OFF = re.compile(r"^\s*// synthesis translate_off.*?^\s*// synthesis translate_on\n", re.S | re.M)
_PORTS_END = re.compile(r"^\);\n", re.M)
_PLAIN = "-nosdff -nodffe"


@dataclass(frozen=True, slots=True)
class Gates:
    """A circuit as AIGER has it: literals are twice a variable, odd where inverted."""

    inputs: int
    chosen: dict[int, int]
    """Variable of an input -> the bit of the mutant's number that it is."""
    latches: int
    roots: tuple[int, ...]
    """Outputs and next states."""
    ands: tuple[tuple[int, int], ...]


def circuit(config: CoreConfig, folder: Path) -> Gates:
    """The core with all its mutants, as `switched` numbers them."""
    files, rtl, _ = core_files(config, prove=False)
    texts, _ = with_switches(files, rtl)
    names = []
    for name in rtl:
        text = _OFF.sub("", texts[name])
        if CHOSEN in text:
            text = text.replace(CHOSEN, _PORT)
            text = _PORTS_END.sub(f");\n  wire [{_BITS - 1}:0] {_PORT};\n", text, count=1)
        names.append(Path(name).name)
        (folder / names[-1]).write_text(text, encoding="utf-8")
    run_yosys(
        [
            f"read_verilog -sv {' '.join(names)}",
            f"hierarchy -check -top {config.top}",
            *("proc -norom", "flatten", "opt_clean", f"opt -fast {_PLAIN}"),
            *("memory -nomap", "memory_map", f"opt -fast {_PLAIN}", "setundef -undriven -expose"),
            *("techmap", "dffunmap", f"opt -fast {_PLAIN}", "simplemap", "setundef -zero"),
            *("aigmap", "opt_clean", "write_aiger -map core.map core.aig"),
        ],
        time_limit_s=TIME_LIMIT_S,
        cwd=folder,
    )
    return _read(folder / "core.aig", folder / "core.map")


def _read(aig: Path, names: Path) -> Gates:
    data = aig.read_bytes()
    at = data.index(b"\n")
    _, _, inputs, latches, outputs, ands, *_ = data[:at].split()
    count = int(latches) + int(outputs)
    roots: list[int] = []
    for _ in range(count):
        end = data.index(b"\n", at + 1)
        roots.append(int(data[at + 1 : end].split()[0]))
        at = end
    at += 1
    gates = []
    for number in range(int(ands)):
        left = 2 * (1 + int(inputs) + int(latches) + number)
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
    chosen = {}
    for line in names.read_text().splitlines():
        kind, index, bit, *name = line.split()
        if kind == "input" and name[0].endswith(_PORT):
            chosen[int(index) + 1] = int(bit)
    return Gates(int(inputs), chosen, int(latches), tuple(roots), tuple(gates))


class Comparison:
    """The core as it is, and mutants beside it."""

    def __init__(self, gates: Gates, folder: Path) -> None:
        self.gates, self.folder = gates, folder
        self.table: dict[tuple[int, int], int] = {}
        self.made: list[tuple[int, int]] = []
        self.first = 1 + gates.inputs + gates.latches
        self.plain = self._roots(0)
        self.kept = len(self.made)

    def same(self, number: int) -> bool:
        """Whether a mutant is shown to be no change; False also where it is not decided."""
        changed = self._roots(number)
        pairs = sorted(
            {pair for pair in zip(self.plain, changed, strict=True) if pair[0] != pair[1]}
        )
        equal = not pairs or self._proven(pairs)
        for pair in self.made[self.kept :]:
            del self.table[pair]
        del self.made[self.kept :]
        return equal

    def _roots(self, number: int) -> list[int]:
        """Literals of the roots with that mutant in force, in the table's own numbers."""
        gates, table, made, first = self.gates, self.table, self.made, self.first
        value = list(range(0, 2 * first, 2))
        for variable, bit in gates.chosen.items():
            value[variable] = number >> bit & 1
        for left, right in gates.ands:
            a = value[left >> 1] ^ (left & 1)
            b = value[right >> 1] ^ (right & 1)
            if a > b:
                a, b = b, a
            if a == 0 or a == b ^ 1:
                value.append(0)
            elif a == 1 or a == b:
                value.append(b)
            else:
                found = table.get((a, b))
                if found is None:
                    found = 2 * (first + len(made))
                    table[a, b] = found
                    made.append((a, b))
                value.append(found)
        return [value[root >> 1] ^ (root & 1) for root in gates.roots]

    def _proven(self, pairs: list[tuple[int, int]]) -> bool:
        """That all pairs of literals are equal, by ABC on what they depend on."""
        plain, other = self.folder / "plain.aig", self.folder / "other.aig"
        for side, file in ((0, plain), (1, other)):
            file.write_bytes(self._aiger([pair[side] for pair in pairs]))
        try:
            done = subprocess.run(
                [str(yosys_abc()), "-q", f"cec -T {ABC_LIMIT_S:.0f} {plain} {other}"],
                capture_output=True, text=True, timeout=2 * ABC_LIMIT_S, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return False
        return "Networks are equivalent" in done.stdout

    def _aiger(self, roots: Iterable[int]) -> bytes:
        """The cones of some literals; every input and register is an input."""
        roots, first = list(roots), self.first
        needed: set[int] = set()
        waiting = [root >> 1 for root in roots]
        while waiting:
            variable = waiting.pop()
            if variable >= first and variable not in needed:
                needed.add(variable)
                waiting += [literal >> 1 for literal in self.made[variable - first]]
        number = {variable: first + at for at, variable in enumerate(sorted(needed))}

        def literal(old: int) -> int:
            return 2 * number.get(old >> 1, old >> 1) + (old & 1)

        lines = [f"aig {first - 1 + len(needed)} {first - 1} 0 {len(roots)} {len(needed)}"]
        lines += [str(literal(root)) for root in roots]
        body = bytearray("\n".join(lines).encode() + b"\n")
        for variable in sorted(needed):
            low, high = sorted(literal(one) for one in self.made[variable - first])
            for delta in (2 * number[variable] - high, high - low):
                while delta >= 0x80:
                    body.append(delta & 0x7F | 0x80)
                    delta >>= 7
                body.append(delta)
        return bytes(body)
