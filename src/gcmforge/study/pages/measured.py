# SPDX-License-Identifier: Apache-2.0
"""Write docs/reference/measured.md and README's table of cores: figures on open targets.

gcmforge-study pages measured [--out FILE] [--jobs 2] [--minutes N]; with a FILE of its own README
is left alone. Figures come from the results store where they are there; the first run takes an hour
or two and needs gcmforge[fpga], Debian's qflow-tech-osu018 and opensta. After N minutes nothing
more is begun: the page leaves out what is missing and tells how much, and the next run goes on from
there.
"""

import argparse
import re
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from gcmforge.cache import digest
from gcmforge.config.presets import PRESETS
from gcmforge.measure.measure import Progress, measure
from gcmforge.measure.result import Result
from gcmforge.measure.store import Store
from gcmforge.measure.table import significant
from gcmforge.netlist.targets import find_target
from gcmforge.place.families import FAMILIES
from gcmforge.study.checkout import REFERENCE, ROOT, write_page
from gcmforge.study.kept import times_table
from gcmforge.study.pages.asks import Ask, Found, begun_before, results_of
from gcmforge.study.pages.structure import HEADINGS, LEAVES, Kept, measured
from gcmforge.study.pages.tables import (
    PLACED_COLUMNS,
    Column,
    bits,
    head,
    line,
    of_plain_streams,
    origin,
    table,
)
from gcmforge.synth.block_names import BLOCKS
from gcmforge.tools import yosys_version

PAGE = REFERENCE / "measured.md"
README = ROOT / "README.md"
README_TABLE = re.compile(r"^\| core \| bits/cycle \|.*?\n\n", re.MULTILINE | re.DOTALL)
LIBRARY = "osu018"
PLACED_LANES = 4
"""Cores of so many lanes are placed, too: of more it takes an hour each."""


def _of_cells(name: str) -> bool:
    """Presets that are for an FPGA have a page of their own, and wide ones take too long."""
    return PRESETS[name].config.lanes <= 8 and PRESETS[name].technology not in FAMILIES


CORES: tuple[str, ...] = tuple(name for name in PRESETS if _of_cells(name))
SHOWN_FIRST = ("default", "quad", "small", "compact", "nano")
ON_EVERY_TARGET = ("default", "yang2005", "satoh2007", "mozaffari2012", "abdellatif2012")
ON_ECP5 = Ask(what="small", target="ecp5")


def core(name: str, target: str = LIBRARY, *, placed: bool = False) -> Ask:
    """A preset: by several scripts where it takes cycles for a block, else by one."""
    effort = "normal" if PRESETS[name].config.cycles_per_beat > 1 else "quick"
    return Ask(what=name, target=target, effort=effort, placed=placed)


CLOCKED = (
    Ask(what="default", effort="quick", goal="area"),
    core("default"),
    *(Ask(what="default", effort="quick", clock_ns=clock) for clock in (2.1, 1.9)),
)
MANY_KEYS = Ask(
    what="plain", target="xc7", settings=("contexts=1024", "key_schedule=travelling"),
    effort="quick",
)  # fmt: skip
SBOXES = (
    "small", "fast", "boyar_peralta", "mozaffari_2012", "normal_phi1_nu1", "twisted_bdd", "table"
)  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=PAGE)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=600.0)
    asked = parser.parse_args(arguments)
    until = time.monotonic() + 60 * asked.minutes
    found = results_of("measured", everything(), until=until, jobs=asked.jobs)
    with ProcessPoolExecutor(asked.jobs) as pool:
        structures = list(pool.map(partial(begun_before, until, structure), LEAVES))
    rows = [row for row in structures if row]
    missing = len(set(everything())) + len(LEAVES) - len(found) - len(rows)
    write_page(asked.out, page(found, rows, missing), "gcmforge-study pages measured")
    if asked.out == PAGE:
        README.write_text(with_table(README.read_text(), found))
    return 0


