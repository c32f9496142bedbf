# SPDX-License-Identifier: Apache-2.0
"""Write docs/reference/goals.md: what was asked of figures, what they are, and what was tried.

gcmforge-study pages goals [--jobs 1] [--minutes N] [--out FILE]

Figures come from the results store where they are there. After N minutes nothing more is begun:
the page leaves out what is missing, tells how much, and the next run goes on from there.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from gcmforge.measure.result import Result
from gcmforge.measure.table import significant
from gcmforge.study.checkout import REFERENCE, write_page
from gcmforge.study.pages.asks import Ask, Found, results_of
from gcmforge.study.pages.bound import Bound, Case, Flow, bounds
from gcmforge.study.pages.measured import core
from gcmforge.study.pages.tables import Column, placed_per_gate, table
from gcmforge.study.papers.contenders import CONTENDERS

PAGE = REFERENCE / "goals.md"
GATED = "osu018-gated"


@dataclass(frozen=True, kw_only=True, slots=True)
class Goal:
    """One figure that was asked for."""

    what: str
    unit: str
    least: float
    ask: Ask
    figure: Callable[[Result], float]
    tried: Mapping[str, Ask]
    """What else was measured for it, and why, the most telling first."""
    limit: Case | None = None
    """Cores of which a bound is told."""
    left: str = ""
    """What is in the way, where it is not reached."""


def per_gate(result: Result) -> float:
    assert result.kbit_per_s_per_gate is not None
    return result.kbit_per_s_per_gate


def clock(result: Result) -> float:
    assert result.timing is not None and result.timing.fmax_mhz is not None
    return result.timing.fmax_mhz


def of_ideal(result: Result) -> float:
    assert result.placed is not None
    return 100 * result.placed.fmax_mhz / clock(result)


def rival(paper: str, name: str, *, effort: str, placed: bool, gated: bool = True) -> Ask:
    """A core that stands beside a paper's, with that paper's columns (papers/contenders.py)."""
    (one,) = (one for one in CONTENDERS if (one.paper, one.name) == (paper, name))
    return Ask(
        what="plain", target=one.target + ("-gated" if gated else ""), settings=one.all_settings,
        effort=effort, goal="balanced", placed=placed,
    )  # fmt: skip


def varied(ask: Ask, *settings: str) -> Ask:
    return replace(ask, settings=settings)


YANG = partial(rival, "yang2005", "three stages a round, three packets ahead")
SATOH = partial(rival, "satoh2007", "one stage a round, slots in step")
DEFAULT, HUNDRED = core("default"), core("100g")

GOALS = (
    Goal(
        what="`default` on osu018, ideal wires, no clock gates", unit="kbit/s per gate",
        least=230, ask=DEFAULT, figure=per_gate,
        limit=Case(
            flow=Flow(target="osu018", effort="normal"), lanes=1, key_bits=256, contexts=4
        ),
        tried={
            "other circuits for the product": varied(DEFAULT, "multiplier=mixed_15_small"),
            "longer stages, fewer registers in S-boxes": varied(DEFAULT, "aes_slack=10"),
            "another S-box": varied(DEFAULT, "sbox=fast"),
            "MixColumns with fewer gates": varied(DEFAULT, "mix_columns=depth4"),
            "a stage more in the product": varied(DEFAULT, "ghash_stages=4"),
            "three stages a round": varied(DEFAULT, "aes_substages=3", "ghash_stages=5"),
            "round keys made with each block: 4 contexts take less, the schedule more":
                varied(DEFAULT, "key_schedule=travelling"),
            "no multiplexer for any enable (clock gates): what enables cost":
                replace(DEFAULT, target=GATED),
            "one context: what the other three cost": varied(DEFAULT, "contexts=1"),
        },
        left="Four contexts are a quarter of it, and every register has an enable, as text may "
        "be held back in any cycle. An AES that never stands still needs as many places after "
        "it as it has stages, 28, with 128 bits each: by count they take what the enables save. "
        "Round keys in rings of flip-flops without enables would save 16 kGE, and switch "
        "7,680 flip-flops in every cycle: not built.",
    ),
    Goal(
        what="`default` on osu018, placed, of its ideal clock", unit="%", least=85,
        ask=replace(DEFAULT, placed=True), figure=of_ideal, tried={},
    ),
    Goal(
        what="`quad` on osu018: four lanes, ideal wires", unit="MHz", least=410,
        ask=core("quad"), figure=clock, tried={},
    ),
    Goal(
        what="`100g` on osu018, ideal wires, no clock gates", unit="kbit/s per gate",
        least=220, ask=HUNDRED, figure=per_gate,
        limit=Case(
            flow=Flow(target="osu018", effort="normal"), lanes=4, key_bits=256, contexts=1
        ),
        tried={
            "the circuits of `quad`": varied(
                HUNDRED, "sbox=faster", "mix_columns=depth3", "multiplier=ko5_small",
                "ghash_stages=3",
            ),
            "no multiplexer for any enable (clock gates)": replace(HUNDRED, target=GATED),
            "four contexts: what the other twelve cost": varied(HUNDRED, "contexts=4"),
        },
        left="It has a fifth AES for E(K, J0), a multiplier more for the length block, and the "
        "powers of H for 16 contexts, so that no packet waits for anything; none of these is "
        "in the bound.",
    ),
    Goal(
        what="the core beside Yang 2005, at no length worse; ideal wires, clock gates",
        unit="kbit/s per gate", least=480, ask=YANG(effort="high", placed=False),
        figure=per_gate, tried={"one script": YANG(effort="quick", placed=False)},
    ),
    Goal(
        what="the same, placed; cells take 80 % of the area", unit="kbit/s per gate", least=400,
        ask=replace(YANG(effort="high", placed=True), utilisation=0.8), figure=placed_per_gate,
        tried={
            "cells take 70 % of the area: longer wires": YANG(effort="high", placed=True),
            "one script": YANG(effort="quick", placed=True),
        },
        left="The slowest path ends at a clock gate, whose latch wants its enable 0.42 ns before "
        "the clock, which is there 0.34 ns before it is at the flip-flops. Gates that drive "
        "flip-flops themselves have the clock 0.2 ns before; they make its edges slower than "
        "buffers do, by more than that (both are tried for every core, `place/clock_tree.py`).",
    ),
    Goal(
        what="the core beside Satoh 2007, 256 bits a cycle at 64 bytes; placed, clock gates",
        unit="kbit/s per gate", least=350, ask=SATOH(effort="quick", placed=True),
        figure=placed_per_gate, tried={"ideal wires": SATOH(effort="quick", placed=False)},
        left="With ideal wires it is below that already. Two stages a round are no way out: such "
        "a core with three key sizes has more gates than the paper prints, and is refused. "
        "Placed it loses more than a quarter of its clock, and its cells take 15 % more area: "
        "wires have 2 Ohm/um here, and the products of four lanes are one circuit whose wires "
        "cross the core, so that most paths are late and get buffers along their wires. "
        "Without such buffers it had 138 MHz, and 126 kbit/s per gate. "
        "Two attempts before them did not help: nets of many readers in trees of buffers by place "
        "(32 ns before repair became 14, after it 8 to 9 as without them), and a first repair of "
        "everything slow at one stroke (its 2,400 buffers push cells away: `default` ended at "
        "2.47 ns instead of 2.31).",
    ),
)  # fmt: skip


def asks() -> tuple[Ask, ...]:
    """Everything that the page shows."""
    return tuple(dict.fromkeys(ask for goal in GOALS for ask in (goal.ask, *goal.tried.values())))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=600.0)
    parser.add_argument("--out", type=Path, default=PAGE)
    asked = parser.parse_args(arguments)
    until = time.monotonic() + 60 * asked.minutes
    found = results_of("goals", asks(), until=until, jobs=asked.jobs)
    limits = {goal.limit: best(goal.limit) for goal in GOALS if goal.limit}
    write_page(asked.out, page(found, limits), "gcmforge-study pages goals")
    return 0


def best(case: Case) -> Bound:
    """With the S-box cut where its circuit allows it, and enables."""
    return max(bounds(case, enabled=True, real=True), key=lambda one: one.kbit_per_s_per_gate)


def page(found: Found, limits: Mapping[Case, Bound]) -> Iterator[str]:
    yield "# Goals of figures\n"
    yield "Written by `gcmforge-study pages goals`. What was asked of presets, and of the cores"
    yield "that stand beside two papers; what they reach; and what was tried where it is less."
    yield "[What figures mean](../how-to/measure.md), [the papers](papers.md).\n"
    if missing := sum(ask not in found for ask in asks()):
        yield f"**{missing} figures are not measured yet** and left out; the next run goes on.\n"
    yield "| figure | unit | asked | reached | met |"
    yield "| --- | --- | ---: | ---: | --- |"
    for goal in GOALS:
        result = found.get(goal.ask)
        value = None if result is None else goal.figure(result)
        shown = "not measured yet" if value is None else significant(value)
        met = "" if value is None else "yes" if value >= goal.least else "no"
        yield f"| {goal.what} | {goal.unit} | {goal.least:g} | {shown} | {met} |"
    for goal in GOALS:
        yield from of_goal(goal, found, limits)


COLUMNS: list[Column] = [
    ("GE", lambda r: f"{r.area_ge:,.0f}"),
    ("MHz", lambda r: significant(r.timing.fmax_mhz)),
    ("kbit/s per gate", lambda r: significant(r.kbit_per_s_per_gate)),
    ("placed: MHz", lambda r: significant(r.placed.fmax_mhz) if r.placed else ""),
    ("kbit/s per gate", lambda r: significant(placed_per_gate(r)) if r.placed else ""),
    ("command", lambda r: f"`{r.command}`"),
]


def of_goal(goal: Goal, found: Found, limits: Mapping[Case, Bound]) -> Iterator[str]:
    """What was measured for it; what is in the way where it is not reached."""
    rows = {"as asked": goal.ask, **goal.tried}
    names = [name for name, ask in rows.items() if ask in found]
    if not names and not goal.left:
        return
    yield f"\n## {goal.what[0].upper()}{goal.what[1:]}\n"
    if names:
        yield from table("core", names, [found[rows[name]] for name in names], COLUMNS)
    result = found.get(goal.ask)
    if result is not None and goal.figure(result) >= goal.least:
        return
    if goal.limit:
        limit = limits[goal.limit]
        keys = f" with {goal.limit.contexts} contexts" if goal.limit.contexts > 1 else ""
        yield f"\nNo core of these leaves{keys} is above {limit.kbit_per_s_per_gate:.0f}: rounds,"
        yield f"registers, keys and a multiplier a lane alone have {limit.area_ge:,.0f} GE and"
        yield f"{limit.delay_ns:.2f} ns, without any control or buffer"
        yield "([what the leaves allow](bound.md))."
    if goal.left:
        yield f"\n{goal.left}"
