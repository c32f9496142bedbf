# SPDX-License-Identifier: Apache-2.0
"""Adapter for ABC's model checkers: a circuit's properties, all at once or one by one."""

from __future__ import annotations

import re
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from gcmforge.tools import ToolError, yosys_abc

_FAILED = re.compile(r"Output\s+(\d+) (?:of miter \S+ )?was asserted in frame\s+(\d+)")
_GRACE_S = 60.0
_STEP_HOLDS = "Networks are equivalent"


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """What a checker found: proven, or false after so many cycles, or neither in its time."""

    proven: bool
    false_at: int | None
    seconds: float


def induction(aig: Path, *, depth: int, number: int | None = None) -> Verdict:
    """Whether a property, or all of them together, follow for a cycle from so many before it.

    That is the step alone: that they hold in the first cycles is to be found by `bounded`.
    """
    chosen = "orpos" if number is None else _cone(number)
    text, seconds = _run(f"read {aig}; fold; {chosen}; ind -F {depth} -C 1000000", 600.0)
    return Verdict(proven=_STEP_HOLDS in text, false_at=None, seconds=seconds)


def reachability(aig: Path, number: int, *, limit_s: float) -> Verdict:
    """Property-directed reachability (PDR) of one property, by its number."""
    alone = aig.with_suffix(f".{number}.aig")
    script = f"read {aig}; fold; {_cone(number)}; write {alone}; pdr -T {limit_s:.0f}"
    text, seconds = _run(script, limit_s + _GRACE_S)
    failed = _FAILED.search(text)
    return Verdict(
        proven="Property proved" in text or _is_never(alone),
        false_at=int(failed[2]) if failed else None,
        seconds=seconds,
    )


def _is_never(aig: Path) -> bool:
    """Whether a circuit's one output is the constant 0, for which ABC has no answer."""
    header, output, *_ = aig.read_bytes().split(b"\n", 2)
    latches, outputs, gates = (int(word) for word in header.split()[3:6])
    return (latches, outputs, gates, output) == (0, 1, 0, b"0")


def _cone(number: int) -> str:
    """What one property depends on, alone."""
    return f"&get -n; &cone -O {number} -R 1; &put; scleanup"


def bounded(
    aig: Path, *, cycles: int, limit_s: float, first: bool = False
) -> tuple[dict[int, int], int, float]:
    """Properties that are false within so many cycles, each with the cycle, or the first of them;
    cycles that were looked at; seconds."""
    every = "" if first else "-a "
    script = f"read {aig}; fold; bmc3 {every}-v -F {cycles} -T {limit_s:.0f}"
    text, seconds = _run(script, limit_s + _GRACE_S)
    failed = {int(found[1]): int(found[2]) for found in _FAILED.finditer(text)}
    frames = [int(found) for found in re.findall(r"^\s*(\d+)\s*\+ :", text, re.M)]
    return failed, max(frames, default=-1) + 1, seconds


def _run(script: str, limit_s: float) -> tuple[str, float]:
    began = time.perf_counter()
    try:
        done = subprocess.run(
            [str(yosys_abc()), "-q", script],
            capture_output=True,
            text=True,
            timeout=limit_s,
        )
    except subprocess.TimeoutExpired as error:
        text = error.stdout or b""
        return text.decode() if isinstance(text, bytes) else text, time.perf_counter() - began
    # bmc3 may die once it has found outputs false: these stand, and cycles up to there
    if done.returncode != 0 and not _FAILED.search(done.stdout):
        raise ToolError(f"yosys-abc ended with code {done.returncode}: {script}\n{done.stdout}")
    return done.stdout, time.perf_counter() - began
