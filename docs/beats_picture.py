# SPDX-License-Identifier: Apache-2.0
"""The table of beats in docs/how-to/carry-ethernet.md as a picture: a box for each segment.

A test holds the table against a simulation (tests/laws/test_segments_laws.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from gcmforge.report.svg import box, document, rule, text

PAGE = Path(__file__).parent / "how-to" / "carry-ethernet.md"
ROW = re.compile(r"^\| (\d+) \| `(\w+)` \| (.*) \|$", re.MULTILINE)
STREAMS = ("s_axis", "m_axis", "m_tag")
SEGMENTS = 4
KINDS = {"A": "one", "B": "two", "C": ""}

COLUMN, LINE, LEFT, TOP = 86.0, 34.0, 150.0, 46.0
GAP, BETWEEN = 66.0, 16.0
"""Of cycles that are left out, and between two streams."""


def beats_picture() -> str:
    """SVG of the three packets: cycles from left to right, a line for each segment."""
    cells = {
        (int(cycle), stream): [cell.strip() for cell in row.split("|")]
        for cycle, stream, row in ROW.findall(PAGE.read_text())
    }
    places = dict(_places(sorted({cycle for cycle, _ in cells})))
    width = max(places.values()) + COLUMN + 16
    tops = {name: TOP + n * (SEGMENTS * LINE + BETWEEN) for n, name in enumerate(STREAMS)}
    height = tops[STREAMS[-1]] + SEGMENTS * LINE + 12
    body = [text(LEFT - 12, TOP - 16, "cycle", "soft", "end")]
    for cycle, x in places.items():
        body.append(text(x + COLUMN / 2, TOP - 16, str(cycle), "soft"))
    for before, after in zip(places, list(places)[1:], strict=False):
        if after > before + 1:
            middle = places[after] - GAP / 2
            body.append(text(middle, TOP - 16, f"{after - before - 1} cycles", "soft"))
    for stream, top in tops.items():
        body.append(text(12, top + LINE / 2 + 5, stream, "name", "start"))
        for segment in range(SEGMENTS):
            y = top + segment * LINE
            body.append(text(LEFT - 12, y + LINE / 2 + 4, f"segment {segment}", "soft", "end"))
            body.append(rule((LEFT, y + LINE - 1), (width - 16, y + LINE - 1)))
    for (cycle, stream), row in cells.items():
        for segment, words in enumerate(row):
            if words:
                body += _cell(places[cycle], tops[stream] + segment * LINE, words)
    return document(width, height, "Three packets in beats of four segments", body)


def _places(cycles: list[int]) -> Iterator[tuple[int, float]]:
    """Where the column of each cycle begins."""
    x = LEFT
    for number, cycle in enumerate(cycles):
        if number and cycle > cycles[number - 1] + 1:
            x += GAP
        yield cycle, x
        x += COLUMN


def _cell(x: float, y: float, words: str) -> Iterator[str]:
    """A segment: its packet and what it holds, and what is said of it."""
    packet, *rest = words.split()
    what = [word for word in rest if word in ("aad", "text")]
    said = [word for word in rest if word not in what]
    yield box(x + 2, y + 2, COLUMN - 4, LINE - 5, KINDS[packet])
    middle = x + COLUMN / 2
    yield text(middle, y + (15 if said else 20), " ".join((packet, *what)), "name")
    if said:
        yield text(middle, y + 27, " ".join(said), "soft")
