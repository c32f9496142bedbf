# SPDX-License-Identifier: Apache-2.0
"""Write docs/reference/tools.md: what tools of others do with built cores, as just run.

gcmforge-study pages tools [--keep FOLDER] [--out FILE]

Each row is a command that is run now, in a folder with some cores and the examples, and what it
printed. A row whose tool, or another that it needs, is not installed says so. A tool that does not
do what is expected of it is a row that says so, too, and an error when the page is written.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gcmforge.study.checkout import REFERENCE, ROOT, write_page
from gcmforge.study.pages.tool_versions import (
    AMARANTH,
    COCOTBEXT,
    CXX,
    FUSESOC,
    GHDL,
    ICARUS,
    IPXACT,
    LITEX,
    OPENSTA,
    OSU018,
    SLANG,
    VERILATOR,
    YOSYS,
    YOSYS_COMMAND,
    Tool,
)
from gcmforge.tools import ToolError, verilator_environment

PAGE = REFERENCE / "tools.md"
TIME_LIMIT_S = 600

CORES = {
    "default": "gcmforge build --no-datasheet -o cores/default",
    "compact": "gcmforge build --no-datasheet --preset compact -o cores/compact",
    "small": "gcmforge build --no-datasheet --preset small -o cores/small",
    "registers": "gcmforge build --no-datasheet examples/cores/registers.toml -o cores/registers",
}
"""Core -> the command that builds it before it is needed."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Trial:
    """One command, and what has to come of it."""

    tool: Tool
    what: str
    command: str
    finds: str
    """Regular expression: what its output has to have. What it matches is shown."""
    refuses: bool = False
    """That it has to end with an error."""
    test: str = ""
    """Where its own test is; without one tests/study/test_tools_page.py runs it."""
    needs: tuple[Tool, ...] = ()
    """Other tools that it needs."""

    @property
    def cores(self) -> tuple[str, ...]:
        return tuple(name for name in CORES if f"cores/{name}" in self.command)

    @property
    def tools(self) -> tuple[Tool, ...]:
        """All that it needs: its own first. Yosys proves the leaves of a core that is built."""
        built = (YOSYS,) if self.cores else ()
        return tuple(dict.fromkeys((self.tool, *self.needs, *built)))

    @property
    def missing(self) -> tuple[Tool, ...]:
        """Those of them that are not installed: without them it is not run."""
        return tuple(tool for tool in self.tools if not tool.version())


@dataclass(frozen=True, kw_only=True, slots=True)
class Outcome:
    """What came of a trial."""

    ok: bool
    text: str


# Trials -------------------------------------------------------------------------------------------


def fusesoc(target: str, *more: str) -> str:
    words = ("fusesoc --cores-root cores/compact run --target", target, *more)
    return f"{' '.join(words)} gcmforge:core:gcm_axis"


def read_by_yosys(core: str) -> str:
    return (
        f'cd cores/{core} && yosys -q -f "verilog -sv" -p "hierarchy -check -top gcm_axis" '
        "$(cat gcm_axis.f) && echo read"
    )


