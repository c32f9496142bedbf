# SPDX-License-Identifier: Apache-2.0
"""Figures of the pages as steps: each is in the results store when its step has ended.

The store knows what is measured already, so that these steps are always asked for again.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from gcmforge.config import SBOXES
from gcmforge.config.presets import load_config
from gcmforge.study.kept import Found, Step
from gcmforge.study.pages import features, line_rates, measured
from gcmforge.study.pages.asks import Ask
from gcmforge.study.pages.structure import LEAVES
from gcmforge.study.papers import needs
from gcmforge.study.papers.making import make
from gcmforge.study.papers.measured import ONE_KEY, ZEROS, Measured, Need
from gcmforge.study.papers.measured import read_kept as read_figures
from gcmforge.study.papers.measured import write_kept as write_figures

LEAST_PERCENT, MOST_PERCENT, MOST_WITH_DEFAULTS = -0.05, 0.001, 1.0
"""By how much the built-in path may be longer than OpenSTA's. It is up to 0.05 % shorter near gates
with tied inputs, where OpenSTA counts slow edges that cannot happen. On targets WITH_DEFAULTS it is
longer near such gates (docs/how-to/measure.md)."""
WITH_DEFAULTS = frozenset({"ihp-sg13g2"})
"""Their cells have arcs without a condition beside those with one: the built-in timing counts them
all, OpenSTA those alone whose conditions the tied inputs meet."""


def measured_steps() -> Iterator[Step]:
    """What docs/reference/measured.md shows."""
    yield from ask_steps("measured", measured.everything())
    for leaf in LEAVES:
        yield Step(
            kind="measured", name=f"structure of {leaf}", call=measured_structure,
            arguments=(leaf,), command=f"gcmforge-study run structure --leaves {leaf}",
        )  # fmt: skip


def sbox_steps() -> Iterator[Step]:
    yield from ask_steps("sboxes", map(measured.sbox, SBOXES))


def feature_steps() -> Iterator[Step]:
    yield from ask_steps(
        "features", (Ask(what="plain", settings=settings) for settings in features.cores())
    )


def line_rate_steps() -> Iterator[Step]:
    yield from ask_steps("line-rates", line_rates.ASKS.values())


def ask_steps(kind: str, asks: Iterable[Ask]) -> Iterator[Step]:
    for ask in dict.fromkeys(asks):
        yield Step(
            kind=kind, name=ask.words, command=f"gcmforge measure {ask.words}",
            call=measured_ask, arguments=(ask,),
        )  # fmt: skip


def measured_ask(ask: Ask) -> Found:
    """A figure; it fails where OpenSTA has timed the same netlist otherwise."""
    result = ask.result(_quiet)
    timing, other = result.timing, result.other_timing
    data = {
        "area_ge": result.area_ge,
        "fmax_mhz": timing.fmax_mhz if timing else None,
        "measured_at": result.measured_at,
        "opensta_differs_percent": other.difference_percent if other else None,
    }
    most = MOST_WITH_DEFAULTS if ask.target in WITH_DEFAULTS else MOST_PERCENT
    if other and not LEAST_PERCENT <= other.difference_percent <= most:
        text = f"the built-in path and {other.tool}'s differ by {other.difference_percent:+.4f} %"
        return Found(ok=False, text=f"{result.command}: {text}", data=data, seconds=result.seconds)
    return Found(ok=True, text=f"{result.command}: done", data=data, seconds=result.seconds)


def measured_structure(leaf: str) -> Found:
    found = measured.structure(leaf, _quiet)
    text = f"{leaf}: {', '.join(found.cells)}"
    return Found(ok=found.kept, text=text, data={"ours_ge": found.ours.area_ge})


def _quiet(_: str) -> None:
    """No progress."""


# The papers' tables -------------------------------------------------------------------------------


def paper_steps() -> Iterator[Step]:
    """Every figure that a paper's table is compared with."""
    for need in needs():
        played = not need.target and need.what not in (ONE_KEY, ZEROS.what)
        yield Step(
            kind="papers", name=need.name, call=paper_need, arguments=(need,),
            command=f"gcmforge measure {need.name}" if need.target and not need.module
            else "gcmforge-study evidence papers",
            rtl=load_config(None, need.what, need.settings) if played else None,
        )  # fmt: skip


def paper_need(need: Need) -> Found:
    found = make(need)
    return Found(ok=True, text=f"{need.name}: done", data=asdict(found), seconds=found.seconds)


def keep_figure(step: Step, record: Mapping[str, Any]) -> None:
    """A figure is kept with the tables; one that no table asks for any more is dropped."""
    if not record["ok"]:
        return
    known = {need.name for need in needs()}
    figures = {name: value for name, value in read_figures().items() if name in known}
    write_figures({**figures, step.name: Measured(**record["found"])})