def with_table(readme: str, found: Found) -> str:
    """README with the table of cores as it is now."""
    results, labels = measured_cores(found, LIBRARY)
    names = [f"`{name}`" for name in labels]
    columns = [column for column in CORE_COLUMNS if column[0] in IN_README]
    columns.append(("placed: MHz", partial(_placed_clock, found)))
    lines = table("core", names, results, columns)
    text = "\n".join(lines) + "\n\n"
    written, times = README_TABLE.subn(lambda _: text, readme)
    if times != 1:
        raise ValueError(f"{README}: {times} tables of cores; one was expected")
    return written


def _placed_clock(found: Found, result: Any) -> str:
    placed = found.get(core(result.what, placed=True))
    return "" if placed is None or not placed.placed else significant(placed.placed.fmax_mhz)


def measured_cores(found: Found, target: str) -> tuple[list[Any], list[str]]:
    """What is there of the cores on that target, and their names on the page."""
    asks = {name: core(name, target) for name in CORES}
    names = [name for name, ask in asks.items() if ask in found]
    return [found[asks[name]] for name in names], names


def everything() -> Iterator[Ask]:
    """What the page shows, what matters most first."""
    small, rest = (
        [name for name in CORES if (PRESETS[name].config.lanes <= PLACED_LANES) == wanted]
        for wanted in (True, False)
    )
    yield from map(core, SHOWN_FIRST)
    yield from map(core, small)
    yield from map(sbox, SBOXES)
    yield from map(multiplier, LEAVES)
    yield ON_ECP5
    for target in (LIBRARY, "ge", "xc7"):
        yield from (core(name, target) for name in ON_EVERY_TARGET)
    yield from CLOCKED
    yield MANY_KEYS
    shown_first = sorted(small, key=lambda name: name not in SHOWN_FIRST)
    yield from (core(name, placed=True) for name in shown_first)
    yield from map(core, rest)


def sbox(name: str) -> Ask:
    return Ask(what=f"aes_sbox/{name}", power=True)


def multiplier(leaf: str) -> Ask:
    return Ask(what=leaf)


def structure(name: str, progress: Progress) -> Kept:
    """What mapping keeps of a multiplier, remembered like any other figure."""
    target, plain = find_target(LIBRARY), measure(name, "ge", effort="quick", progress=progress)
    key = digest("structure", name, plain.rtl_sha256, target.version, *plain.tools.values())
    with Store() as store:
        text = store.get(key)
        if text is None:
            progress("mapping a multiplier by several scripts")
            text = msgspec.json.encode(measured(name, target)).decode()
            store.put(key, text, at=plain.measured_at, kind="structure")
        return store.read(text, Kept)


# The page -----------------------------------------------------------------------------------------


CORE_COLUMNS: list[Column] = [
    ("bits/cycle", lambda r: bits(r, r.throughput.long_message_bytes)),
    ("GE", lambda r: f"{r.area_ge:,.0f}"),
    ("flip-flops", lambda r: f"{r.flip_flops:,}"),
    ("slowest path, ns", lambda r: significant(r.timing.delay_ns)),
    ("Fmax, MHz", lambda r: significant(r.timing.fmax_mhz)),
    ("Gbit/s", lambda r: significant(r.gbit_per_s)),
    ("kbit/s per gate", lambda r: significant(r.kbit_per_s_per_gate)),
]


IN_README = ("bits/cycle", "GE", "Fmax, MHz", "Gbit/s", "kbit/s per gate")


def page(found: Found, kept: Sequence[Kept], missing: int) -> Iterator[str]:
    """Lines of the page."""
    yield "# Measured\n"
    yield "Written by `gcmforge-study pages measured`; what the figures mean is told in"
    yield "[how to measure](../how-to/measure.md). Each command gives its figures again.\n"
    if missing:
        yield f"**{missing} figures are not measured yet** and left out; the next run goes on.\n"
    yield from cores(found)
    yield from clocked(found)
    yield from in_units(found)
    yield from on_fpga(found)
    yield from on_ecp5(found)
    yield from sboxes([found[sbox(name)] for name in SBOXES if sbox(name) in found])
    yield from multipliers(kept)
    yield from times()


