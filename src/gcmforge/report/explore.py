# SPDX-License-Identifier: Apache-2.0
"""Explored points for a terminal and as CSV. Nothing is computed here."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gcmforge.config import options

if TYPE_CHECKING:
    from rich.table import Table

    from gcmforge.explore.explore import Exploration
    from gcmforge.explore.need import Recommendation
    from gcmforge.explore.own import OwnCore
    from gcmforge.explore.point import Point
    from gcmforge.explore.space import Survey

FIGURES = {
    "area_ge": ("GE", "{:,.0f}"),
    "luts": ("LUTs", "{:,}"),
    "flip_flops": ("flip-flops", "{:,}"),
    "fmax_mhz": ("Fmax, MHz", "{:.0f}"),
    "delay_ta": ("slowest path, T_A", "{:.1f}"),
    "bits_per_cycle": ("bits/cycle", "{:.1f}"),
    "gbit_per_s": ("Gbit/s", "{:.3g}"),
    "kbit_per_s_per_gate": ("kbit/s per gate", "{:.1f}"),
    "latency_cycles": ("latency, cycles", "{}"),
    "latency_ns": ("latency, ns", "{:.0f}"),
    "pj_per_bit": ("pJ/bit", "{:.2f}"),
}
"""Heading and form of each figure of a point."""

SHOWN = 25
"""Points of a front that a terminal shows unless all are asked for."""


def survey_text(survey: Survey) -> str:
    """How many points there are, and why the others are none."""
    lines = [f"{len(survey.points):,} points of {survey.combinations:,} combinations"]
    for reason, number in sorted(survey.invalid.items(), key=lambda item: -item[1]):
        lines.append(f"  {number:,} contradict themselves: {reason}")
    return "\n".join(lines)


@dataclass(frozen=True, kw_only=True, slots=True)
class FrontTable:
    """The front of a target: a title, its points, and what is to be known of them."""

    title: str
    table: Table
    notes: tuple[str, ...]


def front_tables(found: Exploration, *, whole: bool = False) -> Iterator[FrontTable]:
    """The front of each target that has one, as far as a terminal shows it or as a whole. Options
    that all of it shares are a note."""
    from rich.table import Table

    for target in found.plan.targets:
        points, figures = found.front(target), found.plan.front_on(target)
        if not points:
            continue
        names = [n for n in FIGURES if any(getattr(p, n) is not None for p in points)]
        settings = [point.config.settings for point in points]
        shared = [s for s in settings[0] if all(s in t for t in settings)]
        ordered = sorted(points, key=lambda p: _order(p, figures))
        shown = ordered if whole else _some(ordered)
        notes = [f"all: {', '.join(shared)}"] if shared else []
        if len(shown) < len(points):
            notes.append(
                f"{len(points) - len(shown)} of the {len(points)} points on the front are not "
                "shown; --whole shows them all"
            )
        table = Table(box=None, pad_edge=False)
        for name in names:
            table.add_column(FIGURES[name][0], justify="right")
        table.add_column("options", overflow="fold")
        for point in shown:
            own = [setting for setting in point.config.settings if setting not in shared]
            table.add_row(*(_cell(point, name) for name in names), ", ".join(own) or "default")
        title = (
            f"{target}, {found.plan.depth}d: {len(points)} of {len(found.of(target)):,} points are "
            f"on the front of {' and '.join(figures)}"
        )
        yield FrontTable(title=title, table=table, notes=tuple(notes))


def _order(point: Point, goals: Sequence[str]) -> float:
    value = getattr(point, goals[-1])
    return float("inf") if value is None else float(value)


def _some(points: list[Point]) -> list[Point]:
    """Spread evenly over the front when it is long."""
    if len(points) <= SHOWN:
        return points
    step = (len(points) - 1) / (SHOWN - 1)
    return [points[round(n * step)] for n in range(SHOWN)]


def _cell(point: Point, name: str) -> str:
    value = getattr(point, name)
    return "" if value is None else FIGURES[name][1].format(value)


def own_text(own: Sequence[OwnCore]) -> str:
    """The user's cores, a line each."""
    lines = []
    for core in own:
        cells = [(name, _cell(core.point, name)) for name in FIGURES]
        shown = ", ".join(f"{FIGURES[name][0]} {cell}" for name, cell in cells if cell)
        lines.append(f"{core.name}: {shown}" + (f" ({core.note})" if core.note else ""))
    return "\n".join(lines)


def errors_text(found: Exploration) -> str:
    """Points without figures, by reason; targets without a front, each with the reason."""
    reasons: dict[str, int] = {}
    for point in found.points:
        if point.error:
            reasons[point.error] = reasons.get(point.error, 0) + 1
    lines = [f"  {number:,} points failed: {reason}" for reason, number in reasons.items()]
    lines += [f"  {target}: no front: {why}" for target, why in found.no_front.items()]
    return "\n".join(lines)


def points_csv(points: Sequence[Point]) -> str:
    """All points with every option and figure."""
    text = io.StringIO()
    names = ["target", "depth", "packet_bytes", *FIGURES, *options(), "build", "note", "error"]
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    for point in points:
        values = point.to_mapping()
        config = values.pop("config")
        row = [values.get(name, config.get(name)) for name in names]
        writer.writerow(
            " ".join(map(str, value)) if isinstance(value, list) else value for value in row
        )
    return text.getvalue()


# Recommendation -----------------------------------------------------------------------------------


def recommendation_text(answer: Recommendation) -> str:
    """What to build, or that nothing serves."""
    lines = [f"needed: {answer.need.text}"]
    if answer.best is None:
        lines.append(f"nothing serves: none of {answer.looked_at:,} points does")
        return "\n".join([*lines, *(f"  {reason}" for reason in answer.why)])
    point = answer.best.point
    lines.append(
        f"build: {point.config.summary} ({point.depth}d on {point.target}; "
        f"{len(answer.candidates):,} of {answer.looked_at:,} points serve)"
    )
    lines += [f"  {_sentence(reason)}" for reason in answer.why]
    lines.append(f"  {point.build_command}")
    return "\n".join(lines)


def _sentence(reason: str) -> str:
    return reason[0].upper() + reason[1:] if reason[:1].islower() and "=" not in reason else reason
