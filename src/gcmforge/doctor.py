# SPDX-License-Identifier: Apache-2.0
"""Which tools are found, which versions, what each missing one would enable and how to get it."""

import platform
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from gcmforge import __version__, tools
from gcmforge.tools import Tool

QFLOW_TECH = Path("/usr/share/qflow/tech")

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
            "gcmforge": __version__,
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
        _program("iverilog", "-V", "Icarus Verilog", "gate-level glitches", "iverilog"),
        _technology("osu018"),
        _technology("osu035"),
    )


def _program(command: str, flag: str, name: str, enables: str, package: str) -> Tool:
    """An optional program, looked for on PATH only."""
    found = shutil.which(command)
    return Tool(
        name=name,
        path=Path(found) if found else None,
        version=_version([found, flag]) if found else "",
        enables=enables,
        install=f"apt-get install {package}",
    )


def _version(command: list[str]) -> str:
    """The first thing that looks like a version in what the command prints."""
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return "does not run"
    match = re.search(r"\d+(\.\d+)+", run.stdout + run.stderr)
    return match.group(0) if match else "unknown"


def _technology(name: str) -> Tool:
    """A standard-cell library of Debian's qflow-tech packages."""
    files = sorted(QFLOW_TECH.glob(f"{name}/*.lib"))
    return Tool(
        name=f"{name} cells",
        path=files[0] if files else None,
        version="",
        enables=f"area and timing in the {name} library",
        install=f"apt-get install qflow-tech-{name}",
    )
