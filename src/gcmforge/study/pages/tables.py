# SPDX-License-Identifier: Apache-2.0
"""Tables of the pages of measured figures: rows of Results as Markdown."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from gcmforge.config.presets import PRESETS
from gcmforge.measure.result import Result
from gcmforge.measure.table import significant

Column = tuple[str, Callable[[Any], str]]
"""A heading, and what of a Result stands below it; only of results that have that figure."""


def placed_per_gate(result: Any) -> float:
    """kbit/s per gate of a core that was placed, at its placed clock."""
    placed = result.placed
    return float(1e6 * placed.gbit_per_s / placed.area_ge)


def _opensta_differs(placed: Any) -> str:
    """Of its slowest path from ours; nothing where it was not there."""
    other = placed.other_delay_ns
    return "" if other is None else f"{abs(placed.delay_ns / other - 1):.2%}"


PLACED_COLUMNS: list[Column] = [
    ("placed: MHz", lambda r: significant(r.placed.fmax_mhz)),
    ("of the ideal clock", lambda r: f"{r.placed.fmax_mhz / r.timing.fmax_mhz:.0%}"),
    ("Gbit/s", lambda r: significant(r.placed.gbit_per_s)),
    ("kbit/s per gate", lambda r: significant(placed_per_gate(r))),
    ("GE", lambda r: f"{r.placed.area_ge:,.0f}"),
    ("cells added", lambda r: f"{r.placed.cells_added:,}"),
    ("clock tree, GE", lambda r: f"{r.placed.clock_area_ge:,.0f}"),
    ("clock skew, ns", lambda r: significant(r.placed.clock_skew_ns)),
    ("wire, m", lambda r: significant(r.placed.wire_m)),
    ("OpenSTA differs by", lambda r: _opensta_differs(r.placed)),
]


def origin(result: Result) -> Iterator[str]:
    """What a table's figures are of. Their version is that of the page's last line: a result is
    found by a hash of everything that it depends on."""
    tools = ", ".join(f"{name} {version}" for name, version in result.tools.items())
    yield f"{result.note[0].upper()}{result.note[1:]}; {result.target_family}. Tools: {tools}.\n"


def of_plain_streams(presets: Iterable[str]) -> list[str]:
    """Lines that say whose rates are not those of its own bus; none where all are."""
    shared = [f"`{name}`" for name in presets if PRESETS[name].config.core == "segments"]
    if not shared:
        return []
    return [
        f"{', '.join(shared)}: rates are those of the plain streams around the core,",
        "where a packet has beats of its own. On the core's own bus",
        "[packets share beats](../theory/segments.md#laws).",
    ]


def bits(result: Any, size: int) -> str:
    """A cycle; nothing of packets that the core does not take."""
    rate = result.throughput.rate(size)
    return "" if rate is None else f"{rate.bits_per_cycle:.1f}"


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
