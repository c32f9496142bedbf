# SPDX-License-Identifier: Apache-2.0
"""Measure a core, explore a space of cores, choose one for a need."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gcmforge.api.terms import AnyCore, Progress, silent
from gcmforge.config import CoreConfig
from gcmforge.config.presets import preset

if TYPE_CHECKING:
    from gcmforge.explore.explore import Depth, Exploration
    from gcmforge.explore.need import Recommendation
    from gcmforge.explore.space import Space
    from gcmforge.measure.result import Result
    from gcmforge.netlist.targets import Target


def measure_core(
    core: AnyCore,
    target: str | Target = "ge",
    *,
    clock_ns: float | None = None,
    effort: str = "normal",
    goal: str = "balanced",
    power: bool = False,
    placed: bool = False,
    allow_changed: bool = False,
    progress: Progress = silent,
) -> Result:
    """Area, clock and throughput of a core on a target, and with `power` its power.

        result = measure_core("cores/mine", "osu018")
        result.area_ge, result.timing.fmax_mhz, result.gbit_per_s

    Units are in the names of the figures; what a target does not have is None. `target` is one of
    `gcmforge.target_names()`: `ge` counts gate equivalents and needs nothing, `osu018` and others
    are libraries of standard cells, `xc7`, `ecp5` and others FPGAs. `clock_ns` is the period that
    synthesis aims at (on `ge` in T_A). `effort` is quick, normal or high, `goal` area, delay or
    balanced (a small product of both). With `placed`, cells are placed, and `result.placed` has the
    clock with their wires. Synthesis takes minutes; a result is kept in the results
    store, and the same question is answered from there. BuildError for a folder that is not what
    was built; with `allow_changed` it is measured, and `result.warnings` names changed RTL.

    In addition to the errors of all functions: MeasureError, TargetError and SynthesisError.
    """
    from gcmforge.measure.measure import measure

    return measure(
        _core_to_measure(core, allow_changed), target, clock_ns=clock_ns, effort=effort, goal=goal,
        power=power, placed=placed, progress=progress,
    )  # fmt: skip


def measure_leaf(
    name: str,
    target: str | Target = "ge",
    *,
    clock_ns: float | None = None,
    effort: str = "normal",
    goal: str = "area",
    power: bool = False,
    placed: bool = False,
    progress: Progress = silent,
) -> Result:
    """As measure_core, of one leaf of the library: a circuit such as an S-box or a multiplier.

        measure_leaf("aes_sbox/boyar_peralta", "osu018", power=True).power.average_uw

    `goal` is area here unless you set another. A leaf has no throughput. MeasureError for an
    unknown name.
    """
    from gcmforge.measure.measure import measure
    from gcmforge.measure.subject import MeasureError, find_subject, leaf_names

    if name not in leaf_names():
        raise MeasureError(f"{name}: no leaf; leaves are named as aes_sbox/table or gf128_mul/ko4")
    return measure(
        find_subject(name), target, clock_ns=clock_ns, effort=effort, goal=goal, power=power,
        placed=placed, progress=progress,
    )  # fmt: skip


def _core_to_measure(core: AnyCore, allow_changed: bool) -> CoreConfig | Path:
    if isinstance(core, CoreConfig):
        return core
    if isinstance(core, str) and not (Path(core) / "core.toml").is_file():
        return preset(core)
    from gcmforge.emit import check_unchanged

    check_unchanged(Path(core), allow_changed=allow_changed)
    return Path(core)


# explore ------------------------------------------------------------------------------------------


def explore_space(
    space: Space | Mapping[str, Any] | str | os.PathLike[str] | None = None,
    target: str | Sequence[str] = "osu018",
    *,
    depth: Depth = "estimate",
    packet_bytes: int = 1_500,
    front: Sequence[str] = (),
    search: int = 0,
    seed: int = 1,
    effort: str = "quick",
    goal: str | None = None,
    power: bool = False,
    jobs: int | None = None,
    cluster: str | None = None,
    progress: Progress = silent,
) -> Exploration:
    """Every core of a space on one target or more, estimated (milliseconds a core) or measured.

        found = explore_space({"lanes": [1, 2, 4], "ghash_stages": "1..3"}, "osu018")
        for point in found.front("osu018"):
            print(point.config.summary, point.area_ge, point.gbit_per_s)

    `space` is a mapping of options to values, lists or ranges, a TOML file of the same, a Space, or
    None for some thousand cores of all sizes. Combinations that contradict themselves are counted
    in `found.invalid`. `packet_bytes` is the packet length that throughput is told for. `front`
    names the two figures or more that fronts are made of; without it gbit_per_s (bits_per_cycle on
    a target without a clock) and area_ge (luts on an FPGA). With `search` above 0 only so many
    points are looked at, chosen by NSGA-II with `seed`. The options after that are of
    depth="measure": as measure_core's, and `jobs` processes or the Dask scheduler at `cluster`.
    """
    from gcmforge.explore.explore import Plan, explore

    plan = Plan(
        targets=(target,) if isinstance(target, str) else tuple(target), depth=depth,
        packet_bytes=packet_bytes, front=tuple(front), points=search, seed=seed, effort=effort,
        goal=goal, power=power, jobs=jobs, cluster=cluster,
    )  # fmt: skip
    return explore(_space(space), plan, progress=_counted(progress))


def choose_core(
    need: str,
    space: Space | Mapping[str, Any] | str | os.PathLike[str] | None = None,
    *,
    depth: Depth = "estimate",
    effort: str = "quick",
    goal: str | None = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> Recommendation:
    """The smallest core of a space that serves a need, or `best=None` and why there is none.

        answer = choose_core("20 Gbit/s, osu018, 64-byte packets, 16 contexts")
        core = build(answer.best.point.config, "cores/mine")

    The need is words between commas, in any order: a rate, a target, packet length, key sizes,
    contexts, a clock, a latency, an area, "any IV". Without a space some thousand cores of all
    sizes are looked at. With depth="measure" those that may serve are measured, the smallest first,
    until one does. ConfigError names a word that is not understood.
    """
    from gcmforge.explore.explore import Plan, serve
    from gcmforge.explore.need import parse_need

    wanted = parse_need(need)
    plan = Plan(targets=(wanted.target,), depth=depth, effort=effort, goal=goal, jobs=jobs)
    return serve(_space(space), plan, wanted, progress=_counted(progress))[1]


def _space(space: Space | Mapping[str, Any] | str | os.PathLike[str] | None) -> Space:
    from gcmforge.explore.space import Space, common_space

    if space is None:
        return common_space()
    if isinstance(space, Space):
        return space
    return Space.from_mapping(space) if isinstance(space, Mapping) else Space.from_toml(Path(space))


def _counted(progress: Progress) -> Callable[[int, int, str], None]:
    return lambda done, total, what: progress(f"{done:,} of {total:,}: {what}")
