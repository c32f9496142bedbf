# SPDX-License-Identifier: Apache-2.0
"""The picture of `gcmforge-study zeros`: Fig. 3 of Crenne 2011 and more."""

from pathlib import Path
from typing import Any

from gcmforge.config import ConfigError
from gcmforge.study.papers.zeros import PUBLISHED_PERCENT, ZerosStatistics, percent
from gcmforge.tools import package_folder

FORMATS = (".svg", ".png", ".html", ".json")
BIN_ZEROS = 64
_WIDTH = 440
_INK, _ACCENT, _QUIET = "#4c6a92", "#c0392b", "#8a8a8a"


def check_picture(path: Path) -> None:
    """Raise unless save_picture can write that kind of file with what is installed."""
    if path.suffix not in FORMATS:
        raise ConfigError(f"plot={path}: no picture format; end its name in {', '.join(FORMATS)}")
    package_folder("altair", "Altair", "report")
    package_folder("vl_convert", "vl-convert", "report")


def save_picture(found: ZerosStatistics, path: Path) -> None:
    """Four panels: the first keys, all keys on a linear and a logarithmic scale, the widest row."""
    check_picture(path)
    import altair as alt

    panels = (_first_keys(alt, found) | _widest(alt, found)) & (
        _all_keys(alt, found, "linear") | _all_keys(alt, found, "log")
    )
    chart = panels.configure_view(stroke=None).configure_axis(grid=False, labelFontSize=11)
    chart.save(str(path), scale_factor=2) if path.suffix == ".png" else chart.save(str(path))


def _first_keys(alt: Any, found: ZerosStatistics) -> Any:
    """As Fig. 3: one point a key."""
    rows = [{"key": n, "share": percent(zeros)} for n, zeros in enumerate(found.sample, 1)]
    return (
        alt.Chart(alt.InlineData(rows), title=f"The first {len(rows)} keys")
        .mark_circle(color=_INK, size=30, opacity=1)
        .encode(
            x=alt.X("key:Q", title="key"),
            y=alt.Y("share:Q", title="zeros in T, %", scale=alt.Scale(domain=[30, 70])),
        )
        .properties(width=_WIDTH, height=220)
    )


def _all_keys(alt: Any, found: ZerosStatistics, scale: str) -> Any:
    """Bars are what was counted, the line what theory expects, the marks what was published."""
    half = BIN_ZEROS / 2
    rows = [
        {"share": percent(low + half), "keys": count or None, "expected": expected}
        for low, count, expected in found.binned(BIN_ZEROS)
    ]
    floor = {"linear": 0, "log": 0.5}[scale]
    axis = alt.Y(
        "keys:Q",
        title=f"keys per {percent(BIN_ZEROS):.2f} %",
        scale=alt.Scale(type=scale, domainMin=floor, nice=scale == "linear"),
        axis=alt.Axis(format="~s"),
    )
    share = alt.X("share:Q", title="zeros in T, %", scale=alt.Scale(domain=[28, 72]))
    base = alt.Chart(alt.InlineData(rows))
    bars = base.mark_bar(color=_INK, opacity=0.55, width=4).encode(
        x=share, y=axis, y2=alt.datum(floor)
    )
    line = base.mark_line(color=_ACCENT, strokeWidth=1.5, clip=True).encode(x=share, y="expected:Q")
    marks = [{"share": published} for published in PUBLISHED_PERCENT]
    rules = (
        alt.Chart(alt.InlineData(marks)).mark_rule(color=_QUIET, strokeDash=[4, 3]).encode(x=share)
    )
    title = alt.TitleParams(
        f"{found.keys:,} {found.draw}, {scale} scale",
        subtitle="line: theory; dashed: 30, 50, 70 % of Crenne 2011",
    )
    return alt.layer(rules, bars, line, title=title).properties(width=_WIDTH, height=260)


def _widest(alt: Any, found: ZerosStatistics) -> Any:
    """The row with most ones decides how deep the widest sum is."""
    rows = [{"ones": ones, "keys": count} for ones, count in sorted(found.widest_row.items())]
    return (
        alt.Chart(alt.InlineData(rows), title="Inputs of the widest of the 128 sums of a key")
        .mark_bar(color=_INK, width=5, clip=True)
        .encode(
            x=alt.X("ones:Q", title="ones in the row", scale=alt.Scale(domain=[40, 110])),
            y=alt.Y("keys:Q", title="keys", axis=alt.Axis(format="~s")),
        )
        .properties(width=_WIDTH, height=220)
    )
