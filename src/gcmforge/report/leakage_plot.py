# SPDX-License-Identifier: Apache-2.0
"""A test for leakage over time: |t| of each cycle, of first and of second order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gcmforge.measure.leakage_record import Leakage, LeakageRecord
from gcmforge.power.ttest import THRESHOLD
from gcmforge.report.svg import document, rule, text

WIDTH = 880.0
LEFT, RIGHT, TOP = 62.0, 16.0, 54.0
HIGH, GAP = 130.0, 46.0
"""Of a panel, and from one to the next."""
_FIRST, _SECOND, _OVER = "#3b75b8", "#7d8796", "#d1453b"
"""Colours that are seen on a light and on a dark page."""
_STEPS = (1, 2, 5)
_LEAST = 6.0
"""The threshold is within the drawing, with some room above it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Drawn:
    """A test, and its drawing, which has a file of its own."""

    record: LeakageRecord
    file: str
    drawing: str


def leakage_drawings(records: Sequence[LeakageRecord]) -> list[Drawn]:
    """Each with a file name of its own."""
    return [
        Drawn(
            record=one,
            file=f"datasheet_leakage{f'_{n}' if n else ''}.svg",
            drawing=leakage_drawing(one.found),
        )
        for n, one in enumerate(records)
    ]


def leakage_drawing(found: Leakage) -> str:
    """SVG: two panels over one axis of cycles."""
    title = f"|t| by cycle, {found.traces:,} traces on {found.target}"
    body = [text(LEFT, 20, title, "name", "start")]
    verdict = "fails" if found.fails_at else "passes"
    orders = (
        (f"first order: {verdict}", found.first, _FIRST),
        ("second order", found.second, _SECOND),
    )
    for number, (words, values, colour) in enumerate(orders):
        top = TOP + number * (HIGH + GAP)
        body += _panel(top, words, [abs(t) for t in values], colour)
        body += _borders(found, top, top + HIGH)
    bottom = TOP + 2 * HIGH + GAP
    body += _parts(found, bottom)
    body += _cycles(len(found.first), bottom)
    return document(WIDTH, bottom + 58, title, body)


def _x(cycle: float, length: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * cycle / length


def _panel(top: float, words: str, values: Sequence[float], colour: str) -> list[str]:
    """A curve in steps, with what is above the threshold in red."""
    most = max(_LEAST, 1.08 * max(values))
    bottom, right = top + HIGH, WIDTH - RIGHT

    def y(value: float) -> float:
        return bottom - HIGH * value / most

    limit = y(THRESHOLD)
    frame = f'x="{LEFT:g}" y="{top:g}" width="{right - LEFT:g}" height="{HIGH:g}"'
    body = [f'<rect class="panel" {frame}/>']
    step = _step(most, 5)
    for n in range(int(most / step) + 1):
        at = y(n * step)
        body.append(text(LEFT - 6, at + 4, f"{n * step:g}", "soft", "end"))
        body.append(rule((LEFT, at), (right, at)))
    edges = [(_x(n, len(values)), y(v), _x(n + 1, len(values))) for n, v in enumerate(values)]
    way = "".join(f"V{at:.1f}H{end:.1f}" for _, at, end in edges)
    area = f"M{LEFT:g} {bottom:g}{way}V{bottom:g}Z"
    body.append(f'<path style="fill:{colour};fill-opacity:0.85;stroke:none" d="{area}"/>')
    over = "".join(
        f"M{begin:.1f} {limit:.1f}V{at:.1f}H{max(end, begin + 1.5):.1f}V{limit:.1f}Z"
        for begin, at, end in edges
        if at < limit
    )
    if over:
        body.append(f'<path style="fill:{_OVER};stroke:none" d="{over}"/>')
    dashes = f"stroke:{_OVER};stroke-width:1.4;stroke-dasharray:6 4"
    body.append(f'<path style="{dashes}" d="M{LEFT:g} {limit:.1f}H{right:g}"/>')
    largest = max(range(len(values)), key=lambda n: values[n])
    said = f"{words}; at most {values[largest]:.1f}, in cycle {largest}"
    body.append(text(LEFT, top - 7, said, "soft", "start"))
    body.append(text(right, top - 7, f"dashed: threshold {THRESHOLD}", "soft", "end"))
    middle = top + HIGH / 2
    body.append(
        f'<g transform="rotate(-90 18 {middle:g})">{text(18, middle + 4, "|t|", "soft")}</g>'
    )
    return body


def _step(most: float, marks: int) -> float:
    """A round number of which a few make the most."""
    size = 1.0
    while True:
        for step in _STEPS:
            if step * size * marks >= most:
                return step * size
        size *= 10


def _parts(found: Leakage, bottom: float) -> list[str]:
    """What the core does when, below the panels."""
    body = []
    for name, begin, end in found.parts:
        left, right = _x(begin, len(found.first)), _x(end, len(found.first))
        narrow = right - left < 8 * len(name)
        at, anchor = (right - 5, "end") if narrow else ((left + right) / 2, "middle")
        body.append(text(at, bottom + 38, name, "soft", anchor))
    return body + _borders(found, bottom + 26, bottom + 42)


def _borders(found: Leakage, top: float, bottom: float) -> list[str]:
    """Where each of these begins, but the first."""
    style = "stroke:var(--soft);stroke-width:1;stroke-dasharray:2 3"
    starts = [_x(begin, len(found.first)) for _, begin, _ in found.parts[1:]]
    return [f'<path style="{style}" d="M{x:.1f} {top:g}V{bottom:g}"/>' for x in starts]


def _cycles(length: int, bottom: float) -> list[str]:
    step = int(_step(length, 9))
    body = []
    for cycle in range(0, length, step):
        at = _x(cycle, length)
        body.append(rule((at, bottom), (at, bottom + 5)))
        body.append(text(at, bottom + 18, f"{cycle}", "soft"))
    body.append(text(LEFT - 6, bottom + 18, "cycle", "soft", "end"))
    return body
