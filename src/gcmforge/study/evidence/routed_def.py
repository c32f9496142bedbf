# SPDX-License-Identifier: Apache-2.0
"""A placed design as a DEF file for a router, and the lengths of wires in the one that it writes.

Every net with a wire is named n and its number, every cell c and its number; tracks are those of
the library's LEF file. Ports lie on metal2 in a ring around the rows, as far from their places on
the edge as the ring is wide at most.
"""

import re
from collections import defaultdict
from collections.abc import Iterator

from gcmforge.place.placed import PlacedDesign

UNITS = 100
"""Of a DEF file, in a micrometre."""
TRACKS = (
    ("metal1", "Y", 1.0), ("metal2", "X", 0.8), ("metal3", "Y", 1.0), ("metal4", "X", 0.8),
    ("metal5", "Y", 1.0), ("metal6", "X", 1.6),
)  # fmt: skip
"""Layers of osu018: the axis along which tracks repeat, and their pitch in um."""
RING = (8.0, 10.0)
"""Around the rows, along x and along y, in um: whole tracks and a whole row."""


def def_lines(placed: PlacedDesign) -> Iterator[str]:
    """Of an unrouted design on osu018. Rows are turned over in turn, as they share their rails."""
    place, (aside, below) = placed.placement, RING
    width, height = place.width + 2 * aside, place.height + 2 * below
    yield "VERSION 5.6 ;"
    yield 'NAMESCASESENSITIVE ON ;\nDIVIDERCHAR "/" ;\nBUSBITCHARS "[]" ;'
    yield f"DESIGN {placed.bound.module.name} ;\nUNITS DISTANCE MICRONS {UNITS} ;"
    yield f"DIEAREA ( 0 0 ) ( {_units(width)} {_units(height)} ) ;"
    for layer, axis, pitch in TRACKS:
        count = int((width if axis == "X" else height) / pitch)
        first, step = _units(pitch / 2), _units(pitch)
        yield f"TRACKS {axis} {first} DO {count} STEP {step} LAYER {layer} ;"
    pins, nets = _pins_and_nets(placed)
    nets = {net: ends for net, ends in nets.items() if len(ends) > 1}
    yield from _section("COMPONENTS", list(_cells(placed)))
    yield from _section("PINS", pins)
    yield from _section("NETS", [_net(net, ends) for net, ends in nets.items()])
    yield "END DESIGN"


def _net(net: int, ends: list[str]) -> str:
    """On several lines: qrouter writes a net's wires only when its name ends a line."""
    return "\n  ".join((f"- n{net}", *ends)) + " ;"


def _section(name: str, lines: list[str]) -> Iterator[str]:
    yield f"{name} {len(lines)} ;"
    yield from lines
    yield f"END {name}"


def _cells(placed: PlacedDesign) -> Iterator[str]:
    rows, (aside, below) = placed.geometry.rows, RING
    for group in placed.bound.groups:
        wide = rows.sites(placed.geometry.widths[group.cell.name]) * rows.site_um
        for number, name in enumerate(group.names, group.first):
            x, y = placed.placement.cells[name]
            row = round(y / rows.height_um - 0.5)
            left, low = x - wide / 2 + aside, row * rows.height_um + below
            turned = "FS" if row % 2 else "N"
            spot = f"( {_units(left)} {_units(low)} )"
            yield f"- c{number} {group.cell.name} + PLACED {spot} {turned} ;"


def _pins_and_nets(placed: PlacedDesign) -> tuple[list[str], dict[int, list[str]]]:
    """Lines of ports, and the ends of each net. A port has its net's name; a second one of the same
    net has a number more."""
    table, groups = placed.wires.pins, placed.bound.groups
    taken: set[tuple[int, int]] = set()
    pins: list[str] = []
    nets: dict[int, list[str]] = defaultdict(list)
    named: set[str] = set()
    for net, number, column, row, x, y in zip(
        table.net.tolist(), table.group.tolist(), table.column.tolist(), table.row.tolist(),
        table.x.tolist(), table.y.tolist(), strict=True,
    ):  # fmt: skip
        if number >= 0:
            group = groups[number]
            nets[net].append(f"( c{group.first + row} {group.pins[column]} )")
            continue
        name = f"n{net}" if f"n{net}" not in named else f"n{net}_{len(pins)}"
        named.add(name)
        at = _on_the_ring(placed, x, y, taken)
        pins.append(
            f"- {name} + NET n{net} + LAYER metal2 ( -15 -15 ) ( 15 15 ) "
            f"+ PLACED ( {at[0]} {at[1]} ) N ;"
        )
        nets[net].append(f"( PIN {name} )")
    return pins, nets


def _on_the_ring(
    placed: PlacedDesign, x: float, y: float, taken: set[tuple[int, int]]
) -> tuple[int, int]:
    """The nearest free crossing of tracks of metal2 and metal3 in the middle of the ring."""
    place, (aside, below) = placed.placement, RING
    on_side = min(x, place.width - x) < min(y, place.height - y)
    if on_side:
        x = -aside / 2 if x < place.width / 2 else place.width + aside / 2
    else:
        y = -below / 2 if y < place.height / 2 else place.height + below / 2
    column, row = int((x + aside) / 0.8), int(y + below)
    while (column, row) in taken:
        column, row = (column, row + 1) if on_side else (column + 1, row)
    taken.add((column, row))
    return _units(0.8 * column + 0.4), _units(row + 0.5)


def _units(um: float) -> int:
    return round(um * UNITS)


_NET = re.compile(r"^- n(\d+)\b(.*?);", re.MULTILINE | re.DOTALL)
_POINT = re.compile(r"\(\s*(\S+)\s+(\S+)\s*\)")


def routed_lengths(text: str) -> dict[int, dict[str, float]]:
    """By the net's number, and by layer: um of wire in a routed DEF file."""
    body = text[text.index("\nNETS") : text.index("\nEND NETS")]
    return {int(found[1]): _by_layer(found[2]) for found in _NET.finditer(body)}


def _by_layer(net: str) -> dict[str, float]:
    lengths: dict[str, float] = defaultdict(float)
    for piece in re.split(r"\b(?:ROUTED|NEW)\b", net)[1:]:
        layer, last = piece.split()[0], None
        for across, up in _POINT.findall(piece):
            x = last[0] if last and across == "*" else int(across)
            y = last[1] if last and up == "*" else int(up)
            if last:
                lengths[layer] += (abs(x - last[0]) + abs(y - last[1])) / UNITS
            last = (x, y)
    return dict(lengths)
