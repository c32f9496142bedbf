# SPDX-License-Identifier: Apache-2.0
"""What holds a reader to its limits: processor seconds, memory, the files that it may not touch."""

import contextlib
import faulthandler
import io
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LIMIT_S = 5.0
"""Processor seconds that reading one file may take."""
COMMAND_LIMIT_S = 60.0
"""And a whole command."""
STUCK_S = 1200.0
"""A process that does nothing for so long on the clock ends, and says where it was."""
MORE_MEMORY = 1 << 30
"""Bytes that reading a file may take."""

Files = dict[str, tuple[int, int, int]]


class TooLongError(BaseException):
    """The limit of processor seconds is over. No `except Exception` takes it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Ended:
    """How a call ended: with nothing, or with an error."""

    error: BaseException | None = None

    @property
    def where(self) -> str:
        """The error's type, and the last line of gcmforge that it passed."""
        frames = traceback.extract_tb(self.error.__traceback__) if self.error else []
        own = [frame for frame in frames if "/gcmforge/" in frame.filename]
        inside = [frame for frame in own if "/study/fuzz/" not in frame.filename] or own
        if not inside:
            return type(self.error).__name__
        name = inside[-1].filename.rpartition("/gcmforge/")[2]
        return f"{type(self.error).__name__} in {name}, {inside[-1].name}"


def guarded(call: Callable[[], object], seconds: float = LIMIT_S) -> Ended:
    """The call, ended when it takes too long; interruptions by the user pass."""
    before = signal.signal(signal.SIGPROF, _too_long)
    try:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            call()
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        if isinstance(error, SystemExit) and error.code == 128 + signal.SIGTERM:
            raise  # of this process, not of what it calls
        return Ended(error=error)
    finally:
        signal.signal(signal.SIGPROF, before)
    return Ended()


class Watch:
    """Ends a process in which nothing is done any more, and says where it was."""

    def __init__(self) -> None:
        self._set = 0.0

    def goes_on(self) -> None:
        """To be called after each file."""
        if time.monotonic() - self._set > STUCK_S / 10:
            faulthandler.dump_traceback_later(STUCK_S, exit=True)
            self._set = time.monotonic()

    def __enter__(self) -> "Watch":
        self.goes_on()
        return self

    def __exit__(self, *_: object) -> None:
        faulthandler.cancel_dump_traceback_later()


def _too_long(*_: object) -> None:
    raise TooLongError


@contextlib.contextmanager
def little_memory() -> Iterator[None]:
    """At most MORE_MEMORY above what the process has."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MORE_MEMORY, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def standing(folder: Path) -> Files:
    """Every file below a folder, so that a change of it is seen."""
    found: Files = {}
    for at, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = os.path.join(at, name)  # noqa: PTH118 - this runs thousands of times a minute
            state = os.lstat(path)
            size, changed = (0, 0) if name in folders else (state.st_size, state.st_mtime_ns)
            found[path] = (state.st_mode, size, changed)
    return found


def differences(before: Files, after: Files) -> str:
    """Names of what was changed, added or removed."""
    names = [name for name in before.keys() | after.keys() if before.get(name) != after.get(name)]
    return ", ".join(sorted(Path(name).name for name in names))


@dataclass(frozen=True, kw_only=True, slots=True)
class Said:
    """What a command did."""

    ended: Ended
    code: Any = None
    out: str = ""
    err: str = ""


def command(words: list[str]) -> Said:
    """A command of gcmforge in this process."""
    from gcmforge.cli import main

    streams = [_Stream(), _Stream()]
    kept = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = streams
    try:
        ended = guarded(lambda: main(words), COMMAND_LIMIT_S)
    finally:
        sys.stdout, sys.stderr = kept
    out, err = (stream.buffer.getvalue().decode() for stream in streams)  # type: ignore[attr-defined]
    if isinstance(ended.error, SystemExit):
        return Said(ended=Ended(), code=ended.error.code, out=out, err=err)
    return Said(ended=ended, out=out, err=err)


class _Stream(io.TextIOWrapper):
    """As a terminal or a pipe of UTF-8."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)
