# SPDX-License-Identifier: Apache-2.0
"""From what a core is for to goal, lanes and clock, from which gcmforge.config.intent derives the
rest: the smallest core of any goal that serves, by its estimate.

    found = start(Wanted(gbit_per_s=10, shortest_bytes=64, longest_bytes=1_500, key_sizes=(256,)))
    found.values         # {"goal": "balanced", "gbit_per_s": 10, "clock_mhz": 206, ...}
    found.plan.config    # the core that they make
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gcmforge.config import ConfigError, CoreConfig
from gcmforge.config.intent import GOALS, Plan, plan_core
from gcmforge.config.rates import bits_per_cycle
from gcmforge.explore.calibration import calibrated
from gcmforge.explore.estimate import estimate
from gcmforge.explore.need import Need, recommend
from gcmforge.explore.point import Point

STANDS_IN = "osu018"
"""The target whose areas rank cores for a target that has no estimates."""

LANES = (1, 2, 4, 8, 16)
LONGEST_TOLD = 65_536


@dataclass(frozen=True, kw_only=True, slots=True)
class Wanted:
    """What the core is for."""

    gbit_per_s: int
    shortest_bytes: int
    """Of text in a packet; the rate is to be reached in packets of that length, too."""
    longest_bytes: int
    key_sizes: tuple[int, ...]
    contexts: int = 1
    release: str = "streaming"
    target: str = STANDS_IN
    clock_mhz: int | None = None
    """The clock that there is; without one it follows, on a target with estimates."""

    @property
    def is_estimated(self) -> bool:
        """Whether cores can be estimated on the target."""
        return self.target in calibrated()

    @property
    def need(self) -> Need:
        """The same as explore takes it."""
        return Need(
            target=self.target, gbit_per_s=self.gbit_per_s, packet_bytes=self.shortest_bytes,
            key_sizes=self.key_sizes, contexts=self.contexts, clock_mhz=self.clock_mhz,
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True, slots=True)
class Start:
    """A configuration to begin with."""

    wanted: Wanted
    values: Mapping[str, Any]
    """Goal, rate, clock and options to write down; the rest follows from them."""
    plan: Plan
    point: Point
    """The estimate; on a target that has none, that of STANDS_IN with the clock that was set."""

    @property
    def clock_mhz(self) -> int:
        """The clock that is planned."""
        return int(self.values["clock_mhz"])

    @property
    def rates(self) -> dict[int, float]:
        """Gbit/s at that clock by length of packets: the shortest and the longest."""
        sizes = (self.wanted.shortest_bytes, min(self.wanted.longest_bytes, LONGEST_TOLD))
        config = self.plan.config
        return {size: bits_per_cycle(config, size) * self.clock_mhz / 1000 for size in sizes}


def start(wanted: Wanted) -> Start:
    """ConfigError says why no core serves."""
    if wanted.clock_mhz is None and not wanted.is_estimated:
        raise ConfigError(
            f"target {wanted.target}: nothing is known of its clock before a core is measured; say "
            f"the one that is planned, such as {wanted.target} at 250"
        )
    made: dict[CoreConfig, Start] = {}
    refused: list[str] = []
    for goal in GOALS:
        for lanes in LANES:
            try:
                candidate = _candidate(goal, lanes, wanted)
            except ConfigError as error:
                refused.append(str(error))
            else:
                made.setdefault(candidate.plan.config, candidate)
    if not made:
        raise ConfigError(_why_none(refused, wanted))
    answer = recommend([candidate.point for candidate in made.values()], wanted.need)
    if answer.best is None:
        raise ConfigError(
            f"no core serves {wanted.need.text}: {'; '.join(answer.why)}; ask for less, for longer "
            "packets or another clock, or use several cores"
        )
    return _settled(made[answer.best.point.config])


def _why_none(refused: Sequence[str], wanted: Wanted) -> str:
    """What contradicts itself, or else how fast cores are at most."""
    for reason in refused:
        if not reason.startswith("gbit_per_s="):
            return f"no core can be built for this: {reason}"
    clock = wanted.clock_mhz or max(
        int(_estimated(plan_core({"goal": goal, "lanes": LANES[-1]}).config, wanted).fmax_mhz or 0)
        for goal in GOALS
    )
    most = 128 * LANES[-1] * clock / 1000
    return (
        f"no core has {wanted.gbit_per_s} Gbit/s: {LANES[-1]} lanes of 128 bits, the most that "
        f"there are, make {most:.0f} Gbit/s at {clock} MHz; ask for less, or use several cores"
    )


def _candidate(goal: str, lanes: int, wanted: Wanted) -> Start:
    """What a goal makes of it with so many lanes. Where no clock was set it is the one that the
    core reaches by its estimate."""
    values = {
        "goal": goal, "lanes": lanes, "key_sizes": wanted.key_sizes, "contexts": wanted.contexts,
        "release": wanted.release, "max_text_bytes": max(16, wanted.longest_bytes),
    }  # fmt: skip
    clock = wanted.clock_mhz
    if clock is None:
        fmax = _estimated(plan_core(values).config, wanted).fmax_mhz
        clock = max(1, int(fmax or 1))
    values |= {"gbit_per_s": wanted.gbit_per_s, "clock_mhz": clock}
    plan = plan_core(values)
    point = _estimated(plan.config, wanted)
    return Start(wanted=wanted, values=values, plan=plan, point=point)


def _estimated(config: CoreConfig, wanted: Wanted) -> Point:
    if wanted.is_estimated:
        return estimate(config, wanted.target, wanted.shortest_bytes)
    point = estimate(config, STANDS_IN, wanted.shortest_bytes)
    clock = None if wanted.clock_mhz is None else float(wanted.clock_mhz)
    return replace(point, target=wanted.target, fmax_mhz=clock)


def _settled(found: Start) -> Start:
    """The same core: planned with the slowest clock that is enough, unless one was set, and with
    lanes set only where the rate of long packets alone would make others."""
    values, wanted = dict(found.values), found.wanted
    if wanted.clock_mhz is None:
        rate = bits_per_cycle(found.plan.config, wanted.shortest_bytes)
        values["clock_mhz"] = min(found.clock_mhz, math.ceil(1000 * wanted.gbit_per_s / rate))
        if plan_core(values).config != found.plan.config:
            values["clock_mhz"] = found.clock_mhz
    plain = {name: value for name, value in values.items() if name != "lanes"}
    plan = plan_core(plain)
    if plan.config == found.plan.config:
        values = plain
    return replace(found, values=values, plan=plan_core(values))