def cores(found: Found) -> Iterator[str]:
    """The cores on standard cells, their blocks, and their rates by packet length."""
    results, names = measured_cores(found, LIBRARY)
    if not results:
        return
    yield f"## Cores on {LIBRARY}\n"
    yield from origin(results[0])
    yield from table("core", names, results, CORE_COLUMNS)
    yield "\nBits per cycle are those of a long message with the core's largest key: 65,536 bytes,"
    yield "or the longest text of a core that takes shorter ones."
    yield from of_plain_streams(names)
    yield "Commands, and the slowest paths:\n"
    for result in results:
        yield f"- `{result.command}`:"
        yield f"  `{result.timing.start.split(' ')[0]}`"
        yield f"  to `{result.timing.end.split(' ')[0]}`"
    asks = [core(name, placed=True) for name in CORES]
    if placed := [found[ask] for ask in asks if ask in found]:
        yield "\nPlaced, with wires and a clock tree, the same script:\n"
        yield from table("core", [result.what for result in placed], placed, PLACED_COLUMNS)
    yield "\nArea by block, GE (a core's round keys count for the key schedule):\n"
    by_name = [{block.name: block for block in result.blocks} for result in results]
    blocks = [block for block in BLOCKS if any(block in row for row in by_name)]
    yield from head("core", blocks)
    for name, row in zip(names, by_name, strict=True):
        yield line(name, (f"{row[b].area_ge:,.0f}" if b in row else "" for b in blocks))
    yield "\nBits per cycle, packets of one length back to back, largest key:\n"
    sizes = sorted({rate.packet_bytes for rate in results[0].throughput.rates})
    yield from head("core", [f"{size:,} bytes" for size in sizes])
    for name, result in zip(names, results, strict=True):
        yield line(name, (bits(result, size) for size in sizes))
    yield ""


def clocked(found: Found) -> Iterator[str]:
    """One core by what it was asked to be."""
    results = [found[ask] for ask in CLOCKED if ask in found]
    if len(results) < 2:
        return
    yield f"## What speed costs on {LIBRARY}\n"
    yield "The same core mapped for area, for area x slowest path, and for clocks in ns:\n"
    columns: list[Column] = [
        ("GE", lambda r: f"{r.area_ge:,.0f}"),
        ("slowest path, ns", lambda r: significant(r.timing.delay_ns)),
        ("slack, ns", lambda r: "" if r.timing.slack_ns is None else f"{r.timing.slack_ns:+.2f}"),
    ]
    yield from table("command", [f"`{r.command}`" for r in results], results, columns)
    yield ""


def in_units(found: Found) -> Iterator[str]:
    results, names = measured_cores(found, "ge")
    if not results:
        return
    yield "## Cores in gate equivalents and T_A\n"
    yield from origin(results[0])
    columns: list[Column] = [
        ("GE", lambda r: f"{r.area_ge:,.0f}"),
        ("flip-flops", lambda r: f"{r.flip_flops:,}"),
        ("slowest path, T_A", lambda r: f"{r.timing.delay_ta:.1f}"),
        ("command", lambda r: f"`{r.command}`"),
    ]
    yield from table("core", names, results, columns)
    yield ""


def on_fpga(found: Found) -> Iterator[str]:
    results, names = measured_cores(found, "xc7")
    if not results:
        return
    yield "## Cores on Xilinx 7-series\n"
    yield from origin(results[0])
    columns: list[Column] = [
        ("LUTs, logic", lambda r: f"{r.fpga.luts:,}"),
        ("LUTs, as RAM", lambda r: f"{r.fpga.lut_ram_luts:,}"),
        ("flip-flops", lambda r: f"{r.fpga.flip_flops:,}"),
        ("block RAMs", lambda r: f"{r.fpga.block_rams:g}"),
        ("command", lambda r: f"`{r.command}`"),
    ]
    if MANY_KEYS in found:
        results, names = [*results, found[MANY_KEYS]], [*names, "1,024 contexts"]
    yield from table("core", names, results, columns)
    yield ""


