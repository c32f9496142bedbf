# SPDX-License-Identifier: Apache-2.0
"""A traced run as a timing diagram: a box for each transfer, stretches without any left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gcmforge.report.svg import box, document, rule, text
from gcmforge.sim.trace import WAITING, Trace

COLUMN, ROW, LEFT, TOP = 31.0, 40.0, 78.0, 46.0
GAP_COLUMNS = 1.8
SHORT = 2
"""So many cycles without a transfer are drawn."""
ROWS = ("s_cmd", "s_axis", "m_axis", "m_tag")
_KINDS = ("one", "two")


@dataclass(frozen=True, kw_only=True, slots=True)
class Stretch:
    """Something on the axis: a cycle, or how many are left out."""

    column: float
    cycle: int | None = None
    left_out: int = 0


def timing_diagram(trace: Trace) -> str:
    """SVG of the trace's packets."""
    axis = list(_axis(trace))
    places = {one.cycle: LEFT + COLUMN * one.column for one in axis if one.cycle is not None}
    width, height = max(places.values()) + COLUMN + 20, TOP + ROW * len(ROWS) + 16
    body = [text(LEFT - 12, TOP - 16, "cycle", "soft", "end")]
    for number, name in enumerate(ROWS):
        y = TOP + ROW * number
        body.append(rule((LEFT, y + 31), (width - 16, y + 31)))
        body.append(text(LEFT - 12, y + 23, name, "name", "end"))
    for one in axis:
        body += _marks(one)
    for name, cycle, words, kind in _boxes(trace):
        if cycle in places:
            x, y = places[cycle], TOP + ROW * ROWS.index(name)
            body.append(box(x + 1, y + 5, COLUMN - 2, 26, kind))
            body.append(text(x + COLUMN / 2, y + 22, words, "soft"))
    return document(width, height, "Timing of two packets, traced from a simulation", body)


def _marks(one: Stretch) -> list[str]:
    """Its number on the axis, and its line."""
    x, bottom = LEFT + COLUMN * one.column, TOP + ROW * len(ROWS)
    if one.cycle is not None:
        return [
            text(x + COLUMN / 2, TOP - 16, str(one.cycle), "soft"),
            rule((x, TOP - 8), (x, bottom)),
            rule((x + COLUMN, TOP - 8), (x + COLUMN, bottom)),
        ]
    middle = x + COLUMN * GAP_COLUMNS / 2
    dots = [text(middle, TOP + ROW * number + 22, "...", "soft") for number in range(len(ROWS))]
    return [text(middle, TOP - 16, f"{one.left_out} cycles", "soft"), *dots]


def _axis(trace: Trace) -> Iterator[Stretch]:
    """Every cycle with a transfer, and what lies between, shortened where it is long."""
    cycles = sorted({cycle for name in ROWS for cycle in trace.transfers[name]})
    column, before = 0.0, cycles[0] - 1
    for cycle in cycles:
        missing = range(before + 1, cycle)
        if len(missing) > SHORT:
            yield Stretch(column=column, left_out=len(missing))
            column += GAP_COLUMNS
        for shown in [*(missing if len(missing) <= SHORT else ()), cycle]:
            yield Stretch(column=column, cycle=shown)
            column += 1
        before = cycle


def _boxes(trace: Trace) -> Iterator[tuple[str, int, str, str]]:
    """Stream, cycle, label, kind of each box."""
    for cycle in trace.transfers[WAITING]:
        yield "s_axis", cycle, "", "wait"
    labels: dict[str, list[tuple[str, str]]] = {name: [] for name in ROWS}
    for number, (packet, kind) in enumerate(zip(trace.packets, _KINDS, strict=True), 1):
        texts = [(f"T{beat + 1}", kind) for beat in range(packet.text_beats)]
        labels["s_cmd"].append((f"{number}", kind))
        labels["s_axis"] += [(f"A{beat + 1}", kind) for beat in range(packet.aad_beats)] + texts
        labels["m_axis"] += texts
        labels["m_tag"].append((f"{number}", kind))
    for name in ROWS:
        for cycle, (words, kind) in zip(trace.transfers[name], labels[name], strict=True):
            yield name, cycle, words, kind
