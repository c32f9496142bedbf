# SPDX-License-Identifier: Apache-2.0
"""Write docs/reference/line-rates.md: presets named for a rate, and the clocks they reach.

gcmforge-study pages line-rates [NAME ...] [--jobs 2] [--minutes N] [--out FILE]

Each preset is mapped for the clock that its name asks of its technology (`gcmforge build --preset
NAME` shows the arithmetic), with few scripts (--effort quick), but 800g, which needs all of them.
With NAMEs nothing else is measured; the page shows what the results store has of the others.
Sixteen lanes take twenty minutes of one processor. After N minutes nothing more is begun.
"""

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from gcmforge.config.presets import PRESETS
from gcmforge.measure.result import Result
from gcmforge.measure.table import significant
from gcmforge.study.checkout import REFERENCE, write_page
from gcmforge.study.pages.asks import Ask, results_of
from gcmforge.study.pages.tables import Column, table

PAGE = REFERENCE / "line-rates.md"


ETHERNET = tuple(name for name, preset in PRESETS.items() if preset.ethernet_gbit_per_s)
"""Their packets share beats."""


def ask(name: str, *settings: str, effort: str = "quick") -> Ask:
    """A preset mapped for its clock."""
    preset = PRESETS[name]
    return Ask(
        what=name, target=preset.technology, settings=settings, effort=effort,
        clock_ns=preset.clock_ns,
    )  # fmt: skip


RATES = {
    "800g": ask("800g", effort="normal"),
    "800g with one lane": ask("800g", "lanes=1"),
    "800g with four": ask("800g", "lanes=4"),
    **{name: ask(name) for name in ("100g", "200g", "400g")},
    **{name: ask(name) for name in ETHERNET},
}

CLOCK_NS = 2.55
WITHOUT = "the same lanes without segments"
NARROW = "one of four engines of four lanes"


def _alike(lanes: int) -> Ask:
    """The circuits of 400ge in a core where each packet begins a beat."""
    return Ask(
        what="plain", target="ihp-sg13g2", effort="quick", clock_ns=CLOCK_NS,
        settings=(
            f"lanes={lanes}", "key_sizes=128,256", "aes_substages=2", "counter_sharing=on",
            "sbox=faster", "mix_columns=depth3", "multiplier=ko5_small", "ghash_stages=3", "iv=96",
            "slots=line", "key_unit=dedicated", "j0=dedicated", "tail=dedicated",
            "max_text_bytes=16384", "max_aad_bytes=16384",
        ),
    )  # fmt: skip


SEGMENTS = {
    "`400ge`": Ask(what="400ge", target="ihp-sg13g2", effort="quick", clock_ns=CLOCK_NS),
    WITHOUT: _alike(16),
    NARROW: _alike(4),
}
"""What packets that share beats take, of the same circuits at one clock."""

ASKS = {**RATES, **SEGMENTS}


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=600.0)
    parser.add_argument("--out", type=Path, default=PAGE)
    asked = parser.parse_args(arguments)
    if unknown := set(asked.names) - set(ASKS):
        parser.error(f"{', '.join(sorted(unknown))}: there is {', '.join(ASKS)}")
    until = time.monotonic() + 60 * asked.minutes
    only = [ASKS[name] for name in asked.names] or None
    results = results_of("line-rates", ASKS.values(), until=until, jobs=asked.jobs, only=only)
    shown = {name: results[ask] for name, ask in ASKS.items() if ask in results}
    write_page(asked.out, page(shown), "gcmforge-study pages line-rates")
    return 0


def page(found: Mapping[str, Result]) -> Iterator[str]:
    yield "# The clocks of the line rates\n"
    yield "Written by `gcmforge-study pages line-rates`. What a preset's name asks of its"
    yield "technology, and what the core reaches when it is mapped for that. Post-synthesis, ideal"
    yield "wires.\n"
    yield "Lanes x 128 bits x the clock asked is the rate of `100g` to `800g`, of full beats."
    yield f"{', '.join(f'`{name}`' for name in ETHERNET)} are for an Ethernet rate with"
    yield "MACsec whatever the frames are. The worst frame"
    yield "[asks for their clock](../theory/segments.md#ethernet-whatever-the-frames-are).\n"
    columns: list[Column] = [
        ("technology", lambda r: r.target),
        ("asked, MHz", lambda r: f"{PRESETS[r.what].clock_mhz:g}"),
        ("Fmax, MHz", lambda r: significant(r.timing.fmax_mhz)),
        ("met", lambda r: "yes" if r.timing.slack_ns >= 0 else "no"),
        ("GE", lambda r: f"{r.area_ge:,.0f}"),
        ("Gbit/s at Fmax", lambda r: significant(r.gbit_per_s)),
        ("command", lambda r: f"`{r.command}`"),
    ]
    rates = [name for name in RATES if name in found]
    yield from table("preset", rates, [found[name] for name in rates], columns)
    yield from of_segments(found)
    missing = [name for name in ASKS if name not in found]
    if missing:
        yield (
            "\nNot measured on this version, on the technology and for the clock that it asks: "
            f"{', '.join(missing)}."
        )


def of_segments(found: Mapping[str, Result]) -> Iterator[str]:
    """What segments cost in area."""
    measured = [found[name] for name in SEGMENTS if name in found]
    if len(measured) < len(SEGMENTS):
        return
    with_them, without, narrow = (result.area_ge or 0.0 for result in measured)
    assert with_them and without and narrow
    yield "\n## What segments take\n"
    yield "16 lanes in 4 segments, and the same circuits where each packet begins a beat, all"
    yield f"mapped for {1000 / CLOCK_NS:.0f} MHz. Segments take"
    yield f"**{with_them / without - 1:.1%}** more gates. Four engines of four lanes, each with a"
    yield f"packet of its own, have {4 * narrow:,.0f} GE: {4 * narrow / without - 1:.1%} more, but"
    yield "for the buffers that deal out packets and put them in order again.\n"
    columns: list[Column] = [
        ("GE", lambda r: f"{r.area_ge:,.0f}"),
        ("Fmax, MHz", lambda r: significant(r.timing.fmax_mhz)),
        ("met", lambda r: "yes" if r.timing.slack_ns >= 0 else "no"),
        ("command", lambda r: f"`{r.command}`"),
    ]
    yield from table("core", list(SEGMENTS), measured, columns)
