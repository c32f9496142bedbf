# SPDX-License-Identifier: Apache-2.0
"""Yosys in a process of its own: errors, time limits, stopping."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from gcmforge.synth.yosys import Yosys, YosysError


def test_job_reports_time_and_memory(tmp_path: Path) -> None:
    yosys = Yosys()
    run = yosys.run(["log all is well"], time_limit_s=30, cwd=tmp_path, what="a word")
    assert "all is well" in run.log
    assert 5 < run.peak_memory_mib < 1000
    assert yosys.peak_memory_mib == run.peak_memory_mib


def test_error_is_yosys_own_reason_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "bad.sv").write_text("module m(input a output b); endmodule\n")
    with pytest.raises(YosysError, match=r"^reading bad: Yosys: .*syntax error") as caught:
        Yosys().run(["read_verilog -sv bad.sv"], time_limit_s=30, cwd=tmp_path, what="reading bad")
    assert "\n" not in str(caught.value)


def test_bytes_of_a_file_that_are_no_text_are_no_matter_in_a_log(tmp_path: Path) -> None:
    """A Liberty file in another encoding: Yosys and ABC say its names as they stand there."""
    (tmp_path / "name.lib").write_bytes(b'library("cells\xff") { cell("\xfe") { area : x } }\n')
    commands = ["!cat name.lib", "log done"]
    run = Yosys().run(commands, time_limit_s=30, cwd=tmp_path, what="a library")
    assert "cells\N{REPLACEMENT CHARACTER}" in run.log
    assert "done" in run.log


def test_memory_limit_ends_a_job(tmp_path: Path) -> None:
    with pytest.raises(YosysError):
        Yosys(memory_limit_bytes=20 << 20).run(
            ["help"], time_limit_s=30, cwd=tmp_path, what="too big"
        )


def sleeping(tmp_path: Path) -> list[str]:
    """Commands that start a process below Yosys which would write a file after 3 s."""
    return [f'exec -- sh -c "sleep 2 && touch {tmp_path}/late"']


@pytest.mark.slow
def test_time_limit_ends_the_processes_below_yosys_too(tmp_path: Path) -> None:
    with pytest.raises(YosysError, match="a nap: Yosys was not done after 1 s"):
        Yosys().run(sleeping(tmp_path), time_limit_s=1, cwd=tmp_path, what="a nap")
    time.sleep(1.5)
    assert not (tmp_path / "late").exists()


def test_stop_ends_a_running_job_and_refuses_later_ones(tmp_path: Path) -> None:
    yosys = Yosys()
    timer = threading.Timer(1, yosys.stop)
    timer.start()
    start = time.perf_counter()
    with pytest.raises(YosysError, match="stopped"):
        yosys.run(sleeping(tmp_path), time_limit_s=60, cwd=tmp_path, what="a nap")
    assert time.perf_counter() - start < 3
    with pytest.raises(YosysError, match="stopped"):
        yosys.run(["log hello"], time_limit_s=60, cwd=tmp_path, what="another")


CALLER = """
import sys
from pathlib import Path
from gcmforge.synth.yosys import Yosys
folder = Path(sys.argv[1])
(folder / "long.sh").write_text(f"echo $$ > {folder}/below\\nsleep 600\\n")
Yosys().run([f"exec -- sh {folder}/long.sh"], time_limit_s=600, cwd=folder, what="a long job")
"""


def ended(pid: int) -> bool:
    """Whether the process is gone, or dead and not yet reaped."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_job_ends_with_the_process_that_wanted_it(tmp_path: Path, number: int) -> None:
    """Yosys and what runs below it, each by its own pid."""
    caller = subprocess.Popen([sys.executable, "-c", CALLER, str(tmp_path)])
    file, limit = tmp_path / "below", time.monotonic() + 60
    while not (file.is_file() and file.read_text().strip()) and time.monotonic() < limit:
        time.sleep(0.05)
    below = int(file.read_text())
    session = os.getsid(below)
    assert session != os.getsid(caller.pid)
    found = (int(entry.name) for entry in Path("/proc").glob("[0-9]*"))
    pids = [pid for pid in found if in_(pid, session)]
    assert {below, session} < set(pids)
    assert not any(map(ended, pids))
    caller.send_signal(number)
    caller.wait(timeout=30)
    limit = time.monotonic() + 20
    while not all(map(ended, pids)) and time.monotonic() < limit:
        time.sleep(0.05)
    assert all(map(ended, pids))


def in_(pid: int, session: int) -> bool:
    try:
        return os.getsid(pid) == session
    except ProcessLookupError:
        return False


def test_a_job_that_dies_of_a_signal_says_which(tmp_path: Path) -> None:
    with pytest.raises(YosysError, match="died of signal 6"):
        Yosys().run(["exec -- kill -6 $PPID"], time_limit_s=30, cwd=tmp_path, what="a crash")
