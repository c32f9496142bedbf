# SPDX-License-Identifier: Apache-2.0
"""From SystemVerilog to gates and the library's flip-flops, module by module, ready for mapping.

The hierarchy stays as it is written: each distinct module is one text in Yosys's RTLIL, and is
mapped once however often it is instantiated. Memories become flip-flops, enables and synchronous
resets become gates where the library has no flip-flop with them. Leaves, which are circuits of
their own, are cleaned and split into gates only; the rest is optimised.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gcmforge.netlist.clock_gates import gating
from gcmforge.netlist.netlist import NetlistError
from gcmforge.netlist.targets import Target
from gcmforge.synth.yosys import Yosys, YosysError

_MODULE = re.compile(r"^(?:attribute [^\n]*\n)*module (\S+)\n(?:.*?\n)?end\n", re.M | re.S)
_GATE = re.compile(r"^  cell \$_(?!DFF|SDFF|ALDFF|DLATCH|SR_)", re.M)
_LATCHES = ("t:$dlatch", "t:$adlatch", "t:$dlatchsr", "t:$sr")
_TOP = re.compile(r"^attribute \\top 1$", re.M)
_WARNING = re.compile(r"^Warning: (.*)$", re.M)
_WARNINGS_SHOWN = 10
_NOT_OF_THE_DESIGN = ("Selection ", "Encountered `translate_off' comment")


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """One distinct module: gates, library flip-flops and instances of other modules."""

    name: str
    """As Yosys calls it, without the leading backslash."""
    rtlil: str
    gates: int
    leaf: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Elaborated:
    """A design as pieces by name."""

    pieces: Mapping[str, Piece]
    top: str
    warnings: tuple[str, ...]


def elaborate(
    files: Sequence[Path],
    target: Target,
    *,
    top: str,
    leaves: Collection[str],
    yosys: Yosys,
    liberty: Sequence[Path],
    cwd: Path,
    time_limit_s: float,
) -> Elaborated:
    """Read the files and bring them to gates; `top` may be empty where only one module fits.

    NetlistError for a latch, YosysError for text that Yosys refuses, loops of gates included.
    """
    try:
        run = yosys.run(
            _commands(files, target, top, leaves, liberty),
            time_limit_s=time_limit_s,
            cwd=cwd,
            what=f"reading {top or files[-1].name}",
        )
    except YosysError:
        _refuse_latches(cwd)
        raise
    _refuse_latches(cwd)
    pieces = {p.name: p for p in _split((cwd / "gates.il").read_text(), leaves)}
    tops = [name for name, piece in pieces.items() if _TOP.search(piece.rtlil)]
    return Elaborated(pieces=pieces, top=tops[0], warnings=_warnings(run.log))


_LEVELS = 5
"""Bounds between modules that a constant passes: opt_hier takes it across one at a time."""


def _commands(
    files: Sequence[Path],
    target: Target,
    top: str,
    leaves: Collection[str],
    liberty: Sequence[Path],
) -> list[str]:
    unused = " ".join(f"-dont_use {name}" for name in target.dont_use)
    libraries = " ".join(f"-liberty {file}" for file in liberty)
    rtl = "A:gcmforge_leaf %n"
    return [
        *(f'read_verilog -sv "{file.resolve()}"' for file in files),
        f"hierarchy -check {f'-top {top}' if top else '-auto-top'}",
        *(f"setattr -mod -set gcmforge_leaf 1 {leaf}" for leaf in sorted(leaves)),
        "proc -norom",
        f"tee -q -o latches.txt select -list {' '.join(_LATCHES)}",
        "opt_clean",
        "check -assert",
        "opt_expr",
        f"opt -fast {rtl}",
        *(command for _ in range(_LEVELS) for command in ("opt_hier", f"opt -fast {rtl}")),
        f"wreduce {rtl}",
        f"peepopt {rtl}",
        "opt_clean",
        f"alumacc {rtl}",
        f"opt -fast {rtl}",
        "memory -nordff -nomap",  # address registers stay what they are called, and one each
        f"opt -full {rtl}",
        "memory_map",
        f"opt -fast -full {rtl}",
        "techmap",
        f"opt -fast {rtl}",
        "simplemap",
        "opt -fast",
        *(f"read_liberty -lib -ignore_miss_func {file}" for file in liberty),
        *gating(target.gate),
        f"dfflibmap {libraries} {unused}",
        "opt_clean",
        f"opt -fast {rtl}",
        "setundef -zero",
        "write_rtlil gates.il",
    ]


def _refuse_latches(cwd: Path) -> None:
    listed = cwd / "latches.txt"
    lines = listed.read_text().split() if listed.is_file() else []
    latches = [line for line in lines if "/" in line]
    if latches:
        where = ", ".join(sorted({plain_name(line.split("/")[0]) for line in latches}))
        raise NetlistError(
            f"{len(latches)} latch{'es' if len(latches) > 1 else ''} in {where}: a signal is not "
            "assigned on every way through an always_comb; latches are not measured"
        )


def plain_name(name: str) -> str:
    """A module's name without what Yosys put around it for its parameters."""
    if name.startswith("$paramod"):
        return name.split("\\")[1]
    return name.removeprefix("\\")


def _split(rtlil: str, leaves: Collection[str]) -> list[Piece]:
    """The modules of a design in RTLIL, library cells left out."""
    pieces = []
    for match in _MODULE.finditer(rtlil):
        text = match.group(0)
        if re.search(r"^attribute \\blackbox 1$", text, re.M):
            continue
        name = match.group(1).removeprefix("\\")
        pieces.append(
            Piece(
                name=name,
                rtlil=text,
                gates=len(_GATE.findall(text)),
                leaf=plain_name(name) in leaves,
            )
        )
    return pieces


def _warnings(log: str) -> tuple[str, ...]:
    lines = (line for line in _WARNING.findall(log) if not line.startswith(_NOT_OF_THE_DESIGN))
    found = list(dict.fromkeys(lines))
    if len(found) > _WARNINGS_SHOWN:
        more = len(found) - _WARNINGS_SHOWN
        found = [*found[:_WARNINGS_SHOWN], f"and {more} more warnings of Yosys"]
    return tuple(f"Yosys: {text}" for text in found)
