# SPDX-License-Identifier: Apache-2.0
"""Yosys in a process of its own: errors, time limits, stopping."""

import threading
import time
from pathlib import Path

import pytest

from gcmforge.measure.yosys import Yosys, YosysError


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


def test_memory_limit_ends_a_job(tmp_path: Path) -> None:
    with pytest.raises(YosysError):
        Yosys(memory_limit_bytes=20 << 20).run(
            ["help"], time_limit_s=30, cwd=tmp_path, what="too big"
        )


def sleeping(tmp_path: Path) -> list[str]:
    """Commands that start a process below Yosys which would write a file after 3 s."""
    return [f'exec -- sh -c "sleep 3 && touch {tmp_path}/late"']


def test_time_limit_ends_the_processes_below_yosys_too(tmp_path: Path) -> None:
    with pytest.raises(YosysError, match="a nap: Yosys was not done after 1 s"):
        Yosys().run(sleeping(tmp_path), time_limit_s=1, cwd=tmp_path, what="a nap")
    time.sleep(3)
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
