# SPDX-License-Identifier: Apache-2.0
"""The explorer page: one HTML file with every point in it, that needs no network. Nothing is
computed here but how figures are written down.

The page draws itself from its data (page/explorer.js); a file of own points is a CSV whose columns
are called as the figures, with `name` and `note`.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from gcmforge.config import ConfigError, CoreConfig, default_of, options
from gcmforge.config.brief import brief, why_unread
from gcmforge.explore.estimate import accuracy
from gcmforge.explore.explore import Exploration
from gcmforge.explore.own import OwnCore
from gcmforge.explore.point import GOALS, Point
from gcmforge.version import release

HEADS = {
    "gbit_per_s": ("Gbit/s", 2),
    "area_ge": ("area, GE", 0),
    "luts": ("LUTs", 0),
    "fmax_mhz": ("Fmax, MHz", 1),
    "delay_ta": ("slowest path, T_A", 2),
    "bits_per_cycle": ("bits per cycle", 1),
    "kbit_per_s_per_gate": ("kbit/s per gate", 1),
    "latency_ns": ("latency, ns", 1),
    "latency_cycles": ("latency, cycles", 0),
    "pj_per_bit": ("pJ per bit", 3),
    "flip_flops": ("flip-flops", 0),
}
"""Heading of each figure, and its digits after the point."""

Mark = dict[str, Any]
"""A point that is not of the space: its name, a note, and figures."""


def page(found: Exploration, *, mine: Sequence[Mark] = (), title: str = "gcmforge cores") -> str:
    """The HTML of the page."""
    from jinja2 import Environment, StrictUndefined

    folder = files("gcmforge.report") / "page"
    template = Environment(undefined=StrictUndefined, autoescape=True).from_string(
        (folder / "explorer.html.j2").read_text()
    )
    from markupsafe import Markup

    return template.render(
        version=release(),
        title=title,
        summary=summary(found),
        notes=notes(found),
        style=Markup((folder / "explorer.css").read_text()),
        script=Markup((folder / "explorer.js").read_text()),
        data=Markup(_json(page_data(found, mine))),
    )


def _json(value: Any) -> str:
    """JSON that may stand in a script element."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")


def page_data(found: Exploration, mine: Sequence[Mark] = ()) -> dict[str, Any]:
    """What the page is drawn from; options by number in the list of their values."""
    points = [point for point in found.points if not point.error]
    figures = [name for name in HEADS if any(getattr(p, name) is not None for p in points)]
    values = {name: _values(name, points) for name in options()}
    known = {name: {value: n for n, value in enumerate(values[name])} for name in values}
    targets = list(dict.fromkeys(point.target for point in points)) or list(found.plan.targets)
    fronts = [_plotted(found.plan.front_on(target), figures) for target in targets]
    return {
        "targets": targets,
        "front": fronts[0],
        "fronts": fronts,
        "figures": [
            {
                "name": name,
                "head": HEADS[name][0],
                "digits": HEADS[name][1],
                "more": GOALS[name].more_is_better,
            }
            for name in figures
        ],
        "options": [
            {"name": name, "values": values[name], "default": shown(default_of(name))}
            for name in options()
        ],
        "rows": [
            {
                "t": targets.index(point.target),
                "d": point.depth,
                "o": [known[name][_option(point.config, name)] for name in options()],
                "f": [_rounded(getattr(point, name)) for name in figures],
                **({"n": point.note} if point.note else {}),
            }
            for point in points
        ],
        "papers": paper_marks(),
        "mine": list(mine),
    }


def _plotted(front: Sequence[str], figures: Sequence[str]) -> list[str]:
    """The two figures of a target that the page begins with: up, across."""
    known = [name for name in front if name in figures][:2]
    return known if len(known) == 2 else [*figures, *figures][:2]


def _option(config: CoreConfig, name: str) -> Any:
    return shown(getattr(config, name))


def shown(value: Any) -> Any:
    """An option's value as --set takes it; numbers stay numbers."""
    return ",".join(map(str, value)) if isinstance(value, tuple) else value


def _values(name: str, points: Sequence[Point]) -> list[Any]:
    """Values that occur, in the order of the option's choices or of numbers."""
    found = {_option(point.config, name) for point in points}
    choices = options()[name].choices
    return sorted(found, key=choices.index if choices else None)


def _rounded(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.6g}")


def summary(found: Exploration) -> str:
    """One line under the title."""
    number = sum(1 for point in found.points if not point.error)
    how = "estimated" if found.plan.depth == "estimate" else "measured"
    searched = f" found by search among {found.combinations:,}" if found.searched else ""
    return (
        f"{number:,} cores{searched}, {how} on {', '.join(found.plan.targets)}; throughput of "
        f"{found.plan.packet_bytes:,}-byte packets back to back, largest key"
    )


def notes(found: Exploration) -> list[str]:
    """What is to be known of the figures."""
    lines = [
        "Areas are post-synthesis, with ideal wires: no clock tree, no placement. 1 GE is the "
        "smallest NAND2 of the library.",
        "Throughput is bits per cycle times Fmax, packets of one length back to back with 96-bit "
        "IVs and no AAD; latency is from a packet's first beat in to its first beat out.",
        "Published points are as their papers print them, each in its own technology: they show "
        "where a design stands, not a race in one process.",
    ]
    if found.plan.depth == "estimate":
        lines[:0] = [f"{accuracy(target).text}." for target in found.plan.targets]
    return lines


# Marked points ------------------------------------------------------------------------------------


def paper_marks() -> list[Mark]:
    """Whole cores that the papers print with area and throughput."""
    text = (files("gcmforge.report") / "page" / "published.json").read_text(encoding="utf-8")
    return [_mark(row["name"], row["note"], **row["figures"]) for row in json.loads(text)]


def _mark(name: str, note: str, **figures: float | None) -> Mark:
    return {
        "name": name,
        "note": note,
        "figures": {key: _rounded(value) for key, value in figures.items()},
    }


def core_mark(own: OwnCore) -> Mark:
    """A core in a folder of the user's."""
    return _mark(own.name, own.note, **own.figures)


def own_marks(file: Path) -> list[Mark]:
    """Points out of a CSV file: columns called as figures, `name` and `note`."""
    try:
        rows = list(csv.DictReader(file.read_text(encoding="utf-8-sig").splitlines()))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ConfigError(f"{file}: cannot be read ({why_unread(error)})") from None
    if not rows or not set(HEADS) & set(rows[0]):
        raise ConfigError(f"{file}: no points; its columns are name, note and {', '.join(HEADS)}")
    return [_own_mark(row, number, file) for number, row in enumerate(rows, 1)]


def _own_mark(row: dict[str, str], number: int, file: Path) -> Mark:
    figures: dict[str, float | None] = {}
    for name in HEADS:
        text = row.get(name) or ""
        try:
            figure = float(text) if text else None
        except ValueError:
            figure = math.nan
        if not math.isfinite(figure or 0):  # JSON has no others: the page would not be drawn
            raise ConfigError(f"{file}: {name}={brief(text)} of point {number} is not a number")
        figures[name] = figure
    return _mark(row.get("name") or f"own point {number}", row.get("note") or "", **figures)
