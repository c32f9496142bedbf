# SPDX-License-Identifier: Apache-2.0
"""Write docs/reference/measured.md: cores and S-boxes on open targets, and what mapping keeps.

python bench/measured.py [--out FILE] [--jobs 2]. Figures come from the results store where they are
there; the first run takes a quarter of an hour and needs Debian's qflow-tech-osu018.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import msgspec
from structure import HEADINGS, LEAVES, Kept, measured

from gcmforge.build.cache import digest
from gcmforge.measure.measure import measure
from gcmforge.measure.result import Result
from gcmforge.measure.store import Store
from gcmforge.measure.table import significant
from gcmforge.measure.targets import find_target

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "measured.md"
LIBRARY = "osu018"
EIGHT_LANES = ("lanes=8", "key_sizes=128", "ghash_stages=2")

Subject = tuple[str, str, tuple[str, ...]]
"""Name on the page, what is measured, settings."""

CORES: tuple[Subject, ...] = (
    ("small", "small", ()),
    ("default", "default", ()),
    ("quad", "quad", ()),
    ("8 lanes, AES-128", "default", EIGHT_LANES),
)
SBOXES = ("boyar_peralta", "mozaffari_2012", "table")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=PAGE)
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    jobs = [(what, LIBRARY, settings, False) for _, what, settings in reversed(CORES)]
    jobs += [(name, target, (), False) for target in ("ge", "xc7") for name in ("default", "small")]
    jobs += [(f"aes_sbox/{name}", LIBRARY, (), True) for name in SBOXES]
    with ProcessPoolExecutor(asked.jobs) as pool:
        results = list(pool.map(one, *zip(*jobs, strict=True)))
        kept = list(pool.map(structure, LEAVES))
    found = dict(zip(jobs, results, strict=True))
    asked.out.write_text("\n".join(page(found, kept)) + "\n")
    return 0


Found = dict[tuple[str, str, tuple[str, ...], bool], Result]


def one(what: str, target: str, settings: tuple[str, ...], power: bool) -> Result:
    """A result, from the store or made now."""
    return measure(what, target, settings=settings, power=power)


def structure(name: str) -> Kept:
    """What mapping keeps of a multiplier, remembered like any other figure."""
    target, plain = find_target(LIBRARY), measure(name, "ge", effort="quick")
    key = digest("structure", name, plain.rtl_sha256, target.version, *plain.tools.values())
    with Store() as store:
        text = store.get(key)
        if text is None:
            text = msgspec.json.encode(measured(name, target)).decode()
            store.put(key, text, at=plain.measured_at, kind="structure")
    return msgspec.json.decode(text, type=Kept)


# The page -----------------------------------------------------------------------------------------

Column = tuple[str, Callable[[Result], str]]


def page(found: Found, kept: Sequence[Kept]) -> Iterator[str]:
    """Lines of the page."""
    library = [found[what, LIBRARY, settings, False] for _, what, settings in CORES]
    yield "# Measured\n"
    yield "Written by `python bench/measured.py`; what the figures mean is told in"
    yield "[how to measure](../how-to/measure.md). Each command gives its figures again.\n"
    yield from cores(library)
    yield from in_units(found)
    yield from on_fpga(found)
    yield from sboxes([found[f"aes_sbox/{name}", LIBRARY, (), True] for name in SBOXES])
    yield from multipliers(kept, library[0])


def cores(results: Sequence[Result]) -> Iterator[str]:
    """The cores on standard cells, their blocks, and their rates by packet length."""
    yield f"## Cores on {LIBRARY}\n"
    yield from origin(results[0])
    columns: list[Column] = [
        ("bits/cycle", lambda r: bits(r, r.throughput.long_message_bytes)),
        ("GE", lambda r: f"{r.area_ge:,.0f}"),
        ("flip-flops", lambda r: f"{r.flip_flops:,}"),
        ("slowest path, ns", lambda r: significant(r.timing.delay_ns)),
        ("Fmax, MHz", lambda r: significant(r.timing.fmax_mhz)),
        ("Gbit/s", lambda r: significant(r.gbit_per_s)),
        ("kbit/s per gate", lambda r: significant(r.kbit_per_s_per_gate)),
    ]
    names = [name for name, _, _ in CORES]
    yield from table("core", names, results, columns)
    yield "\nBits per cycle are those of messages of 65,536 bytes with the core's largest key."
    yield "Commands, and the slowest paths:\n"
    for result in results:
        yield f"- `{result.command}`:"
        yield f"  `{result.timing.start.split(' ')[0]}`"
        yield f"  to `{result.timing.end.split(' ')[0]}`"
    yield "\nArea by block, GE (a core's round keys count for the key schedule):\n"
    blocks = [block.name for block in results[0].blocks]
    by_name = [{block.name: block for block in result.blocks} for result in results]
    yield from head("core", blocks)
    for name, row in zip(names, by_name, strict=True):
        areas = (row[block].area_ge for block in blocks)
        yield line(name, (f"{area:,.0f}" for area in areas))
    yield "\nBits per cycle, packets of one length back to back, largest key:\n"
    sizes = sorted({rate.packet_bytes for rate in results[0].throughput.rates})
    yield from head("core", [f"{size:,} bytes" for size in sizes])
    for name, result in zip(names, results, strict=True):
        yield line(name, (bits(result, size) for size in sizes))
    yield ""


def in_units(found: Found) -> Iterator[str]:
    results = [found[name, "ge", (), False] for name in ("small", "default")]
    yield "## Cores in gate equivalents and T_A\n"
    yield from origin(results[0])
    columns: list[Column] = [
        ("GE", lambda r: f"{r.area_ge:,.0f}"),
        ("flip-flops", lambda r: f"{r.flip_flops:,}"),
        ("slowest path, T_A", lambda r: f"{r.timing.delay_ta:.1f}"),
        ("command", lambda r: f"`{r.command}`"),
    ]
    yield from table("core", ("small", "default"), results, columns)
    yield ""


def on_fpga(found: Found) -> Iterator[str]:
    results = [found[name, "xc7", (), False] for name in ("small", "default")]
    yield "## Cores on Xilinx 7-series\n"
    yield from origin(results[0])
    columns: list[Column] = [
        ("LUTs, logic", lambda r: f"{r.fpga.luts:,}"),
        ("LUTs, as RAM", lambda r: f"{r.fpga.lut_ram_luts:,}"),
        ("flip-flops", lambda r: f"{r.fpga.flip_flops:,}"),
        ("block RAMs", lambda r: f"{r.fpga.block_rams:g}"),
        ("command", lambda r: f"`{r.command}`"),
    ]
    yield from table("core", ("small", "default"), results, columns)
    yield ""


def sboxes(results: Sequence[Result]) -> Iterator[str]:
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
    yield from table("S-box", SBOXES, results, columns)
    yield "\nMozaffari-Kermani and Reyhani-Masoleh 2012, Table 2, has for S-boxes of composite"
    yield "fields on ST 65 nm: 44.39 to 58.96 uW on average, 1,013 to 1,324 uW peak, most peaks on"
    yield "a way to input 00. Cells of 180 nm at 1.8 V take far more energy: compare S-boxes within"
    yield "one table. Peak is here the largest energy of any nanosecond.\n"


def multipliers(kept: Sequence[Kept], other: Result) -> Iterator[str]:
    yield "## What mapping keeps of the multipliers\n"
    yield f"Areas in GE: the circuit's own count, mapped on `ge`, and on {LIBRARY} by plain"
    yield "`abc -liberty` on the same text, by ours without buffers as plain has none, and by ours"
    yield "as `measure` reports it, buffered and sized. Post-synthesis, ideal wires; Yosys"
    yield f"{other.tools['yosys']}. Command: `python bench/structure.py`.\n"
    yield from head("GF(2^128) multiplier", HEADINGS)
    for row in kept:
        yield line(row.leaf.partition("/")[2], row.areas)


# Tables -------------------------------------------------------------------------------------------


def origin(result: Result) -> Iterator[str]:
    """Where a table's figures are from."""
    tools = ", ".join(f"{name} {version}" for name, version in result.tools.items())
    yield f"{result.note[0].upper()}{result.note[1:]}; {result.target_family}. Tools: {tools}.\n"


def bits(result: Result, size: int) -> str:
    return f"{result.throughput.rate(size).bits_per_cycle:.1f}"


def table(
    first: str, names: Sequence[str], results: Sequence[Result], columns: Sequence[Column]
) -> Iterator[str]:
    yield from head(first, [heading for heading, _ in columns])
    for name, result in zip(names, results, strict=True):
        yield line(name, (show(result) for _, show in columns))


def head(first: str, headings: Sequence[str]) -> Iterator[str]:
    yield line(first, headings)
    yield line("---", ("---:" for _ in headings))


def line(first: str, cells: Sequence[str] | Iterator[str]) -> str:
    return f"| {first} | {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(main())
