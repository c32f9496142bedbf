# SPDX-License-Identifier: Apache-2.0
"""gcmforge explore: a space of cores, its fronts, and the core that serves a need."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from gcmforge.cli.common import Json, fail, print_json
from gcmforge.cli.progress import bar

if TYPE_CHECKING:
    from gcmforge.explore.explore import Exploration
    from gcmforge.explore.need import Recommendation
    from gcmforge.explore.own import OwnCore
    from gcmforge.explore.space import Survey
    from gcmforge.report.explorer import Mark


def explore(
    space: Path | None = None,
    /,
    *,
    target: Annotated[tuple[str, ...], Parameter(negative=(), consume_multiple=True)] = (),
    depth: str = "estimate",
    need: str | None = None,
    packet_bytes: int | None = None,
    gbit: float | None = None,
    front: str | None = None,
    whole: Annotated[bool, Parameter(negative=())] = False,
    search: int = 0,
    seed: int = 1,
    effort: str = "quick",
    goal: str | None = None,
    power: Annotated[bool, Parameter(negative=())] = False,
    jobs: int | None = None,
    cluster: str | None = None,
    count: Annotated[bool, Parameter(negative=())] = False,
    out: Annotated[Path | None, Parameter(name=["--out", "-o"])] = None,
    mine: Annotated[tuple[Path, ...], Parameter(negative=(), consume_multiple=True)] = (),
    plots: Path | None = None,
    csv: Path | None = None,
    json: Json = False,
) -> int:
    """A space of cores: estimated or measured, its Pareto fronts, and the core that serves a need.

    Exit code 0 when every point has its figures, every target its front and, with a need, when a
    core serves it.

    Parameters
    ----------
    space
        TOML file: a configuration whose values may be lists or ranges. Without it and with a need:
        some thousand cores of all sizes.
    target
        Names of targets (osu018, ge; to measure also xc7, ecp5, ...); osu018 when none is given.
    depth
        estimate: seconds for thousands. measure: synthesis and simulation; kept in the results
        store, never done twice, and may be interrupted.
    need
        What the core is for: "100 Gbit/s, osu018, 64-byte packets, AES-256, 16 contexts, clock
        200 MHz, latency 300 ns, at most 500 kGE, any IV, placed". The smallest that serves is
        named, by figures for ideal wires unless the need says placed; with depth measure those
        that may serve are measured, the smallest first, until one does.
    packet_bytes
        Length of the packets that throughput is told for (1500); part of the need.
    gbit
        Part of the need: Gbit/s.
    front
        Two figures or more that fronts are made of. Without it: gbit_per_s (bits_per_cycle on a
        target without a clock) and area_ge (luts on an FPGA).
    whole
        Print every point of a front, not only 25 that are spread over it.
    search
        Look at so many points only, chosen by NSGA-II, and not at all of them.
    seed
        Draws the points of a search.
    effort
        Of measurements: quick, normal or high; as `gcmforge measure`.
    goal
        Of measurements: area, delay or balanced; as `gcmforge measure`.
    power
        Measure energy, too.
    jobs
        Processes that measure; as many as there are processors unless given.
    cluster
        Address of a Dask scheduler whose workers measure instead.
    count
        Only count the points, and tell why other combinations are none.
    out
        Write the explorer page there: one HTML file that needs no network.
    mine
        Own points to mark in page and plots: CSV files (columns name, area_ge, gbit_per_s, ...),
        and folders of built cores, those for one key, too, which are measured.
    plots
        Folder for the fronts as SVG and PNG.
    csv
        Write all points there.
    """
    from gcmforge.config import ConfigError
    from gcmforge.explore.explore import Plan, serve
    from gcmforge.explore.explore import explore as explore_space
    from gcmforge.explore.need import asked_need
    from gcmforge.explore.own import own_core, own_cores
    from gcmforge.explore.space import Space, common_space
    from gcmforge.report.explorer import core_mark, own_marks

    if space is None and need is None and gbit is None:
        raise ConfigError("explore: name a space (a TOML file) or a need (--need, --gbit)")
    named = common_space() if space is None else Space.from_toml(space)
    survey = named.survey() if count else None
    if survey:
        return _print_survey(survey, json)
    wanted = asked_need(need, gbit, packet_bytes, target)
    if wanted and wanted.placed and depth != "estimate":
        raise ConfigError(
            f"placed with depth {depth}: placed figures of many cores are estimates; use depth "
            "estimate, then gcmforge measure CORE --placed for one"
        )
    plan = Plan(
        targets=target or ("osu018",),
        depth=depth,  # type: ignore[arg-type]
        front=tuple(front.split(",")) if front else (),
        points=search, seed=seed, effort=effort, goal=goal, power=power, jobs=jobs, cluster=cluster,
        **({} if packet_bytes is None else {"packet_bytes": packet_bytes}),
    )  # fmt: skip
    folders = [own_core(path) for path in mine if path.is_dir()]
    marks = [mark for path in mine if not path.is_dir() for mark in own_marks(path)]
    answer = None
    try:
        with bar() as shown:
            if wanted:
                found, answer = serve(named, plan, wanted, progress=shown)
            else:
                found = explore_space(named, plan, progress=shown)
            own = own_cores(folders, found.plan, progress=lambda step: shown(0, len(folders), step))
    except KeyboardInterrupt:
        return fail("interrupted; what was measured is in the store", json=json, code=130)
    marks += map(core_mark, own)
    _write_exploration(found, out=out, marks=marks, plots=plots, csv=csv)
    _print_exploration(found, answer, own, json, whole)
    failed = any(point.error for point in found.points)
    unserved = answer.best is None if answer else bool(found.no_front)
    return int(failed or unserved)


def _write_exploration(
    found: "Exploration",
    *,
    out: Path | None,
    marks: "Sequence[Mark]",
    plots: Path | None,
    csv: Path | None,
) -> None:
    """The files that were asked for; each is named on standard error."""
    from gcmforge.report.explore import points_csv
    from gcmforge.report.explorer import page
    from gcmforge.report.front_plot import save_plots
    from gcmforge.tools import naming

    written = []
    if csv:
        with naming(csv):
            csv.write_text(points_csv(found.points))
        written.append(csv)
    if out:
        with naming(out):
            out.write_text(page(found, mine=marks), encoding="utf-8")
        written.append(out)
    if plots:
        with naming(plots):
            written += save_plots(found, plots, marks)
    for file in written:
        print(f"written: {file}", file=sys.stderr)


def _print_survey(survey: "Survey", json: bool) -> int:
    from gcmforge.report.explore import survey_text

    if json:
        print_json({"points": len(survey.points), "invalid": dict(survey.invalid)})
    else:
        print(survey_text(survey))
    return int(not survey.points)


def _print_exploration(
    found: "Exploration",
    answer: "Recommendation | None",
    own: "Sequence[OwnCore]",
    json: bool,
    whole: bool,
) -> None:
    from gcmforge.explore.estimate import accuracy
    from gcmforge.explore.placed import placing_of
    from gcmforge.report.explore import errors_text, front_tables, own_text, recommendation_text

    if json:
        also: dict[str, Any] = {"own": [core.to_mapping() for core in own]} if own else {}
        also |= {"answer": answer.to_mapping()} if answer else {}
        print_json(found.to_mapping() | also)
        return
    if answer:
        print(recommendation_text(answer))
    else:
        from rich.console import Console

        console = Console() if sys.stdout.isatty() else Console(width=200)
        for front in front_tables(found, whole=whole):
            print(front.title)
            console.print(front.table)
            for note in front.notes:
                print(note)
    if own:
        print(own_text(own))
    if found.plan.depth == "estimate":
        for target in found.plan.targets:
            print(accuracy(target).text)
            if (placing := placing_of(target)) is not None:
                print(placing.text)
    if errors := errors_text(found):
        print(errors, file=sys.stderr)
