# SPDX-License-Identifier: Apache-2.0
"""From SystemVerilog to gates and the library's flip-flops, module by module, ready for mapping.

Each distinct module is one text in Yosys's RTLIL, and is mapped once however often it is
instantiated. A module with one instance becomes part of the module around it (merged.py), so a
design costs the same whether it is written as one module or as ten. Memories become flip-flops,
enables and synchronous resets become gates where the library has no flip-flop with them. Leaves,
which are circuits of their own, are cleaned and split into gates only; the rest is optimised.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gcmforge.netlist.clock_gates import gating
from gcmforge.netlist.netlist import NetlistError
from gcmforge.netlist.targets import Target
from gcmforge.synth.merged import modules_to_merge
from gcmforge.synth.names import plain_name
from gcmforge.synth.yosys import Yosys, YosysError

_MODULE = re.compile(r"^(?:attribute [^\n]*\n)*module (\S+)\n(?:.*?\n)?end\n", re.M | re.S)
_GATE = re.compile(r"^  cell \$_(?!DFF|SDFF|ALDFF|DLATCH|SR_)", re.M)
_CELL = re.compile(r"^  cell \\?(\S+) ", re.M)
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
    what = f"reading {top or files[-1].name}"
    try:
        read = yosys.run(_read(files, top, leaves), time_limit_s=time_limit_s, cwd=cwd, what=what)
    except YosysError:
        _refuse_latches(cwd)
        raise
    _refuse_latches(cwd)
    written = {
        name: Counter(_CELL.findall(text))
        for name, text in _modules_of((cwd / "read.il").read_text())
    }
    merged = modules_to_merge(written, leaves)
    commands = [*_merge(sorted(written.keys() - merged)), *_to_gates(target, liberty)]
    made = yosys.run(commands, time_limit_s=time_limit_s, cwd=cwd, what=what)
    pieces = {p.name: p for p in _split((cwd / "gates.il").read_text(), leaves)}
    tops = [name for name, piece in pieces.items() if _TOP.search(piece.rtlil)]
    return Elaborated(pieces=pieces, top=tops[0], warnings=_warnings(read.log + made.log))


_LEVELS = 5
"""Bounds between modules that a constant passes: opt_hier takes it across one at a time."""


def _read(files: Sequence[Path], top: str, leaves: Collection[str]) -> list[str]:
    """Processes become registers and multiplexers; the hierarchy is as it is written."""
    return [
        *(f'read_verilog -sv "{file.resolve()}"' for file in files),
        f"hierarchy -check {f'-top {top}' if top else '-auto-top'}",
        *(f"setattr -mod -set gcmforge_leaf 1 {leaf}" for leaf in sorted(leaves)),
        "proc -norom",
        f"tee -q -o latches.txt select -list {' '.join(_LATCHES)}",
        "opt_clean",
        "check -assert",
        "write_rtlil read.il",
    ]


def _merge(stay: Sequence[str]) -> list[str]:
    """Every module that does not stay one is put into those that instantiate it."""
    return [
        "read_rtlil read.il",
        *(f"setattr -mod -set keep_hierarchy 1 {_selected(name)}" for name in stay),
        "flatten -noscopeinfo",
        "setattr -mod -unset keep_hierarchy",
        "opt_clean",
        "check -assert",  # a loop through several modules is seen here only
    ]


def _to_gates(target: Target, liberty: Sequence[Path]) -> list[str]:
    unused = " ".join(f"-dont_use {name}" for name in target.dont_use)
    libraries = " ".join(f"-liberty {file}" for file in liberty)
    rtl = "A:gcmforge_leaf %n"
    return [
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


def _split(rtlil: str, leaves: Collection[str]) -> list[Piece]:
    """The modules of a design in RTLIL, library cells left out."""
    return [
        Piece(
            name=name,
            rtlil=text,
            gates=len(_GATE.findall(text)),
            leaf=plain_name(name) in leaves,
        )
        for name, text in _modules_of(rtlil)
    ]


def _modules_of(rtlil: str) -> Iterator[tuple[str, str]]:
    """Name, without the leading backslash, and text of each module that is no library cell."""
    for match in _MODULE.finditer(rtlil):
        if not re.search(r"^attribute \\blackbox 1$", match.group(0), re.M):
            yield match.group(1).removeprefix("\\"), match.group(0)


def _selected(name: str) -> str:
    """A module's name as Yosys's selections take it."""
    return name if name.startswith("$") else f"\\{name}"


def _warnings(log: str) -> tuple[str, ...]:
    lines = (line for line in _WARNING.findall(log) if not line.startswith(_NOT_OF_THE_DESIGN))
    found = list(dict.fromkeys(lines))
    if len(found) > _WARNINGS_SHOWN:
        more = len(found) - _WARNINGS_SHOWN
        found = [*found[:_WARNINGS_SHOWN], f"and {more} more warnings of Yosys"]
    return tuple(f"Yosys: {text}" for text in found)
