# SPDX-License-Identifier: Apache-2.0
"""A core built and compiled for cocotb with the Verilator of the environment."""

import json
import os
import sys
from pathlib import Path
from xml.etree import ElementTree

from cocotb_tools.runner import get_runner

from gcmforge import tools
from gcmforge.config import CoreConfig
from gcmforge.emit import build_core

HERE = Path(__file__).parent

# Only the ports are looked at: with every signal public the compile takes ten times as long.
PORTS_ONLY = ["--no-public-flat-rw"]
PORTS = '`verilator_config\npublic_flat_rw -module "gcm_axis" -var "*"\n'

# Registers without reset begin with random contents: nothing may follow from them.
BUILD_ARGS = ["--assert", "--x-initial", "unique", "--x-assign", "unique", "-Wno-fatal"]
PLUSARGS = ["+verilator+rand+reset+2"]


def run_cases(config: CoreConfig, module: str, folder: Path, seed: int = 1) -> dict[str, str]:
    """Each case of the module by name, and why it failed ("" when it passed)."""
    core = build_core(config, folder / "core", prove=False)
    files = [core.path / file for file in core.rtl]
    sources = [HERE / file.name if file.name == "gf128_mul.sv" else file for file in files]
    environment = tools.verilator_environment()
    program = folder / "bin" / "verilator"
    program.parent.mkdir()
    program.symlink_to(tools.verilator_binary())
    environment["PATH"] = f"{program.parent}{os.pathsep}{environment['PATH']}"
    flags = "OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1"
    environment["MAKEFLAGS"] = f"-j{os.cpu_count() or 1} {environment['MAKEFLAGS']} {flags}"
    ports = folder / "ports.vlt"
    ports.write_text(PORTS)
    before = dict(os.environ)
    os.environ.update(environment)
    os.environ.pop("PYTEST_CURRENT_TEST", None)  # failures are read from the results, one by one
    try:
        runner = get_runner("verilator")
        runner.build(
            sources=[ports, *sources],
            hdl_toplevel="gcm_axis",
            build_dir=folder / "sim",
            defines={"STAGES": config.ghash_stages},
            build_args=PORTS_ONLY + BUILD_ARGS,
            timescale=("1ns", "1ps"),
            log_file=folder / "build.log",
        )
        results = runner.test(
            hdl_toplevel="gcm_axis",
            test_module=module,
            test_dir=folder,
            build_dir=folder / "sim",
            results_xml=str(folder / "results.xml"),
            plusargs=[*PLUSARGS, f"+verilator+seed+{seed}"],
            extra_env={
                "CORE": json.dumps(config.to_mapping()),
                "SEED": str(seed),
                "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path]),
            },
            log_file=folder / "run.log",
        )
    finally:
        os.environ.clear()
        os.environ.update(before)
    return outcomes(results)


def outcomes(results: Path) -> dict[str, str]:
    """From cocotb's results.xml; of a case that was not run that it was skipped."""
    found = {}
    for case in ElementTree.parse(results).getroot().iter("testcase"):
        failure = case.find("failure")
        error = case.find("error") if failure is None else failure
        text = "" if error is None else error.get("message") or error.get("error_msg") or "failed"
        found[case.get("name", "")] = "skipped" if case.find("skipped") is not None else text
    return found
