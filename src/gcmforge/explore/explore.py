# SPDX-License-Identifier: Apache-2.0
"""Explore a space of cores: what `gcmforge explore` does.

found = explore(Space.from_toml(path), Plan(targets=("osu018",)))
best = found.front("osu018", ("gbit_per_s", "area_ge"))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from gcmforge.config import ConfigError, CoreConfig
from gcmforge.config.rates import bits_per_cycle
from gcmforge.explore.calibration import calibrated, data_of
from gcmforge.explore.estimate import estimate_all
from gcmforge.explore.fronts import check_front, own_front, why_no_front
from gcmforge.explore.need import Need, Recommendation, recommend, relaxed
from gcmforge.explore.pareto import Goal, front
from gcmforge.explore.point import GOALS, Point
from gcmforge.explore.space import Space

if TYPE_CHECKING:
    from gcmforge.explore.executor import Measured
    from gcmforge.measure.result import Result
    from gcmforge.measure.store import Store

Depth = Literal["estimate", "measure"]
DEPTHS: tuple[Depth, ...] = ("estimate", "measure")
PACKET_BYTES = 1_500

Progress = Callable[[int, int, str], None]
"""Called with how many points are done, of how many, and what was done last."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """How a space is explored."""

    targets: tuple[str, ...] = ("osu018",)
    depth: Depth = "estimate"
    packet_bytes: int = PACKET_BYTES
    front: tuple[str, ...] = ()
    """Figures that fronts are made of; empty: throughput against size, as each target has them."""
    effort: str = "quick"
    goal: str | None = None
    power: bool = False
    jobs: int | None = None
    cluster: str | None = None
    points: int = 0
    """Points that a search may look at; 0 looks at all of them."""
    seed: int = 1

    def __post_init__(self) -> None:
        for name in self.front:
            if name not in GOALS:
                raise ConfigError(f"front={name}: use {', '.join(GOALS)}")
        if len(self.front) == 1:
            raise ConfigError(f"front={self.front[0]}: a front takes two figures or more")
        if self.depth not in DEPTHS:
            raise ConfigError(f"depth={self.depth}: use {' or '.join(DEPTHS)}")
        if not 1 <= self.packet_bytes <= 65_536:
            raise ConfigError(f"packet-bytes={self.packet_bytes}: use 1 to 65536")
        if not self.targets:
            raise ConfigError("no target: name at least one, such as osu018")
        if self.points < 0:
            raise ConfigError(f"search={self.points}: use a number of points above 0")
        if self.jobs is not None and self.jobs < 1:
            raise ConfigError(f"jobs={self.jobs}: use 1 or more processes, or leave it away")
        if self.front:
            for target in self.targets:
                measured = self.depth == "measure"
                check_front(self.front, target, measured=measured, power=self.power)

    def front_on(self, target: str) -> tuple[str, ...]:
        """Figures that the front of a target is made of."""
        return self.front or own_front(target)


@dataclass(frozen=True, kw_only=True, slots=True)
class Exploration:
    """What was found: every point on every target, errors included."""

    plan: Plan
    combinations: int
    invalid: Mapping[str, int] = field(default_factory=dict)
    """Contradictory combinations by reason; empty where the space was searched."""
    searched: bool = False
    points: tuple[Point, ...] = ()

    def of(self, target: str) -> list[Point]:
        """Points with figures on a target, in the space's order."""
        return [point for point in self.points if point.target == target and not point.error]

    def to_mapping(self) -> dict[str, Any]:
        """For JSON: all points, and which of them are on the front of their target."""
        return {
            "combinations": self.combinations,
            "invalid": dict(self.invalid),
            "searched": self.searched,
            "points": [point.to_mapping() for point in self.points],
            "front": {
                target: [self.points.index(point) for point in self.front(target)]
                for target in self.plan.targets
            },
            "front_figures": {
                target: list(self.plan.front_on(target)) for target in self.plan.targets
            },
            "no_front": dict(self.no_front),
        }

    def front(self, target: str, goals: Sequence[str] | None = None) -> list[Point]:
        """Points on a target that none beats."""
        points = self.of(target)
        return [points[i] for i in front_of(points, goals or self.plan.front_on(target))]

    @property
    def no_front(self) -> dict[str, str]:
        """Targets whose points have figures and are on no front, and why."""
        return {
            target: why_no_front(points, self.plan.front_on(target))
            for target in self.plan.targets
            if (points := self.of(target)) and not self.front(target)
        }


def front_of(points: Sequence[Point], goals: Sequence[str]) -> list[int]:
    """Indices of the points that none beats."""
    rows = [[getattr(point, name) for name in goals] for point in points]
    return front(rows, [GOALS[name] for name in goals])


def explore(
    space: Space,
    plan: Plan,
    *,
    store: Store | None = None,
    progress: Progress = lambda done, total, what: None,
) -> Exploration:
    """Every point of the space on every target; a front by search where plan.points says so.

    Points that the results store has are not measured again; new ones go into it at once.
    """
    if plan.points:
        return _searched(space, plan, store, progress)
    found = space.survey()
    if not found.points:
        raise ConfigError(
            f"none of {found.combinations:,} combinations can be built: they contradict themselves "
            f"({'; '.join(found.invalid)}); --count tells how many by each"
        )
    points: list[Point] = []
    for target in plan.targets:
        points += _figures(found.points, target, plan, store, progress)
    return Exploration(
        plan=plan,
        combinations=space.combinations,
        invalid=found.invalid,
        points=tuple(points),
    )


