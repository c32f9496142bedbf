# SPDX-License-Identifier: Apache-2.0
"""The circuit of a core with mutants, as ANDs and registers: the number of the mutant in force is
an input of each module, and leaves are cut out."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from gcmforge.cache import cached, digest
from gcmforge.formal.texts import modules
from gcmforge.sim.properties import module_of
from gcmforge.study.mutants.sites import CHOSEN
from gcmforge.tools import ToolError, run_yosys, yosys_version

TIME_LIMIT_S = 1_800.0
PORT = "mutant_chosen"
"""The last part of the names of those inputs."""
BITS = 12
_OFF = re.compile(r"^\s*// synthesis translate_off.*?^\s*// synthesis translate_on\n", re.S | re.M)
_PORTS_END = re.compile(r"^\);\n", re.M)
_PLAIN = "-nosdff -nodffe"
_PURE = {"aes_sbox", "aes_mix_column", "gf128_dot", "gf128_mul"}
"""Leaves that remember nothing but what is on its way through them."""
_NAME = re.compile(r"^module (\w+)", re.M)
_LATENCY = re.compile(r"^// Latency: (\d+) cycles", re.M)
_DECLARED = re.compile(r"^ +(input|output) +logic +(\[\d+:0\])? *(\w+),?$", re.M)


@dataclass(frozen=True, kw_only=True)
class Gates:
    """A circuit as AIGER has it: literals are twice a variable, odd where inverted."""

    inputs: tuple[tuple[str, int], ...]
    """Name and bit; those of initial values and of what is undefined, too."""
    registers: tuple[str, ...]
    """Name of each latch, without its bit."""
    next_states: tuple[int, ...]
    outputs: tuple[str, ...]
    values: tuple[int, ...]
    """Of the outputs."""
    held: tuple[int, ...]
    """What is 1 in every cycle."""
    ands: tuple[tuple[int, int], ...]

    @property
    def latches(self) -> int:
        return len(self.registers)

    @cached_property
    def live(self) -> list[bool]:
        """Of each register, whether an output depends on it in any time."""
        first = 1 + len(self.inputs)
        seen = bytearray(first + self.latches + len(self.ands))
        waiting = [root >> 1 for root in self.values]
        while waiting:
            variable = waiting.pop()
            if variable < first or seen[variable]:
                continue
            seen[variable] = 1
            at = variable - first
            if at < self.latches:
                waiting.append(self.next_states[at] >> 1)
            else:
                waiting += [literal >> 1 for literal in self.ands[at - self.latches]]
        return [bool(one) for one in seen[first : first + self.latches]]


def gates_of(texts: Mapping[str, str], top: str, leaves: Collection[str]) -> Gates:
    """The circuit of SystemVerilog with mutants."""
    cut = sorted(set(leaves) & modules(texts))
    texts = {
        name: _function(text) if module_of(text) in _PURE.intersection(cut) else text
        for name, text in texts.items()
    }
    cut = [f"{leaf}_now" if leaf in _PURE else leaf for leaf in cut]
    with tempfile.TemporaryDirectory(prefix="gcmforge-") as name:
        folder, names = Path(name), []
        for path, text in texts.items():
            text = _OFF.sub("", text)
            if CHOSEN in text:
                text = text.replace(CHOSEN, PORT)
                text, found = _PORTS_END.subn(f");\n  wire [{BITS - 1}:0] {PORT};\n", text, count=1)
                if not found or text.index(PORT) != text.index(f"{PORT};\n"):
                    raise ToolError(f"{path}: no place before its first mutant to declare {PORT}")
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
    names_of: dict[str, list[str]] = {"latch": [""] * latches, "output": [""] * outputs}
    for line in names.read_text().splitlines():
        kind, index, *bit_and_name = line.split()
        if kind == "input":
            bit, name = bit_and_name
            named[int(index)] = (name, int(bit))
        elif kind in names_of:
            names_of[kind][int(index)] = bit_and_name[-1]
    return Gates(
        inputs=tuple(named),
        registers=tuple(names_of["latch"]),
        next_states=tuple(roots[:latches]),
        outputs=tuple(names_of["output"]),
        values=tuple(roots[latches : latches + outputs]),
        held=tuple(roots[latches + outputs + wrong :]),
        ands=tuple(gates),
    )


def _function(text: str) -> str:
    """A leaf as a function without registers, to be cut out, and registers after it: as many as its
    latency has cycles, all with its enable. Its own registers stand inside, and hold as much."""
    name, latency = _NAME.search(text), _LATENCY.search(text)
    ports = _DECLARED.findall(text)
    if not name or not latency or not ports:
        raise ToolError("a leaf without a name, ports or a latency in its header")
    data = [one for one in ports if one[2] not in ("clk", "en_i")]
    declared = [f"{way} logic {width} {port}" for way, width, port in data]
    pins = [f".{port}({port}{'_at_0' if way == 'output' else ''})" for way, _, port in data]
    enable = "if (en_i) " if "en_i" in {port for _, _, port in ports} else ""
    cycles = int(latency[1])
    body = []
    for way, width, port in data:
        if way == "output":
            names = [f"{port}_at_{at}" for at in range(cycles + 1)]
            body.append(f"  logic {width} {', '.join(names)};")
            body += [
                f"  always_ff @(posedge clk) {enable}{after} <= {before};"
                for before, after in pairwise(names)
            ]
            body.append(f"  assign {port} = {names[-1]};")
    every = [f"{way} logic {width} {port}" for way, width, port in ports]
    return "\n".join(
        [
            f"module {name[1]}_now ({', '.join(declared)});\nendmodule",
            f"module {name[1]} ({', '.join(every)});",
            *body,
            f"  {name[1]}_now u_now ({', '.join(pins)});",
            "endmodule\n",
        ]
    )


def kept_gates(texts: Mapping[str, str], top: str, leaves: Collection[str]) -> Gates:
    """As gates_of, made once for each core."""
    here = Path(__file__).read_text()
    key = digest(here, yosys_version(), top, *sorted(leaves), *(f"{k}\n{texts[k]}" for k in texts))

    def make() -> dict[str, Any]:
        return asdict(gates_of(texts, top, leaves))

    kept = cached("gates", key[:32], make)
    return Gates(
        inputs=tuple((name, bit) for name, bit in kept["inputs"]),
        registers=tuple(kept["registers"]),
        next_states=tuple(kept["next_states"]),
        outputs=tuple(kept["outputs"]),
        values=tuple(kept["values"]),
        held=tuple(kept["held"]),
        ands=tuple((left, right) for left, right in kept["ands"]),
    )
