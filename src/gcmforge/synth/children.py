# SPDX-License-Identifier: Apache-2.0
"""Python programs in processes of their own that end with whoever started them.

A tool below such a program (ABC below Yosys) ends with it, too: all are one session, whose first
process does nothing but wait for the program, and for the end of its own parent.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

# The guard forks before anything is imported. PR_SET_PDEATHSIG is 1; it is Linux's. The signal
# comes when the thread ends that started the guard: the one that waits is to call `start`.
_GUARD = """
import os, signal, sys
def _guard():
    def end(*_):
        os.killpg(0, signal.SIGKILL)
    parent = int(sys.argv.pop(1))
    signal.signal(signal.SIGTERM, end)
    if sys.platform == "linux":
        import ctypes
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)
    if os.getppid() != parent:
        end()
    child = os.fork()
    if child:
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if code < 0:
            signal.signal(-code, signal.SIG_DFL) if -code != signal.SIGKILL else None
            os.kill(os.getpid(), -code)
        os._exit(code)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
_guard()
"""


def start(
    program: str,
    arguments: Sequence[str],
    *,
    cwd: Path,
    stdin: IO[str] | int,
    stdout: IO[str] | int,
    env: Mapping[str, str] | None = None,
) -> subprocess.Popen[str]:
    """Run a Python program text in a session of its own; errors go where its output goes.

    The thread that calls this must stay until the process has ended. A program that dies of a
    signal is seen to.
    """
    return subprocess.Popen(
        [sys.executable, "-c", _GUARD + program, str(os.getpid()), *arguments],
        stdin=stdin,
        stdout=stdout,
        stderr=subprocess.STDOUT,
        cwd=cwd,
        env=env,
        text=True,
        start_new_session=True,
    )


def end(process: subprocess.Popen[str]) -> None:
    """Kill the process's whole session, unless it has ended by itself."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
