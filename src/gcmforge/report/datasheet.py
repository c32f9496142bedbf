# SPDX-License-Identifier: Apache-2.0
"""The datasheet of a core: datasheet.html, one file that needs nothing else, datasheet.md, and the
drawings by themselves.

Nothing is computed here: figures come from the configuration and its laws, the proofs, the leaves'
headers, a simulation of the core (sim.trace, measure.rates), the explorer's estimate and, when
asked for, the results store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gcmforge.config import CoreConfig, options
from gcmforge.config.architecture import withstands
from gcmforge.config.codes import statuses
from gcmforge.emit.core import Documents
from gcmforge.emit.folder import BuildError
from gcmforge.emit.naming import LIST, WIDE_LIST, named_path
from gcmforge.emit.packed import packed_note, packed_rows
from gcmforge.emit.records import ProofRecord
from gcmforge.emit.registers import register_rows
from gcmforge.report.block_diagram import block_diagram, port_groups
from gcmforge.report.core_figures import cycles, estimates, packet_rates, size_and_clock
from gcmforge.report.ethernet import FILE as ETHERNET
from gcmforge.report.ethernet import ethernet
from gcmforge.report.leakage_plot import leakage_drawings
from gcmforge.report.placement import placement_drawings
from gcmforge.report.timing_diagram import timing_diagram
from gcmforge.tools import ToolError
from gcmforge.version import release

if TYPE_CHECKING:
    from jinja2 import Environment

    from gcmforge.measure.leakage_record import LeakageRecord
    from gcmforge.measure.result import Rate, Result
    from gcmforge.sim.trace import Trace

BLOCKS, TIMING = "datasheet_blocks.svg", "datasheet_timing.svg"
SECTIONS = (
    "Blocks", "Timing", "Cycles", "Area, timing, power", "Interface", "Registers",
    "What was proven and verified", "What it does not protect against", "Configuration",
)  # fmt: skip
"""In their order; Registers only where the core has them."""
Progress = Callable[[str], None]


@dataclass(frozen=True, kw_only=True, slots=True)
class Simulated:
    """What a run of the core showed."""

    trace: Trace
    rates: tuple[Rate, ...] = ()


def datasheet_documents(*, measured: bool, progress: Progress) -> Documents:
    """What build_core takes to write the datasheet, with or without figures of the store.

    ToolError at once where the simulator is missing: a datasheet without what it shows would be
    other bytes of the same configuration.
    """
    from gcmforge.sim.trace import check_simulator

    try:
        check_simulator()
    except ToolError as error:
        raise ToolError(
            f"{error}. The datasheet's timing is simulated; to build without a datasheet use "
            "--no-datasheet (in Python datasheet=False)"
        ) from None

    def documents(
        config: CoreConfig, files: Mapping[str, str], proofs: Sequence[ProofRecord]
    ) -> Mapping[str, str]:
        results = stored_results(files) if measured else []
        tests = stored_tests(files) if measured else []
        return datasheet_files(
            config, files, proofs, measured=results, leakages=tests, progress=progress
        )

    return documents


def datasheet_files(
    config: CoreConfig,
    files: Mapping[str, str],
    proofs: Sequence[ProofRecord],
    *,
    measured: Sequence[Result] = (),
    leakages: Sequence[LeakageRecord] = (),
    progress: Progress = lambda step: None,
) -> dict[str, str]:
    """The datasheet's files of a core whose other files are given.

    The same core, `measured` and `leakages` give the same bytes. BuildError when the core's own
    simulation goes wrong.
    """
    progress("simulating for the datasheet")
    ran = simulated(config, files)
    drawings = {BLOCKS: block_diagram(config), TIMING: timing_diagram(ran.trace)}
    placements = placement_drawings(measured)
    drawings |= {one.file: one.drawing for one in placements if one.drawing}
    tests = leakage_drawings(leakages)
    drawings |= {one.file: one.drawing for one in tests}
    estimated = () if measured else estimates(config)
    line = ethernet(config)
    if line:
        drawings[ETHERNET] = line.drawing
    values: dict[str, Any] = {
        "version": release(),
        "sections": [name for name in SECTIONS if name != "Registers" or config.registers != "off"],
        "config": config,
        "withstands": withstands(config),
        "simulated": ran,
        "drawings": drawings,
        "blocks_name": BLOCKS,
        "timing_name": TIMING,
        "groups": port_groups(config),
        "packed": packed_rows(config),
        "packed_note": packed_note(config),
        "proofs": proofs,
        "leaves": [(named_path(config, name), header) for name, header in leaf_headers(files)],
        "laws": [(config.named(module), law) for module, law in laws(config, files)],
        "measured": measured,
        "placements": placements,
        "leakages": tests,
        "estimated": estimated,
        "size_and_clock": size_and_clock(estimated, measured),
        "cycles": cycles(config, ran.trace),
        "ethernet": line,
        "ethernet_name": ETHERNET,
        "packets": packet_rates(config, ran.rates),
        "registers": register_rows(config) if config.registers != "off" else (),
        "status": [(str(code.value), code.name, code.meaning) for code in statuses(config)],
        "options": [
            (name, _shown(getattr(config, name)), option.meaning)
            for name, option in options().items()
            if name in config.understood
        ],
    }
    pages = {
        name: _templates(escape=name.endswith("html")).get_template(f"{name}.j2").render(values)
        for name in ("datasheet.html", "datasheet.md")
    }
    return {**pages, **drawings}


def simulated(config: CoreConfig, files: Mapping[str, str]) -> Simulated:
    """A trace and rates; BuildError when an answer is wrong."""
    from gcmforge.measure.rates import core_rates
    from gcmforge.measure.throughput import ThroughputError
    from gcmforge.sim.trace import TraceError, trace_core

    try:
        return Simulated(trace=trace_core(config, files), rates=core_rates(config, files))
    except (TraceError, ThroughputError) as error:
        raise BuildError(f"the core fails its own simulation: {error}") from None


def leaf_headers(files: Mapping[str, str]) -> list[tuple[str, list[str]]]:
    """File and header of each gate-level leaf: what it computes, its gates, what was proven."""
    found = []
    for name, text in files.items():
        header = _header(text) if name.startswith("gen/") else []
        if any(" GE" in line for line in header):
            found.append((name, header))
    return found


def laws(config: CoreConfig, files: Mapping[str, str]) -> list[tuple[str, str]]:
    """Module and the latency and throughput laws in the header of its file, from gcm_axis_core down
    to the engines."""
    if config.architecture:
        return [(module, law) for module in config.architecture.laws for law in _law(files, module)]
    engines = (config.aes_engine.module, f"ghash_{config.ghash}", f"gcm_tail_{config.tail}")
    found = []
    around = [
        name
        for name, there in {
            "gcm_ahead": config.ahead,
            "gcm_release_verified": config.release_engine.holds, "gcm_timeout": config.timeout > 0,
            "gcm_iv_counter": config.iv == "counter", "gcm_erase": config.zeroise == "on",
            f"profile_{config.profile}": config.profile != "none",
        }.items()
        if there
    ]  # fmt: skip
    for module in ("gcm_axis_core", "gcm_issue", *engines, "gcm_tag", *around, "gcm_regs"):
        found += [(module, law) for law in _law(files, module)]
    return found


def _law(files: Mapping[str, str], module: str) -> Iterator[str]:
    """What the header of a hand-written module says of its cycles; nothing without that module."""
    header = _header(files.get(f"rtl/{module}.sv", ""))
    start = next((n for n, line in enumerate(header) if line.startswith("Latency:")), None)
    if start is not None:
        yield " ".join(header[start:])


def _header(text: str) -> list[str]:
    """The comment that a file begins with, its first line (the licence) left out."""
    return [
        line.removeprefix("//").strip()
        for line in takewhile(lambda line: line.startswith("//"), text.splitlines()[1:])
    ]


def stored_results(files: Mapping[str, str]) -> list[Result]:
    """What the results store has of exactly these SystemVerilog texts."""
    from gcmforge.measure.result import Result
    from gcmforge.measure.store import Store

    with Store() as store:
        return [store.read(text, Result) for text in store.of_rtl(_rtl_key(files))]


def stored_tests(files: Mapping[str, str]) -> list[LeakageRecord]:
    """The tests for leakage that the results store has of exactly these SystemVerilog texts."""
    from gcmforge.measure.leakage_record import of_core
    from gcmforge.measure.store import Store

    with Store() as store:
        return of_core(store, _rtl_key(files))


def _rtl_key(files: Mapping[str, str]) -> str:
    from gcmforge.emit.rtl import code_digest

    rtl = [name for one in (LIST, WIDE_LIST) for name in files.get(one, "").split()]
    return code_digest({name: files[name] for name in rtl})


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value) or "none"


@cache
def _templates(*, escape: bool) -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"),
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=escape,
    )
    environment.filters["figure"] = _figure
    environment.filters["anchor"] = _anchor
    return environment


def _anchor(title: str) -> str:
    """What a link to a section ends in, as renderers of Markdown make it of the title."""
    return "".join(c for c in title.lower() if c.isalnum() or c in " -").replace(" ", "-")


def _figure(value: float | None) -> str:
    """A number with three digits that count; a dash for none."""
    from gcmforge.measure.table import significant

    return "-" if value is None else significant(value, 3)