def trials() -> tuple[Trial, ...]:
    return (
        Trial(
            tool=VERILATOR, what="finds nothing with every warning on",
            command="verilator_bin --lint-only -Wall --top-module gcm_axis "
            "-F cores/default/gcm_axis.f && echo no warning",
            finds="^no warning$",
        ),
        Trial(
            tool=VERILATOR, what="nor in its packed ports",
            command="verilator_bin --lint-only -Wall --top-module gcm_axis_packed "
            "-F cores/default/gcm_axis.f cores/default/ip/gcm_axis_packed.sv && echo no warning",
            finds="^no warning$",
        ),
        Trial(
            tool=VERILATOR, what="simulates all of NIST's vectors for such a core",
            command="gcmforge verify cores/compact --nist --seed 1",
            finds=r"\d+ vector files: [\d,]+ passed, 0 failed",
            test="tests/sim/test_nist.py", needs=(CXX,),
        ),
        Trial(
            tool=ICARUS, what="does not read a core as it is built",
            command="cd cores/compact && iverilog -g2012 -s gcm_axis -o /dev/null "
            "$(cat gcm_axis.f)",
            finds=r"^\S+\.sv:\d+: .*error.*$", refuses=True,
            test="tests/emit/test_old_tools.py",
        ),
        Trial(
            tool=ICARUS, what="simulates it with four states, from plain Verilog",
            command="python examples/tools/as_verilog.py cores/compact compact.v && "
            "iverilog -g2012 -s gcm_axis_tb -o compact.vvp compact.v "
            "cores/compact/bench/gcm_axis_tb.sv && vvp compact.vvp",
            finds=r"^PASS: .*$", test="tests/rtl/test_four_states.py", needs=(YOSYS,),
        ),
        Trial(
            tool=YOSYS, what="reads it, finds no loop and no wire without a driver, and writes it "
            "as plain Verilog",
            command="python examples/tools/as_verilog.py cores/default default.v",
            finds=r"\d+ files of SystemVerilog as plain Verilog",
        ),
        *old_yosys(),
        Trial(
            tool=SLANG, what="compiles it", finds=r"^Build succeeded: 0 errors, 0 warnings$",
            command="python examples/tools/read_by_slang.py cores/default",
        ),
        *(
            Trial(
                tool=GHDL, what="analyses and elaborates the component in VHDL and its instance; "
                f"the core is a black box; VHDL-{standard}",
                command=f"ghdl -a --std={standard} --workdir=. cores/default/gcm_axis.vhd && "
                f"ghdl -e --std={standard} --workdir=. gcm_axis_example && echo elaborated",
                finds="^elaborated$", test="tests/emit/test_packaging.py",
            )
            for standard in ("93", "08")
        ),
        Trial(
            tool=FUSESOC, what="`lint`, with Verilator", command=fusesoc("lint") + " && echo done",
            finds="^done$", test="tests/emit/test_fusesoc.py", needs=(VERILATOR,),
        ),
        Trial(
            tool=FUSESOC, what="`sim`: a packet of NIST, with Verilator", command=fusesoc("sim"),
            finds="PASS: .*$", test="tests/emit/test_fusesoc.py", needs=(VERILATOR, CXX),
        ),
        *(
            Trial(
                tool=FUSESOC, what=f"`{target}` is set up; {program} is not run",
                command=fusesoc(target, "--setup") + f" && ls build/*/{target}*/*.tcl",
                finds=r"build/\S+\.tcl$", test="tests/emit/test_fusesoc.py",
            )
            for target, program in (("synth", "Yosys"), ("vivado", "Vivado"),
                                    ("quartus", "Quartus"))
        ),
        Trial(
            tool=LITEX, what="a SoC with the core, DMA, memory and interrupt, in Verilator",
            command="python examples/litex/run.py cores/registers",
            finds="sealed, opened, refused with a wrong tag: .*$", needs=(VERILATOR, CXX),
            test="tests/test_designs.py",
        ),
        Trial(
            tool=LITEX, what="the same with its memory outside on AXI4",
            command="python examples/litex/run.py cores/registers --axi",
            finds="sealed, opened, refused with a wrong tag: .*$",
            needs=(VERILATOR, CXX, COCOTBEXT), test="tests/test_designs.py",
        ),
        Trial(
            tool=AMARANTH, what="a design with the core, in Verilator",
            command="python examples/amaranth/run.py cores/small",
            finds="text and tag as NIST's$", needs=(VERILATOR, CXX, YOSYS),
            test="tests/test_designs.py",
        ),
        Trial(
            tool=COCOTBEXT, what="random packets through its buses",
            command="python examples/cocotbext-axi/run.py cores/compact",
            finds="100 packets right: .*$", needs=(VERILATOR, CXX), test="tests/test_designs.py",
        ),
        Trial(
            tool=COCOTBEXT, what="the same through packed ports, AXI4-Stream alone",
            command="python examples/cocotbext-axi/run.py --packed cores/compact",
            finds="100 packets right: .*$", needs=(VERILATOR, CXX), test="tests/test_designs.py",
        ),
        *(
            Trial(
                tool=IPXACT, what=f"IEEE 1685-2009 takes the component of a core with {ports}",
                command=f"python examples/tools/check_ip_xact.py cores/{core}/component.xml",
                finds=r"valid, and all \d+ files are there$", test="tests/emit/test_packaging.py",
            )
            for core, ports in (("default", "packed ports"), ("registers", "registers"))
        ),
        Trial(
            tool=OPENSTA, what="times a mapped S-box as the built-in timing does",
            command="gcmforge measure aes_sbox/small --target osu018",
            finds=r"the two paths differ by 0\.000\d % in length$",
            test="tests/measure/test_opensta.py", needs=(YOSYS, OSU018),
        ),
    )  # fmt: skip


