# SPDX-License-Identifier: Apache-2.0
"""A placed core seen from above: its blocks in colours, and its slowest path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from gcmforge.measure.result import PlacedFigure, PlacedMap, Result
from gcmforge.place.raster import ADDED, CLOCK_TREE
from gcmforge.report.svg import document, text
from gcmforge.synth.block_names import BLOCKS

MARGIN, SIDE, LINE = 12.0, 416.0, 20.0
"""The drawing is narrow, so that a telephone shows it whole."""

_COLOURS = (
    "#4e79a7", "#f28e2b", "#c77fb0", "#59a14f", "#a0cbe8", "#76b7b2", "#9c755f", "#ff9da7",
    "#bab0ac", "#e15759", "#edc948", "#af7aa1", "#d37295", "#5a4fcf", "#8cd17d",
)  # fmt: skip
_COLOUR_OF = dict(zip((*BLOCKS, CLOCK_TREE, ADDED), _COLOURS, strict=True))
_OTHER = "#8a8f9c"
"""Of what is no block of a core."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Placed:
    """A placed result, and its drawing, which has a file of its own; empty where it is the same as
    one before."""

    result: Result
    figure: PlacedFigure
    file: str
    drawing: str


def placement_drawings(measured: Sequence[Result]) -> list[Placed]:
    """Of the results that were placed, each with a file name of its own."""
    found: list[Placed] = []
    drawings: list[str] = [""]
    for result in measured:
        if result.placed is None:
            continue
        drawing = placement_drawing(result.placed, f"Placed on {result.target}")
        file = ""
        if drawing in drawings:
            drawing = ""
        else:
            number = f"_{len(drawings)}" if len(drawings) > 1 else ""
            file = f"datasheet_placed{number}.svg"
            drawings.append(drawing)
        found.append(Placed(result=result, figure=result.placed, file=file, drawing=drawing))
    return found


def placement_drawing(placed: PlacedFigure, title: str) -> str:
    """Empty where the figure has no map."""
    if placed.map is None:
        return ""
    found = placed.map
    rows, columns = len(found.rows), len(found.rows[0])
    high = SIDE * placed.height_um / placed.width_um
    width = SIDE + 2 * MARGIN
    corner = f'x="{MARGIN:g}" y="{MARGIN:g}"'
    body = [f'<rect class="panel" {corner} width="{SIDE:g}" height="{high:g}"/>']
    scale = f"translate({MARGIN:g} {MARGIN:g}) scale({SIDE / columns:g} {high / rows:g})"
    body.append(f'<g transform="{scale}" shape-rendering="crispEdges">')
    for number, block in enumerate(found.blocks):
        body.append(_filled(_tiles(found, number), _COLOUR_OF.get(block, _OTHER)))
    body.append("</g>")
    body += _path(found, high)
    below = MARGIN + high
    for number, name in enumerate(found.blocks):
        x, y = MARGIN + number % 2 * SIDE / 2, below + LINE * (number // 2 + 1)
        colour = _COLOUR_OF.get(name, _OTHER)
        body.append(
            f'<rect x="{x:g}" y="{y - 11:g}" width="14" height="14" style="fill:{colour}"/>'
        )
        body.append(text(x + 20, y, name, anchor="start"))
    y = below + LINE * ((len(found.blocks) + 1) // 2 + 1)
    if found.path:
        body += _line(((MARGIN + 6, y - 4), (MARGIN + 36, y - 4)))
        words = "slowest path, from the dot to the square"
        body.append(text(MARGIN + 48, y, words, anchor="start"))
        y += LINE
    size = f"{placed.width_um:,.0f} um x {placed.height_um:,.0f} um"
    body.append(text(MARGIN, y, f"{size}, {placed.utilisation:.0%} of it cells", "soft", "start"))
    return document(width, y + MARGIN, title, body)


def _tiles(found: PlacedMap, number: int) -> list[str]:
    """A block's tiles as pieces of one path, those beside each other together."""
    pieces = []
    for y, row in enumerate(found.rows):
        x = 0
        for letter, run in groupby(row):
            size = len(list(run))
            if letter == found.letter(number):
                pieces.append(f"M{x} {y}h{size}v1h-{size}z")
            x += size
    return pieces


def _filled(pieces: list[str], colour: str) -> str:
    return f'<path style="fill:{colour};stroke:none" d="{"".join(pieces)}"/>'


def _path(found: PlacedMap, high: float) -> list[str]:
    spots = [(MARGIN + x * SIDE, MARGIN + (1 - y) * high) for x, y in found.path]
    return _line(spots) if spots else []


def _line(spots: Sequence[tuple[float, float]]) -> list[str]:
    """Dark with a light edge, or the other way round where the page is dark."""
    way = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in spots)
    drawn = [
        f'<path style="stroke:var(--box);stroke-width:5;stroke-linejoin:round" d="{way}"/>',
        f'<path style="stroke:var(--ink);stroke-width:2;stroke-linejoin:round" d="{way}"/>',
    ]
    (x, y), (u, v) = spots[0], spots[-1]
    style = "fill:var(--ink);stroke:var(--box);stroke-width:1.5"
    drawn.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" style="{style}"/>')
    drawn.append(f'<rect x="{u - 5:.1f}" y="{v - 5:.1f}" width="10" height="10" style="{style}"/>')
    return drawn


__all__ = ["placement_drawing"]
