# SPDX-License-Identifier: Apache-2.0
"""Mutants judged by what `verify` plays: which of them it sees, and with what.

Each mutant runs in a process of its own, which begins with everything made: simulator, packets and
their answers. It ends at the first packet or rule that is wrong.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from gcmforge.sim.core import Core, Failure
from gcmforge.study.mutants.switched import CHOICE

TIME_LIMIT_S = 60
"""Of the processor: what else the machine does is no fault of a mutant."""
CLOCK_LIMIT_S = 20.0 * TIME_LIMIT_S
"""Of one that waits for something: no mutant should."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Part:
    """A part of a verification."""

    name: str
    play: Callable[[Core], tuple[Failure | None, int]]
    """The first that is wrong, and cycles."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Judged:
    """What became of a mutant: the part that saw it and what it said, or nothing; then also how
    many cycles each part took."""

    number: int
    by: str
    said: str
    seconds: float
    """Of the processor."""
    cycles: tuple[int, ...] = ()

    @property
    def killed(self) -> bool:
        return self.by != ""


def judge(
    core: Core,
    parts: Sequence[Part],
    numbers: Iterable[int],
    *,
    jobs: int,
    told: Callable[[Judged], object] = lambda _: None,
) -> list[Judged]:
    """Each of these mutants, `jobs` at a time."""
    core.library()
    waiting, done = list(numbers)[::-1], list[Judged]()
    running: dict[int, _Child] = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            child = _Child(core, parts, waiting.pop())
            running[child.pipe] = child
        for pipe in select.select(list(running), [], [], 1.0)[0]:
            running[pipe].read()
        for pipe, child in list(running.items()):
            if (found := child.result()) is not None:
                del running[pipe]
                done.append(found)
                told(found)
    return done


class _Child:
    """One mutant under way."""

    def __init__(self, core: Core, parts: Sequence[Part], number: int) -> None:
        self.number, self.began, self.text, self.ended = number, time.monotonic(), b"", False
        self.pipe, there = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            os.close(self.pipe)
            code = 1
            resource.setrlimit(resource.RLIMIT_CPU, (TIME_LIMIT_S, TIME_LIMIT_S))
            with suppress(BaseException):
                os.write(there, _run(core, parts, number).encode())
                code = 0
            os._exit(code)
        os.close(there)

    def read(self) -> None:
        text = os.read(self.pipe, 65536)
        self.text += text
        self.ended = not text

    def result(self) -> Judged | None:
        late = time.monotonic() - self.began > CLOCK_LIMIT_S
        if not self.ended and not late:
            return None
        if late:
            os.kill(self.pid, signal.SIGKILL)
        _, status, spent = os.wait4(self.pid, 0)
        os.close(self.pipe)
        seconds = spent.ru_utime + spent.ru_stime
        by, _, said = self.text.decode(errors="replace").partition("\n")
        cycles = () if by or status != 0 else tuple(map(int, said.split()))
        if late:
            by, said = "time", f"not done after {CLOCK_LIMIT_S:.0f} s"
        elif os.WIFSIGNALED(status) and seconds > TIME_LIMIT_S - 1:
            by, said = "time", f"not done after {TIME_LIMIT_S} s of the processor"
        elif status != 0:
            by, said = "end", f"the simulator ended with status {status}"
        return Judged(
            number=self.number, by=by, said=said if by else "", cycles=cycles, seconds=seconds,
        )  # fmt: skip


def _run(core: Core, parts: Sequence[Part], number: int) -> str:
    """In the child: the name of the part that sees the mutant, and what it says; or no name, and
    the cycles of each part."""
    cycles = []
    with tempfile.TemporaryDirectory(prefix="gcmforge-mutant-") as folder:
        os.chdir(folder)
        Path(CHOICE).write_text(f"{number}\n")
        for part in parts:
            failure, took = part.play(core)
            if failure is not None:
                return f"{part.name}\n{failure}"
            cycles.append(took)
    return "\n" + " ".join(map(str, cycles))
