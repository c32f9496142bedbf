# SPDX-License-Identifier: Apache-2.0
"""From SystemVerilog with properties to one circuit of ANDs and registers, in AIGER.

A register without a value at the beginning may have any. What is undefined in SystemVerilog may be
anything, too, and so may what leaves give.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gcmforge.formal.texts import Look
from gcmforge.synth.names import plain_name
from gcmforge.synth.yosys import Yosys
from gcmforge.tools import ToolError

TIME_LIMIT_S = 900.0
_UNKNOWN = re.compile(r"Identifier `\\?(\S+)' is implicitly declared")
_PLAIN = ("-nosdff", "-nodffe")


@dataclass(frozen=True, kw_only=True, slots=True)
class Circuit:
    """An AIGER file whose outputs are 1 where a property fails."""

    file: Path
    properties: tuple[str, ...]
    """Where each stands: instances and label."""


def read(texts: Mapping[str, str], top: str, leaves: Collection[str], cwd: Path) -> list[str]:
    """Commands that read the files, the leaves cut out; the files are written into cwd."""
    cut = [f"cutpoint t:{leaf}" for leaf in sorted(leaves)]
    return [*files_read(texts, top, cwd), "proc -norom", *cut, "opt_clean"]


def files_read(texts: Mapping[str, str], top: str, cwd: Path) -> list[str]:
    """Reads a design. What has to stay a module of its own when it is mapped need not here."""
    for name, text in texts.items():
        (cwd / Path(name).name).write_text(text)
    files = [f"read_verilog -sv -formal {Path(name).name}" for name in texts]
    return [*files, f"hierarchy -check -top {top}", "setattr -mod -unset keep_hierarchy"]


def variants(
    texts: Mapping[str, str], top: str, yosys: Yosys, cwd: Path
) -> dict[str, list[dict[str, int]]]:
    """The modules of a design by name, each with the parameters that it is instantiated with."""
    commands = [*files_read(texts, top, cwd), "write_rtlil hierarchy.il"]
    yosys.run(commands, time_limit_s=TIME_LIMIT_S, cwd=cwd, what=f"reading {top}")
    found: dict[str, list[dict[str, int]]] = {}
    text = (cwd / "hierarchy.il").read_text()
    for block in re.split(r"^module ", text, flags=re.M)[1:]:
        name = plain_name(block.split("\n", 1)[0].strip())
        parameters = {
            key: _number(value)
            for key, value in re.findall(r"^  parameter \\(\w+) (\S+)$", block, re.M)
        }
        found.setdefault(name, []).append(parameters)
    return found


def circuit(
    commands: Sequence[str],
    yosys: Yosys,
    cwd: Path,
    what: str,
    *,
    looks: Sequence[Look] = (),
    cut: Sequence[str] = (),
) -> Circuit | None:
    """The circuit of what the commands read; none where it has no property."""
    plain = " ".join(_PLAIN)
    names = [f"connect -set {look.name} {look.path}" for look in looks]
    steps = [
        *commands,
        "flatten",
        *names,
        *(f"cutpoint w:{name}" for name in cut),
        "delete -output o:*",  # what only they need is not needed
        "opt_clean",
        f"opt -fast {plain}",
        "memory -nomap",
        "memory_map",
        f"opt -fast {plain}",
        "async2sync",
        "chformal -cover -remove",
        "chformal -lower",
        f"opt -fast {plain}",
        "techmap",
        "dffunmap",
        f"opt -fast {plain}",
        "simplemap",
        "setundef -anyseq",
        "aigmap",
        "opt_clean",
        "write_aiger -zinit -ywmap circuit.map circuit.aig",
    ]
    log = yosys.run(steps, time_limit_s=TIME_LIMIT_S, cwd=cwd, what=what).log
    if unknown := sorted(set(_UNKNOWN.findall(log))):
        raise ToolError(f"{what}: no such name: {', '.join(unknown)}")  # it would be anything
    map_ = json.loads((cwd / "circuit.map").read_text())
    if not map_["asserts"]:
        return None
    return Circuit(
        file=cwd / "circuit.aig",
        properties=tuple(map(_path, map_["asserts"])),
    )


def _path(parts: Sequence[str]) -> str:
    return ".".join(part.removeprefix("\\") for part in parts)


def _number(text: str) -> int:
    """A parameter in RTLIL: 6, 1'1 or 32'0000..."""
    width, quote, bits = text.partition("'")
    return int(bits.removeprefix("s"), 2) if quote and set(bits) <= set("01s") else int(width)
