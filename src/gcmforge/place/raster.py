# SPDX-License-Identifier: Apache-2.0
"""A placed design seen from above: blocks as a raster, and the way of the slowest path."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from gcmforge.place.clock_tree import PREFIX
from gcmforge.place.figures import PlacedMap
from gcmforge.place.placed import PlacedDesign
from gcmforge.place.wires import port_bits
from gcmforge.sta.opensta import bit_name

TILES = 100
"""Along each side."""

CLOCK_TREE, ADDED = "clock tree", "added for wires"
"""What cells are of that mapping did not make."""


def map_of(placed: PlacedDesign, block_of: Mapping[str, str]) -> PlacedMap:
    """`block_of` is by the flat name of each cell that mapping made."""
    placement, module = placed.placement, placed.bound.module
    tiles: dict[tuple[int, int], dict[str, float]] = defaultdict(lambda: defaultdict(float))
    whole: dict[str, float] = defaultdict(float)
    for name, cell in module.cells.items():
        (x, y), width = placement.cells[name], placed.geometry.widths[cell.type]
        made = CLOCK_TREE if name.startswith(PREFIX) else ADDED
        block = block_of.get(name, made)
        tile = _tile(x / placement.width), _tile(y / placement.height)
        tiles[tile][block] += width
        whole[block] += width
    most = {
        tile: max(found.items(), key=lambda one: (one[1], one[0]))[0]
        for tile, found in tiles.items()
    }
    seen = set(most.values())
    blocks = tuple(sorted(seen, key=lambda block: (-whole[block], block)))
    letter = {block: PlacedMap.letter(number) for number, block in enumerate(blocks)}
    rows = (
        "".join(letter[most[x, y]] if (x, y) in most else "." for x in range(TILES))
        for y in reversed(range(TILES))
    )
    path = tuple(
        (round(x / placement.width, 4), round(y / placement.height, 4)) for x, y in _path(placed)
    )
    return PlacedMap(blocks=blocks, rows=tuple(rows), path=path)


def _tile(part: float) -> int:
    return min(TILES - 1, int(part * TILES))


def _path(placed: PlacedDesign) -> Iterator[tuple[float, float]]:
    """Places of the slowest path's start, gates and end."""
    placement, timing, bound = placed.placement, placed.timing, placed.bound
    ports = {
        f"{direction} {bit_name(name, n, len(bound.module.ports[name].bits))}": (name, n)
        for direction in ("input", "output")
        for name, n in port_bits(bound, direction)
    }
    if timing.start in ports:
        yield placement.ports[ports[timing.start]]
    yield from (placement.cells[step.instance] for step in timing.path)
    if timing.end in ports:
        yield placement.ports[ports[timing.end]]
    elif timing.end_instance:
        yield placement.cells[timing.end_instance]


__all__ = ["ADDED", "CLOCK_TREE", "map_of"]