TRIES = 8
"""Cores that are measured at most before a need is given up."""


def serve(
    space: Space,
    plan: Plan,
    need: Need,
    *,
    store: Store | None = None,
    progress: Progress = lambda done, total, what: None,
) -> tuple[Exploration, Recommendation]:
    """The smallest core of the space that serves a need, and what was looked at.

    With depth measure, those that may serve by their estimate are measured, the smallest first,
    until one does; on a target without estimates all points are.
    """
    plan = replace(plan, targets=(need.target,), packet_bytes=need.packet_bytes)
    if plan.depth == "estimate" or need.target not in calibrated():
        found = explore(space, plan, store=store, progress=progress)
        return found, recommend(found.points, need)
    found = explore(space, replace(plan, depth="estimate", front=()), progress=progress)
    margin = MARGIN if plan.effort == data_of(need.target).effort else OTHER_EFFORT_MARGIN
    hopeful = recommend(found.points, relaxed(need, margin)).candidates
    measured: list[Point] = []
    for candidate in hopeful[:TRIES]:
        done = len(measured)
        progress(done, min(TRIES, len(hopeful)), candidate.point.config.summary)
        measured += _figures([candidate.point.config], need.target, plan, store, _quiet)
        if recommend(measured, need).best:
            break
    answer = recommend(measured, need)
    return replace(found, plan=plan, points=tuple(measured)), answer


MARGIN = 0.10
"""By which an estimate may be off: cores that miss a need by less are measured, too."""

OTHER_EFFORT_MARGIN = 0.25
"""The same where the measurement makes more effort than those that the estimates come from."""


def _quiet(done: int, total: int, what: str) -> None:
    """Of a single point there is no progress to show."""


def _searched(space: Space, plan: Plan, store: Store | None, progress: Progress) -> Exploration:
    from gcmforge.explore.search import search

    points: list[Point] = []
    for target in plan.targets:
        found: list[Point] = []
        goals = [GOALS[name] for name in plan.front_on(target)]

        def evaluate(
            configs: Sequence[CoreConfig],
            target: str = target,
            found: list[Point] = found,
            goals: Sequence[Goal] = goals,
        ) -> list[tuple[float | None, ...]]:
            def shown(done: int, total: int, what: str) -> None:
                progress(len(found) + done, plan.points, what)

            new = _figures(configs, target, plan, store, shown)
            found.extend(new)
            return [tuple(getattr(point, goal.name) for goal in goals) for point in new]

        search(space, evaluate, goals, points=plan.points, seed=plan.seed)
        points += found
    return Exploration(
        plan=plan, combinations=space.combinations, searched=True, points=tuple(points)
    )


def _figures(
    configs: Sequence[CoreConfig],
    target: str,
    plan: Plan,
    store: Store | None,
    progress: Progress,
) -> list[Point]:
    """Points of these cores on one target, in their order."""
    if plan.depth == "estimate":
        points = estimate_all(configs, target, plan.packet_bytes)
        progress(len(points), len(points), f"estimated on {target}")
        return points
    from gcmforge.measure.store import Store

    if store is not None:
        return _measured(configs, target, plan, store, progress)
    with Store() as own:
        return _measured(configs, target, plan, own, progress)


def _measured(
    configs: Sequence[CoreConfig],
    target: str,
    plan: Plan,
    store: Store,
    progress: Progress,
) -> list[Point]:
    from gcmforge.explore.executor import Ask, run

    asks = [
        Ask(config=config, target=target, effort=plan.effort, goal=plan.goal, power=plan.power)
        for config in configs
    ]
    found: dict[Ask, Point] = {}
    progress(0, len(asks), f"measuring on {target}")
    for measured in run(asks, store, jobs=plan.jobs, cluster=plan.cluster):
        found[measured.ask] = point_of(measured, plan.packet_bytes)
        state = "was in the store" if measured.stored else measured.error or "measured"
        progress(len(found), len(asks), f"{measured.ask.config.summary}: {state}")
    return [found[ask] for ask in asks]


def point_of(measured: Measured, packet_bytes: int) -> Point:
    """A measured core as a point."""
    ask, result = measured.ask, measured.result
    if result is None:
        return Point(
            config=ask.config, target=ask.target, depth="measure", packet_bytes=packet_bytes,
            error=measured.error,
        )  # fmt: skip
    timing, throughput = result.timing, result.throughput
    rate, note = _rate(result, ask.config, packet_bytes)
    fmax = timing.fmax_mhz if timing else None
    return Point(
        config=ask.config,
        target=ask.target,
        depth="measure",
        packet_bytes=packet_bytes,
        area_ge=result.area_ge,
        luts=result.fpga.luts if result.fpga else None,
        flip_flops=result.flip_flops,
        fmax_mhz=fmax,
        delay_ta=timing.delay_ta if timing else None,
        bits_per_cycle=rate,
        gbit_per_s=None if fmax is None else rate * fmax / 1000,
        latency_cycles=throughput.first_text_latency_cycles if throughput else None,
        pj_per_bit=result.pj_per_bit,
        blocks={block.name: block.area_ge for block in result.blocks},
        note=note,
    )


def _rate(result: Result, config: CoreConfig, packet_bytes: int) -> tuple[float, str]:
    """Bits a cycle as simulated; by the law, with a note, for a length that was not."""
    rate = result.throughput.rate(packet_bytes) if result.throughput else None
    if rate is not None:
        return rate.bits_per_cycle, ""
    return bits_per_cycle(config, packet_bytes), "bits per cycle by the law, not simulated"
