# SPDX-License-Identifier: Apache-2.0
"""Adapter for Yosys: a list of commands run in a process of its own.

An error inside Yosys ends its process and cannot be caught in it, and ABC is a further process
below it: each job gets a session of its own that is killed whole when its time is up, or the caller
is interrupted or dies.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gcmforge.synth.children import end, start
from gcmforge.tools import ToolError, pyosys_root, yosys_version

__all__ = ["Run", "Yosys", "YosysError", "yosys_version"]

# The last line of the log is the peak memory of this process and of the largest below it, in KiB.
_RUNNER = """
import resource, sys
limit = int(sys.argv[1])
if limit:
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
from pyosys import libyosys as ys
design = ys.Design()
for line in sys.stdin.read().splitlines():
    if line.strip():
        ys.run_pass(line, design)
sys.stdout.flush()
peak = [resource.getrusage(w).ru_maxrss for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print("peak memory KiB:", *peak, flush=True)
"""
_PEAK = re.compile(r"^peak memory KiB: (\d+) (\d+)$", re.MULTILINE)
_ERROR = re.compile(r"^((?:\S+:\d+: )?)ERROR: (.*)", re.MULTILINE)
_TAIL_LINES = 8

MEMORY_LIMIT_BYTES = 8 << 30
"""Of one process; larger than any job of an 8-lane core needs by far."""


class YosysError(ToolError):
    """Yosys stopped; the text is its own reason. `log` holds everything it printed."""

    def __init__(self, message: str, log: str = "") -> None:
        super().__init__(message)
        self.log = log


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """A job that ended well."""

    log: str
    seconds: float
    peak_memory_mib: float
    """Of Yosys and of the largest process below it together."""


@dataclass
class Yosys:
    """Runs jobs, several at a time from several threads; `stop` ends them all."""

    memory_limit_bytes: int = MEMORY_LIMIT_BYTES
    peak_memory_mib: float = 0.0
    """The largest of any job so far."""
    _running: set[subprocess.Popen[str]] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _stopped: bool = False

    def run(self, commands: Sequence[str], *, time_limit_s: float, cwd: Path, what: str) -> Run:
        """Run the commands in the folder cwd, where Yosys's and ABC's own files go, too.

        `what` names the job in errors. YosysError when a command fails, the time limit is
        reached, or `stop` was called.
        """
        pyosys_root()
        began = time.perf_counter()
        # A file and not a pipe: a child that outlives the kill cannot hold the reader.
        with tempfile.TemporaryFile("w+", dir=cwd, errors="replace") as log_file:
            process = self._start(commands, cwd, log_file.fileno())
            try:
                code = process.wait(timeout=time_limit_s)
            except subprocess.TimeoutExpired as error:
                raise YosysError(f"{what}: Yosys was not done after {time_limit_s:g} s") from error
            finally:
                self._end(process)
            log_file.seek(0)
            log = log_file.read()
        if self._stopped:
            raise YosysError(f"{what}: stopped")
        if code != 0:
            raise YosysError(f"{what}: {_reason(log, code)}", log)
        own, below = map(int, _PEAK.findall(log)[-1])
        peak = (own + below) / 1024
        with self._lock:
            self.peak_memory_mib = max(self.peak_memory_mib, peak)
        return Run(log=log, seconds=time.perf_counter() - began, peak_memory_mib=peak)

    def stop(self) -> None:
        """End every running job; each raises YosysError in its thread, as does every later one."""
        with self._lock:
            self._stopped = True
            running = list(self._running)
        for process in running:
            end(process)

    def _start(self, commands: Sequence[str], cwd: Path, log: int) -> subprocess.Popen[str]:
        with tempfile.TemporaryFile("w+", dir=cwd) as script:
            script.write("\n".join(commands))
            script.flush()
            script.seek(0)
            with self._lock:
                if self._stopped:
                    raise YosysError("stopped")
                process = start(
                    _RUNNER,
                    [str(self.memory_limit_bytes)],
                    stdin=script,
                    stdout=log,
                    cwd=cwd,
                    env=os.environ | {"TMPDIR": str(cwd)},
                )
                self._running.add(process)
        return process

    def _end(self, process: subprocess.Popen[str]) -> None:
        end(process)
        with self._lock:
            self._running.discard(process)


def _reason(log: str, code: int) -> str:
    """Yosys's own error, else how it died and the last lines of its log."""
    found = _ERROR.findall(log)
    if found:
        where, reason = found[-1]
        return f"Yosys: {where}{reason}"
    if "bad_alloc" in log or "MemoryError" in log:
        return "Yosys ran out of memory"
    tail = "\n".join(log.splitlines()[-_TAIL_LINES:])
    died = f"died of signal {-code}" if code < 0 else f"ended with code {code}"
    return f"Yosys {died}; its last lines:\n{tail}"
