# SPDX-License-Identifier: Apache-2.0
"""Fronts as pictures: SVG and PNG by Altair, without a browser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gcmforge.config import options
from gcmforge.explore.explore import Exploration, front_of
from gcmforge.explore.point import GOALS, Point
from gcmforge.report.explorer import HEADS, Mark, paper_marks, shown
from gcmforge.tools import ToolError

if TYPE_CHECKING:
    import altair as alt

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a800")
"""Okabe and Ito's, told apart by colour-blind people, too."""

PAIRS = (
    ("gbit_per_s", "area_ge"),
    ("latency_ns", "area_ge"),
    ("gbit_per_s", "luts"),
    ("bits_per_cycle", "luts"),
    ("latency_ns", "luts"),
    ("gbit_per_s", "pj_per_bit"),
)
"""What is drawn against what, where the points have it."""


def save_plots(found: Exploration, folder: Path, mine: Sequence[Mark] = ()) -> list[Path]:
    """TARGET-up-across.svg and .png of every pair of figures that there is."""
    try:
        import altair  # noqa: F401
        import vl_convert  # noqa: F401
    except ImportError:
        raise ToolError("pictures need Altair: pip install 'gcmforge[report]'") from None
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for target, up, across in _plots(found):
        chart = front_chart(found.of(target), target, up, across, mine)
        for suffix in ("svg", "png"):
            file = folder / f"{target}-{up}-{across}.{suffix}"
            chart.save(str(file), scale_factor=2 if suffix == "png" else 1)
            files.append(file)
    return files


def _plots(found: Exploration) -> Iterator[tuple[str, str, str]]:
    for target in found.plan.targets:
        pairs = dict.fromkeys((tuple(found.plan.front_on(target)[:2]), *PAIRS))
        points = found.of(target)
        for pair in pairs:
            if len(pair) == 2 and any(
                all(getattr(point, name) is not None for name in pair) for point in points
            ):
                yield target, pair[0], pair[1]


def front_chart(
    points: Sequence[Point], target: str, up: str, across: str, mine: Sequence[Mark] = ()
) -> alt.LayerChart:
    """Points, their front, published and own ones; both axes logarithmic."""
    import altair as alt

    plotted = [p for p in points if getattr(p, up) and getattr(p, across)]
    on_front = sorted(
        (plotted[i] for i in front_of(plotted, (up, across))), key=lambda p: getattr(p, across)
    )
    colour = _colour(plotted)
    scale = alt.Scale(type="log", nice=False, padding=12)
    axis = alt.Axis(format="~s", labelOverlap=True)
    x = alt.X("x:Q", scale=scale, axis=axis, title=_head(across))
    y = alt.Y("y:Q", scale=scale, axis=axis, title=_head(up))
    dots = alt.Chart(_data([_row(p, up, across, colour) for p in plotted]))
    line = alt.Chart(_data([_row(p, up, across, colour) for p in on_front]))
    known = [
        (kind, mark)
        for kind, marks in (("published", paper_marks()), ("own", mine))
        for mark in marks
        if mark["figures"].get(up) and mark["figures"].get(across)
    ]
    others = alt.Chart(
        _data(
            [{"x": m["figures"][across], "y": m["figures"][up], "kind": kind} for kind, m in known]
        )
    )
    step: Any = "step-after" if not GOALS[across].more_is_better else "step-before"
    colours = alt.Scale(range=list(COLOURS))
    return alt.layer(
        dots.mark_circle(size=26, opacity=0.55).encode(
            x, y, alt.Color("colour:N", title=colour or None, scale=colours, sort=None)
        ),
        line.mark_line(color="#d55e00", interpolate=step).encode(x, y),
        line.mark_point(color="#d55e00", size=44).encode(x, y),
        others.mark_point(filled=True, size=70, color="#444444").encode(
            x, y,
            alt.Shape(
                "kind:N", title=None,
                scale=alt.Scale(domain=["published", "own"], range=["diamond", "triangle-up"]),
            ),
        ),
    ).properties(width=640, height=420, title=f"{target}: {len(plotted):,} cores")  # fmt: skip


def _data(rows: Sequence[dict[str, Any]]) -> Any:
    import altair as alt

    return alt.Data(values=rows)  # type: ignore[no-untyped-call]


def _head(name: str) -> str:
    return HEADS[name][0]


def _colour(points: Sequence[Point]) -> str:
    """The first option that differs among the points."""
    for name in options():
        if len({getattr(point.config, name) for point in points}) > 1:
            return name
    return ""


def _row(point: Point, up: str, across: str, colour: str) -> dict[str, Any]:
    value = shown(getattr(point.config, colour)) if colour else "core"
    return {"x": getattr(point, across), "y": getattr(point, up), "colour": str(value)}
