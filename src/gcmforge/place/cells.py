# SPDX-License-Identifier: Apache-2.0
"""Standard cells in rows: a flat netlist placed by Coloquinte.

Rows fill a square, so large that cells take the stated part of it. Ports lie on its edge, in the
order of the module, at equal distances. A clock that has no tree yet has no wire either, or it
would draw all flip-flops together. A placement is the same for the same netlist, widths and version
of Coloquinte.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from math import ceil, sqrt
from typing import TYPE_CHECKING

from gcmforge.netlist.netlist import Module, NetlistError
from gcmforge.tools import ToolError

if TYPE_CHECKING:
    from typing import Any

_SITE_UNITS = 64
"""Coordinates of the placer are whole numbers: parts of a site's width."""

EFFORT = 4
"""Of Coloquinte, 1 to 9; more gives wires a few percent shorter in twice the time."""

AGAIN = 1
"""The same, where a repair has changed little: with 4 it takes twice the time, and wires of
`default` are 0.2 % shorter."""

AMONG = 1 / 3
"""The part of the free area that is left among cells. Without it the placer packs them without a
gap, and leaves the rest of the square empty: no wire could be routed there, and a cell that is put
in between pushes others far away."""

_FULL = "Not all cells have been placed"
"""What Coloquinte says of few rows that wide cells do not fill."""

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
        return round(um / self.site_um * _SITE_UNITS)

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
    without wires, such as the clock. Cells that are at `start` stay near their places in it, as
    far as these are still there in a square of another size.

    ToolError where Coloquinte is not installed, or finds no place for a cell; NetlistError for a
    cell without a width.
    """
    check_utilisation(utilisation)
    tool = coloquinte()
    names = list(module.cells)
    if not names:
        raise NetlistError(f"{module.name} has no cell that could be placed")
    sites = [rows.sites(_width(module, widths, name)) for name in names]
    wanted = sum(sites) / utilisation  # sites of the core
    count = max(1, round(sqrt(wanted * rows.site_um / rows.height_um)))
    across = max(ceil(wanted / count), max(sites))
    width, height = across * rows.site_um, count * rows.height_um
    ports = _on_the_edge(module, width, height)
    tall = rows.units(rows.height_um)
    circuit = _circuit(tool, sites, rows, (width, height), list(ports.values()))
    for number, cells in _nets(module, names, ports).items():
        if number not in unplaced and len(cells) > 1:
            middle = [sites[n] * _SITE_UNITS // 2 if n < len(names) else 0 for n in cells]
            up = [tall // 2 if n < len(names) else 0 for n in cells]
            circuit.add_net(cells, middle, up)
    region = tool.Rectangle(0, across * _SITE_UNITS, 0, count * tall)
    circuit.setup_rows(region, tall, False, False)
    if start is not None:
        spots = [start.cells[name] for name in names]
        x = [rows.units(x * width / start.width) for x, _ in spots]
        y = [rows.up(y * height / start.height) for _, y in spots]
        circuit.cell_x = _corners(x, circuit.cell_width, circuit.cell_x)
        circuit.cell_y = _corners(y, circuit.cell_height, circuit.cell_y)
    parameters = tool.ColoquinteParameters(effort)
    part = sum(sites) / (across * count)
    try:
        with _silent():
            if start is None:
                density = 1 - AMONG * (1 - part)
                _spread(circuit, density, lambda: circuit.place_global(parameters, None))
            circuit.place_detailed(parameters, None)
    except RuntimeError as error:
        if _FULL not in str(error):
            raise
        raise ToolError(
            f"Coloquinte placed not all of {len(names)} cells that take {100 * part:.0f} % of "
            f"{count} rows ({error}); use a lower utilisation"
        ) from error
    x, y = circuit.cell_x, circuit.cell_y
    # Widths are whole sites: what begins at the site before does not reach into its neighbour.
    return Placement(
        width=width, height=height, utilisation=part,
        cells={
            name: (
                (x[n] // _SITE_UNITS + sites[n] / 2) * rows.site_um,
                (y[n] // tall + 1 / 2) * rows.height_um,
            )
            for n, name in enumerate(names)
        },
        ports=ports,
    )  # fmt: skip


def _circuit(
    tool: Any,
    sites: list[int],
    rows: Rows,
    size: tuple[float, float],
    ports: list[tuple[float, float]],
) -> Any:
    """Cells in the middle, then ports where they stay."""
    circuit = tool.Circuit(len(sites) + len(ports))
    nothing = [0] * len(ports)
    circuit.cell_width = [count * _SITE_UNITS for count in sites] + nothing
    circuit.cell_height = [rows.units(rows.height_um)] * len(sites) + nothing
    circuit.cell_is_fixed = [False] * len(sites) + [True] * len(ports)
    circuit.cell_is_obstruction = [True] * len(sites) + [False] * len(ports)
    middle = rows.units(size[0] / 2), rows.up(size[1] / 2)
    circuit.cell_x = [middle[0]] * len(sites) + [rows.units(x) for x, _ in ports]
    circuit.cell_y = [middle[1]] * len(sites) + [rows.up(y) for _, y in ports]
    return circuit


def _spread(circuit: Any, density: float, place: Callable[[], None]) -> None:
    """Place cells as if they were so much wider that they took that part of all sites: the room is
    left among them."""
    widths = circuit.cell_width
    circuit.expand_cells_to_density(density, 0.0)
    place()
    more = [wide - width for wide, width in zip(circuit.cell_width, widths, strict=True)]
    circuit.cell_x = [x + extra // 2 for x, extra in zip(circuit.cell_x, more, strict=True)]
    circuit.cell_width = widths


def _corners(middles: list[int], sizes: list[int], now: list[int]) -> list[int]:
    """Where cells with these middles begin; ports stay."""
    moved = [
        middle - size // 2
        for middle, size in zip(middles, sizes, strict=False)  # ports have sizes, too
    ]
    return [*moved, *now[len(moved) :]]


def coloquinte() -> Any:
    """The placer; ToolError says what to install."""
    try:
        import coloquinte_pybind
    except ImportError as error:
        raise ToolError(
            "Coloquinte is not installed; pip install 'gcmforge[place]' (wheels for Linux)"
        ) from error
    return coloquinte_pybind


def coloquinte_version() -> str:
    """Empty where it is not installed."""
    try:
        return version("coloquinte")
    except PackageNotFoundError:
        return ""


@contextmanager
def _silent() -> Iterator[None]:
    """Nothing that the placer's C++ writes reaches the standard output."""
    libc = ctypes.CDLL(None)
    sys.stdout.flush()
    libc.fflush(None)
    kept = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        libc.fflush(None)  # or its buffer would be written later, to where 1 points then
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


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
) -> dict[int, list[int]]:
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
    return {bit: list(found) for bit, found in nets.items()}


__all__ = [
    "Placement",
    "Rows",
    "check_utilisation",
    "coloquinte",
    "coloquinte_version",
    "place_cells",
]
