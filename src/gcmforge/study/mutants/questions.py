# SPDX-License-Identifier: Apache-2.0
"""Questions to ABC about circuits, each asked once."""

from __future__ import annotations

import resource
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from gcmforge.cache import cache_folder, digest, keep
from gcmforge.tools import yosys_abc, yosys_version

_TRACE = "a trace of inputs:"


def ask_abc(
    command: str, circuits: Sequence[bytes], limit_s: int, *, trace: bool = False
) -> tuple[str, list[str]]:
    """What ABC says of these; nothing where it is not done in its time, which is the processor's.
    With `trace` the inputs of every cycle to where it says that something is different. It is kept:
    the same question has the same answer."""
    command += "; write_cex -a {trace}" if trace else ""
    asked = digest(
        command, str(limit_s), yosys_version(), *(sha256(data).hexdigest() for data in circuits)
    )
    file = cache_folder() / "equal" / asked[:32]
    with suppress(OSError):
        told, *inputs = file.read_text().split(_TRACE)
        return told, inputs[0].split() if inputs else []
    with tempfile.TemporaryDirectory(prefix="gcmforge-") as folder:
        files = [Path(folder) / f"{number}.aig" for number in range(len(circuits))]
        for path, data in zip(files, circuits, strict=True):
            path.write_bytes(data)
        said, found = Path(folder) / "said", Path(folder) / "trace"
        with said.open("wb") as out:
            run = subprocess.Popen(
                [str(yosys_abc()), "-q", command.format(*files, trace=found)],
                stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            resource.prlimit(run.pid, resource.RLIMIT_CPU, (limit_s, limit_s))
            try:
                ended = run.wait()
            except BaseException:
                run.kill()
                raise
        told = said.read_text(errors="replace") if ended == 0 else ""
        inputs = _cycles(found.read_text()) if ended == 0 and found.is_file() else []
    if ended in (0, -signal.SIGXCPU, -signal.SIGKILL):
        keep(file, "\n".join([told, *([_TRACE, *inputs] if inputs else [])]).encode())
    return told, inputs


def _cycles(text: str) -> list[str]:
    """Inputs of each cycle, from a counterexample in AIGER's format: after its initial state."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return lines[1:]
