# SPDX-License-Identifier: Apache-2.0
"""How commands tell that they are under way, always on standard error: on a terminal a line that
changes, elsewhere a whole line now and then, so that a log shows that work goes on."""

import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gcmforge.emit.core import Progress

FIRST_S = 10.0
"""Seconds until the first line; shorter work says nothing."""
LEAST_S, MOST_S = 30.0, 300.0
"""Between two lines: a quarter of the time so far, within these bounds."""

_COUNT = re.compile(r"\b(\d[\d,]*) of (\d[\d,]*)\b")


@contextmanager
def bar() -> "Iterator[Callable[[int, int, str], None]]":
    """How many are done of how many, and what was done last."""
    if not sys.stderr.isatty():
        with _lines() as told:
            yield lambda done, total, what: told.at(f"{done:,} of {total:,}: {what}")
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    columns = (BarColumn(20), MofNCompleteColumn(), TimeLeft(), TextColumn("{task.description}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("starting", total=None)
        yield lambda done, total, what: shown.update(
            task, completed=done, total=total, description=what
        )


@contextmanager
def progress_line() -> "Iterator[Progress]":
    """What is being done; words as "3 of 12" tell how far it is, and so how long it may take."""
    if not sys.stderr.isatty():
        with _lines() as told:
            yield told.at
        return
    from rich.console import Console

    with Console(stderr=True).status("starting") as status:
        yield status.update


def counted(progress: "Progress", total: int, what: str) -> "Progress":
    """The same, with how many steps are done before the words of the next one."""
    done = -1

    def counted_step(step: str) -> None:
        nonlocal done
        done += 1
        progress(f"{done:,} of {max(total, done):,} {what}: {step}")

    return counted_step


def stepped(progress: "Progress", total: int) -> "Progress":
    """The same, with a step's number, where steps are too unlike to tell what is left."""
    number = 0

    def numbered_step(step: str) -> None:
        nonlocal number
        number += 1
        progress(f"step {number}/{max(total, number)}: {step}")

    return numbered_step


class Told:
    """What is under way, and when the next line about it is due."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._start = clock()
        self._step = "starting"
        self._begun = (self._start, 0, 0)
        """When what is counted now was first heard of: time, number done, number in all."""
        self.due = self._start + FIRST_S

    def at(self, step: str) -> None:
        """Something is done, or begun."""
        count = _count(step)
        if count:
            _, first, total = self._begun
            if count[1] != total or count[0] < first:
                self._begun = (self._clock(), *count)
        self._step = step

    def line(self) -> str:
        """What, how far, how long so far, and how long it may still take where that is known."""
        now = self._clock()
        elapsed = now - self._start
        self.due = now + min(MOST_S, max(LEAST_S, elapsed / 4))
        left = self._left_s(now)
        after = "" if left is None else f", about {_duration(left)} left"
        return f"gcmforge: {self._step}; {_duration(elapsed)} so far{after}"

    def _left_s(self, now: float) -> float | None:
        count = _count(self._step)
        start, first, _ = self._begun
        if not count or count[0] <= first:
            return None
        done, total = count
        return (now - start) * (total - done) / (done - first)


def _count(step: str) -> tuple[int, int] | None:
    """How many of how many, where a step's words say so."""
    found = _COUNT.search(step)
    if found is None:
        return None
    done, total = (int(number.replace(",", "")) for number in found.groups())
    return done, total


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60} min"


@contextmanager
def _lines() -> Iterator[Told]:
    """Lines from a thread of their own: a step may take long without a word."""
    told, ended = Told(), Event()

    def tell() -> None:
        while not ended.wait(max(0.0, told.due - time.monotonic())):
            print(told.line(), file=sys.stderr, flush=True)

    thread = Thread(target=tell, name="progress", daemon=True)
    thread.start()
    try:
        yield told
    finally:
        ended.set()
        thread.join()
