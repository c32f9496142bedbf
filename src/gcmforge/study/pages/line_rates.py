# SPDX-License-Identifier: Apache-2.0
"""Write docs/reference/line-rates.md: presets named for a rate, and the clocks they reach.

gcmforge-study pages line-rates [NAME ...] [--jobs 2] [--minutes N] [--out FILE]

Each preset is mapped for the clock that its name asks of its technology (`gcmforge build --preset
NAME` shows the arithmetic), with few scripts (--effort quick), but 800g and 800ge, which need all
of them.
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
from gcmforge.study.pages.tables import Column, head, line, table

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
    "800ge": ask("800ge", effort="normal"),  # in its place among them
}

CLOCK_NS = 2.55
WITHOUT = "the same lanes without segments"
ONE_ENGINE = "`400ge`: one engine of 16 lanes in 4 segments"


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


def _of_400ge(*settings: str) -> Ask:
    return Ask(
        what="400ge", target="ihp-sg13g2", effort="quick", clock_ns=CLOCK_NS, settings=settings
    )


STRUCTURES = {
    WITHOUT: (1, _alike(16)),
    ONE_ENGINE: (1, _of_400ge()),
    "two engines of 8 lanes in 2 segments": (2, _of_400ge("lanes=8", "segments=2")),
    "four engines of 4 lanes": (4, _alike(4)),
}
"""Ways to take four packets in a beat: how many engines, and one of them, all of the same circuits
at one clock. What deals packets out and puts them in order again is not in them."""

CLOCK: list[Column] = [
    ("Fmax, MHz", lambda r: significant(r.timing.fmax_mhz)),
    ("met", lambda r: "yes" if r.timing.slack_ns >= 0 else "no"),
]
GE: Column = ("GE", lambda r: f"{r.area_ge:,.0f}")
COMMAND: Column = ("command", lambda r: f"`{r.command}`")

ASKS = {**RATES, **{name: one for name, (_, one) in STRUCTURES.items()}}


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
        *CLOCK,
        GE,
        ("Gbit/s at Fmax", lambda r: significant(r.gbit_per_s)),
        COMMAND,
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
    """What segments cost in area, and what other structures would."""
    if not all(name in found for name in STRUCTURES):
        return
    gates = {
        name: engines * (found[name].area_ge or 0.0) for name, (engines, _) in STRUCTURES.items()
    }
    more = {name: total / gates[WITHOUT] - 1 for name, total in gates.items()}
    yield "\n## What segments take\n"
    yield "Ways to take a packet in each of four segments of a beat, of the same circuits, all"
    yield f"mapped for {1000 / CLOCK_NS:.0f} MHz. In one engine segments take"
    yield f"**{more[ONE_ENGINE]:.1%}** more gates than its lanes where each packet begins a beat."
    yield "Where there are more engines, each has packets of its own; the buffers that deal out"
    yield "packets and put them in order again are not counted.\n"
    columns = [GE, *CLOCK, COMMAND]
    yield from head("core", ("all engines, GE", "more", *(f"one: {what}" for what, _ in columns)))
    for name in STRUCTURES:
        one = (show(found[name]) for _, show in columns)
        yield line(name, (f"{gates[name]:,.0f}", f"{more[name]:.1%}", *one))
