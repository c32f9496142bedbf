# SPDX-License-Identifier: Apache-2.0
"""Standard cells in rows: a flat netlist placed by Coloquinte.

Rows fill a square, so large that cells take the stated part of it. Ports lie on its edge, in the
order of the module, at equal distances. A clock that has no tree yet has no wire either, or it
would draw all flip-flops together.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import ceil, sqrt

from gcmforge.netlist.netlist import Module, NetlistError
from gcmforge.place.coloquinte import SITE_UNITS, Task, solved

EFFORT = 4
"""Of Coloquinte, 1 to 9; more gives wires a few percent shorter in twice the time."""

AGAIN = 1
"""The same, where a repair has changed little: with 4 it takes twice the time, and wires of
`default` are 0.2 % shorter."""

AMONG = 1 / 3
"""The part of the free area that is left among cells. Without it the placer packs them without a
gap, and leaves the rest of the square empty: no wire could be routed there, and a cell that is put
in between pushes others far away."""

LEAST, MOST = 0.1, 0.95
"""Of utilisation: fuller rows leave the placer nowhere to move a cell."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Rows:
    """What cells stand on: the height of a row, and the sites at which a cell may begin."""

    height_um: float
    site_um: float

    def sites(self, width_um: float) -> int:
        """How many sites a cell takes; a thousandth more than a whole number is that number."""
        return ceil(width_um / self.site_um - 1e-3)

    def units(self, um: float) -> int:
        """A length as the placer takes it."""
        return round(um / self.site_um * SITE_UNITS)

    def up(self, um: float) -> int:
        """A height as the placer takes it, in which each row is a whole number of units tall."""
        return round(um / self.height_um * self.units(self.height_um))


@dataclass(frozen=True, kw_only=True, slots=True)
class Placement:
    """Middles of cells and places of ports' bits, in um from the lower left corner."""

    width: float
    height: float
    utilisation: float
    """Part of the area that cells take; that which was asked for, but for whole rows and sites."""
    cells: Mapping[str, tuple[float, float]]
    ports: Mapping[tuple[str, int], tuple[float, float]]
    """By the port's name and the bit's number."""


def check_utilisation(utilisation: float) -> None:
    """ValueError where rows would be too full or nearly empty."""
    if not LEAST <= utilisation <= MOST:
        raise ValueError(
            f"utilisation={utilisation:g}: use a part of the area from {LEAST:g} to {MOST:g}"
        )


def place_cells(
    module: Module,
    widths: Mapping[str, float],
    rows: Rows,
    *,
    utilisation: float,
    unplaced: Collection[int | str] = (),
    start: Placement | None = None,
    effort: int = EFFORT,
) -> Placement:
    """Where each cell of a flat module goes. `widths` are by type, in um; `unplaced` are nets
    without wires, such as the clock. With `start`, in which all have to be, cells stay near their
    places, as far as these are still there in a square of another size.

    ToolError where Coloquinte is not installed, or finds no place for a cell; NetlistError for a
    cell without a width.
    """
    check_utilisation(utilisation)
    names = list(module.cells)
    if not names:
        raise NetlistError(f"{module.name} has no cell that could be placed")
    sites = [rows.sites(_width(module, widths, name)) for name in names]
    wanted = sum(sites) / utilisation  # sites of the core
    count = max(1, round(sqrt(wanted * rows.site_um / rows.height_um)))
    across = max(ceil(wanted / count), max(sites))
    part = sum(sites) / (across * count)
    width, height = across * rows.site_um, count * rows.height_um
    ports = _on_the_edge(module, width, height)
    nets = _nets(module, names, ports)
    tall = rows.units(rows.height_um)
    task = Task(
        sites=sites, tall=tall, across=across, rows=count, effort=effort,
        ports=[(rows.units(x), rows.up(y)) for x, y in ports.values()],
        middle=(rows.units(width / 2), rows.up(height / 2)),
        nets=[ends for bit, ends in nets.items() if bit not in unplaced and len(ends) > 1],
        density=1 - AMONG * (1 - part),
    )  # fmt: skip
    corners = None
    if start is not None:
        wider, taller = width / start.width, height / start.height
        spots = [start.cells[name] for name in names]
        half = [wide * SITE_UNITS // 2 for wide in sites]
        corners = (
            [rows.units(x * wider) - less for (x, _), less in zip(spots, half, strict=True)],
            [rows.up(y * taller) - tall // 2 for _, y in spots],
        )
    left, low = solved(task, corners)
    # Widths are whole sites: what begins at the site before does not reach into its neighbour.
    across_um = [
        (x // SITE_UNITS + wide / 2) * rows.site_um for x, wide in zip(left, sites, strict=True)
    ]
    up_um = [(y // tall + 1 / 2) * rows.height_um for y in low]
    return Placement(
        width=width, height=height, utilisation=part,
        cells=dict(zip(names, zip(across_um, up_um, strict=True), strict=True)), ports=ports,
    )  # fmt: skip


def _width(module: Module, widths: Mapping[str, float], name: str) -> float:
    cell = module.cells[name]
    if cell.type not in widths:
        raise NetlistError(f"cell {name} is a {cell.type}, which has no width")
    return widths[cell.type]


def _on_the_edge(
    module: Module, width: float, height: float
) -> dict[tuple[str, int], tuple[float, float]]:
    """From the lower left corner up, along the top, down and back."""
    bits = [(name, n) for name, port in module.ports.items() for n in range(len(port.bits))]
    step = 2 * (width + height) / max(1, len(bits))
    found = {}
    for number, bit in enumerate(bits):
        way = (number + 0.5) * step
        if way < height:
            found[bit] = (0.0, way)
        elif way < height + width:
            found[bit] = (way - height, height)
        elif way < 2 * height + width:
            found[bit] = (width, 2 * height + width - way)
        else:
            found[bit] = (2 * (width + height) - way, 0.0)
    return found


def _nets(
    module: Module, names: list[str], ports: Mapping[tuple[str, int], tuple[float, float]]
) -> dict[int, tuple[int, ...]]:
    """Numbers of the cells, then of the ports' bits, on each net, each once."""
    nets: dict[int, dict[int, None]] = defaultdict(dict)
    for number, name in enumerate(names):
        for bits in module.cells[name].connections.values():
            for bit in bits:
                if isinstance(bit, int):
                    nets[bit][number] = None
    for number, (port, n) in enumerate(ports, len(names)):
        bit = module.ports[port].bits[n]
        if isinstance(bit, int):
            nets[bit][number] = None
    return {bit: tuple(found) for bit, found in nets.items()}


__all__ = [
    "Placement",
    "Rows",
    "check_utilisation",
    "place_cells",
]