def on_ecp5(found: Found) -> Iterator[str]:
    if ON_ECP5 not in found:
        return
    result = found[ON_ECP5]
    assert result.fpga
    yield "## A core placed and routed on Lattice ECP5\n"
    yield from origin(result)
    columns: list[Column] = [
        ("LUTs, logic", lambda r: f"{r.fpga.luts:,}"),
        ("LUTs, as RAM", lambda r: f"{r.fpga.lut_ram_luts:,}"),
        ("flip-flops", lambda r: f"{r.fpga.flip_flops:,}"),
        ("block RAMs", lambda r: f"{r.fpga.block_rams:g}"),
        ("Fmax, MHz", lambda r: significant(r.timing.fmax_mhz)),
        ("Gbit/s", lambda r: significant(r.gbit_per_s)),
        ("command", lambda r: f"`{r.command}`"),
    ]
    yield from table("core", (result.what,), [result], columns)
    yield f"\nDevice {result.fpga.device}, seed {result.fpga.seed}, in a wrapper of four pins.\n"


def sboxes(results: Sequence[Result]) -> Iterator[str]:
    if not results:
        return
    yield f"## S-boxes with power on {LIBRARY}\n"
    yield from origin(results[0])
    yield "All 65,280 transitions from one input to another, 50 MHz, with gate delays.\n"
    columns: list[Column] = [
        ("GE", lambda r: significant(r.area_ge, 4)),
        ("slowest path, ns", lambda r: significant(r.timing.delay_ns)),
        ("average, uW", lambda r: significant(r.power.average_uw)),
        ("peak, uW", lambda r: significant(r.power.peak_uw)),
        ("peak at", lambda r: "{:02X} -> {:02X}".format(*r.power.peak_transition)),
        ("glitches", lambda r: f"{r.power.glitch_toggles / r.power.toggles:.0%} of toggles"),
        ("command", lambda r: f"`{r.command}`"),
    ]
    yield from table(
        "S-box", [result.what.partition("/")[2] for result in results], results, columns
    )
    yield "\nMozaffari-Kermani and Reyhani-Masoleh 2012, Table 2, has for S-boxes of composite"
    yield "fields on ST 65 nm: 44.39 to 58.96 uW on average, 1,013 to 1,324 uW peak, most peaks on"
    yield "a way to input 00. Cells of 180 nm at 1.8 V take far more energy: compare S-boxes within"
    yield "one table. Peak is here the largest energy of any nanosecond.\n"


def multipliers(kept: Sequence[Kept]) -> Iterator[str]:
    if not kept:
        return
    yield "## What mapping keeps of the multipliers\n"
    yield "Areas in GE: the circuit's own count, and mapped on `ge`; then area and slowest path on"
    yield f"{LIBRARY}. Plain is `abc -liberty` on the same text, which neither buffers nor sizes:"
    yield "compare it with ours left so, too; and plain, sized as ours is, with ours as"
    yield "`measure` reports it. A sized multiplier is larger than a bare one, and faster."
    yield f"Post-synthesis, ideal wires; Yosys {yosys_version()}. Command:"
    yield "`gcmforge-study run structure`.\n"
    yield from head("GF(2^128) multiplier", HEADINGS)
    for row in kept:
        yield line(row.leaf.partition("/")[2], row.cells)


def times() -> Iterator[str]:
    yield "\n## How long the evidence takes\n"
    yield "Every step of `gcmforge-study evidence` that is kept, by kind (`--list` tells what each"
    yield "is): minutes of one process, with nothing in the results store and another process at"
    yield "work. A figure that two kinds have counts for both.\n"
    yield from times_table()
