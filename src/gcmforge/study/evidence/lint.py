# SPDX-License-Identifier: Apache-2.0
"""Every leaf of the library, and cores with all their gates, through Verilator -Wall and Yosys.

gcmforge-study run lint [NAME ...]: names of leaves or presets; without any all leaves and the
presets small, default and quad, in about twenty minutes. Prints a line for each; exit code 1 if one
is not clean. The tests see each kind of leaf, and whole cores around outlines of their leaves.
"""

import subprocess
from collections.abc import Sequence
from pathlib import Path

from gcmforge.measure.subject import find_subject, leaf_names
from gcmforge.tools import ToolError, run_yosys, verilator_binary, verilator_environment

LATCHES = "t:$dlatch t:$adlatch t:$dlatchsr t:$dlatch_* t:$_DLATCH*"
PRESETS = ("small", "default", "quad")
TIME_LIMIT_S = 900


def verilator_lint(
    files: Sequence[str], top: str, cwd: Path, flags: Sequence[str] = ("-Wall",)
) -> str:
    """What Verilator has to say with these flags; empty when it is content."""
    run = subprocess.run(
        [verilator_binary(), "--lint-only", *flags, "--quiet", "--top-module", top, *files],
        env=verilator_environment(), cwd=cwd, capture_output=True, text=True, timeout=TIME_LIMIT_S,
    )  # fmt: skip
    return run.stderr if run.returncode or "%Warning" in run.stderr else ""


def yosys_checks(files: Sequence[str], top: str, cwd: Path) -> None:
    """Read and elaborate with read_verilog; ToolError for a loop, an undriven wire or a latch."""
    run_yosys(
        [
            f"read_verilog -sv {' '.join(files)}", f"hierarchy -check -top {top}", "proc",
            "flatten", "opt_expr", "opt_clean", "check -assert", f"select -assert-none {LATCHES}",
        ],
        time_limit_s=TIME_LIMIT_S, cwd=cwd,
    )  # fmt: skip


def complaints(files: Sequence[str], top: str, cwd: Path) -> str:
    """What either tool says; empty when both are content."""
    said = verilator_lint(files, top, cwd)
    try:
        yosys_checks(files, top, cwd)
    except ToolError as error:
        said += str(error)
    return said


def main(arguments: Sequence[str] | None = None) -> int:
    clean = True
    for name in arguments or [*leaf_names(), *PRESETS]:
        subject = find_subject(name)
        with subject.folder() as folder:
            said = complaints(tuple(subject.texts), subject.top, folder)
        print(f"{name}: {said or 'clean'}", flush=True)
        clean &= not said
    return 0 if clean else 1
