# SPDX-License-Identifier: Apache-2.0
"""What `gcmforge doctor` says of old programs, tried with those that are here."""

import subprocess

import pytest

from gcmforge.cli.examine import examine
from gcmforge.config import CoreConfig
from gcmforge.emit import build_core


def note_of(name: str) -> str:
    return next(tool.note for tool in examine().tools if tool.name == name)


def refused(core, *command: str) -> bool:
    run = subprocess.run(command, cwd=core.path, text=True, capture_output=True)
    return run.returncode != 0


@pytest.mark.iverilog
def test_icarus_reads_a_core_unless_doctor_says_that_it_does_not(tmp_path):
    core = build_core(CoreConfig(aes="loop", ghash="digit"), tmp_path / "core", prove=False)
    flags = ["-g2012", "-s", core.config.top, "-o", str(tmp_path / "out")]
    assert refused(core, "iverilog", *flags, *core.rtl) == (
        "reads no core" in note_of("Icarus Verilog")
    )


@pytest.mark.slow
@pytest.mark.yosys_command
@pytest.mark.parametrize(("aes", "always"), [("pipelined", True), ("loop", False)])
def test_yosys_on_path_reads_every_core_unless_doctor_says_that_it_does_not(aes, always, tmp_path):
    core = build_core(
        CoreConfig(aes=aes, ghash="serial", multiplier="ko5_small"), tmp_path / "core", prove=False
    )
    script = f"read_verilog -sv {' '.join(core.rtl)}; hierarchy -check -top {core.config.top}"
    expected = not always and "too old" in note_of("yosys command")
    assert refused(core, "yosys", "-q", "-p", script) == expected