def old_yosys() -> Iterator[Trial]:
    """What the Yosys of the system does with two cores: the older ones do not read every core."""
    from gcmforge.cli.examine import YOSYS_OF_CORES

    found = re.match(r"(\d+)\.(\d+)", YOSYS_COMMAND.version())
    is_old = found is not None and (int(found[1]), int(found[2])) < YOSYS_OF_CORES
    yield Trial(
        tool=YOSYS_COMMAND, what="reads the default core",
        command=read_by_yosys("default"), finds="^read$",
        test="tests/emit/test_old_tools.py",
    )  # fmt: skip
    yield Trial(
        tool=YOSYS_COMMAND, test="tests/emit/test_old_tools.py", refuses=is_old,
        what="does not read a core with `aes=loop`" if is_old else "reads one with `aes=loop`",
        command=read_by_yosys("compact"),
        finds=r"ERROR: .*$" if is_old else "^read$",
    )  # fmt: skip


# Running ------------------------------------------------------------------------------------------


class Bench:
    """A folder in which trials are run, with the cores that they need and the examples."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "bin").mkdir(parents=True, exist_ok=True)
        if not (folder / "examples").exists():
            (folder / "examples").symlink_to(ROOT / "examples")
        self._command("python", f'"{sys.executable}" "$@"')
        self._command("gcmforge", f'"{sys.executable}" -m gcmforge "$@"')
        self._command("fusesoc", f'"{sys.executable}" -m fusesoc.main "$@"')
        homes = {f"XDG_{one}_HOME": str(folder / "home") for one in ("CONFIG", "DATA")}
        self.environment = {**self._with_verilator(), **homes}
        self.environment["PATH"] = f"{folder / 'bin'}{os.pathsep}{self.environment['PATH']}"
        self.environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))

    def run(self, trial: Trial) -> Outcome:
        for core in trial.cores:
            if not (self.folder / "cores" / core).exists():
                self._shell(CORES[core], check=True)
        done = self._shell(trial.command)
        matches = list(re.finditer(trial.finds, done.stdout, re.MULTILINE))
        if matches and bool(done.returncode) == trial.refuses:
            return Outcome(ok=True, text=matches[-1].group().strip())
        last = done.stdout.strip().splitlines()[-1:] or ["nothing printed"]
        return Outcome(ok=False, text=f"exit code {done.returncode}: {last[0]}")

    def _command(self, name: str, line: str) -> None:
        """What `name` is on the command line here: as in an environment that is activated."""
        file = self.folder / "bin" / name
        file.write_text(f"#!/bin/sh\nexec {line}\n")
        file.chmod(0o755)

    def _with_verilator(self) -> dict[str, str]:
        if not VERILATOR.version():
            return dict(os.environ)
        environment = verilator_environment()
        environment["MAKEFLAGS"] += " OPT_FAST=-O0 OPT_GLOBAL=-O0"
        return environment

    def _shell(self, line: str, *, check: bool = False) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-c", line], cwd=self.folder, env=self.environment, check=check, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIME_LIMIT_S,
        )  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--keep", type=Path, help="run there, and leave what was made")
    parser.add_argument("--out", type=Path, default=PAGE)
    asked = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="gcmforge-tools-") as temporary:
        bench = Bench((asked.keep or Path(temporary)).resolve())
        found = dict(outcomes(trials(), bench))
    write_page(asked.out, page(found), "gcmforge-study pages tools")
    if failed := [one for one, outcome in found.items() if outcome and not outcome.ok]:
        names = "; ".join(f"{one.tool.name}: {one.command}" for one in failed)
        raise ToolError(f"{len(failed)} of {len(found)} did not do what is expected: {names}")
    return 0


def outcomes(asked: Sequence[Trial], bench: Bench) -> Iterator[tuple[Trial, Outcome | None]]:
    """What came of each; None where something that it needs is not installed."""
    for trial in asked:
        found = None if trial.missing else bench.run(trial)
        print(f"{trial.tool.name}: {trial.what}: {found.text if found else not_run(trial)}",
              file=sys.stderr, flush=True)  # fmt: skip
        yield trial, found


def not_run(trial: Trial) -> str:
    """Why nothing came of it: the tools that are missing, by name."""
    if trial.missing == (trial.tool,):
        return "not installed"
    return f"not run without {' and '.join(tool.name for tool in trial.missing)}"


# The page -----------------------------------------------------------------------------------------


def page(found: Mapping[Trial, Outcome | None]) -> Iterator[str]:
    """Lines of the page."""
    yield "# What other tools do with a core\n"
    yield "Written by `gcmforge-study pages tools`, which ran each command of this page in a folder"
    yield "with the examples and these cores, and wrote down what it printed.\n"
    yield from (f"    {line}" for line in CORES.values())
    yield "\nHow to use them: [connect a core](../how-to/connect-a-core.md),"
    yield "[use it in a design](../how-to/use-in-a-design.md). Vivado, Quartus, Questa, VCS and"
    yield "Xcelium were not tried. The tests named do the same, and look whether what is wrong is"
    yield "found. Where a tool is missing, the summary of a test run names it, and counts the tests"
    yield "that were skipped.\n"
    missing = list(
        dict.fromkeys(
            tool for one, outcome in found.items() if outcome is None for tool in one.missing
        )
    )
    failed = [trial for trial, outcome in found.items() if outcome and not outcome.ok]
    if missing:
        names = ", ".join(f"{tool.name} (`{tool.install}`)" for tool in missing)
        yield f"**Not installed where this was written**: {names}.\n"
    if failed:
        yield f"**{len(failed)} did not do what is expected**; the rows say so.\n"
    yield "| | tool | version | what | result | test |"
    yield "| ---: | --- | --- | --- | --- | --- |"
    for number, (trial, outcome) in enumerate(found.items(), 1):
        yield row(number, trial, outcome)
    yield "\n## Commands\n"
    yield "`verilator_bin` is the program in the folder `bin` of the package `verilator`."
    yield "`fusesoc` is `python -m fusesoc.main`.\n"
    for number, trial in enumerate(found, 1):
        yield f"{number}. `{trial.command}`"


def row(number: int, trial: Trial, outcome: Outcome | None) -> str:
    if outcome is None:
        result = not_run(trial)
    else:
        result = f"`{outcome.text}`" if outcome.ok else f"**failed**: `{outcome.text}`"
    test = trial.test or "tests/study/test_tools_page.py"
    cells = (trial.tool.name, trial.tool.version() or "none", trial.what, result,
             f"[{Path(test).stem}](../../{test})")  # fmt: skip
    return f"| {number} | {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |"
