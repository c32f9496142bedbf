# SPDX-License-Identifier: Apache-2.0
"""Standard cells in rows: a flat netlist placed by Coloquinte.

Rows fill a square, so large that cells take the stated part of it. Ports lie on its edge, in the
order of the module, at equal distances. The clock has no wire: its tree is not part of a placement
(see Timing). A placement is the same for the same netlist, sizes and tool.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

from gcmforge.netlist.netlist import Module, NetlistError
from gcmforge.tools import ToolError

if TYPE_CHECKING:
    from typing import Any

UNITS_PER_UM = 100
"""Coordinates of the placer are whole numbers."""

EFFORT = 4
"""Of Coloquinte, 1 to 9; more gives wires a few percent shorter in twice the time."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Size:
    """Of a cell, in um; its height is that of a row."""

    width: float
    height: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Placement:
    """Middles of cells and places of ports' bits, in um from the lower left corner."""

    width: float
    height: float
    row_height: float
    utilisation: float
    cells: Mapping[str, tuple[float, float]]
    ports: Mapping[tuple[str, int], tuple[float, float]]
    """By the port's name and the bit's number."""


def place_cells(
    module: Module,
    sizes: Mapping[str, Size],
    *,
    utilisation: float,
    unplaced: Collection[int | str] = (),
    effort: int = EFFORT,
) -> Placement:
    """Where each cell of a flat module goes; `unplaced` are nets without wires, such as the clock.

    ToolError where Coloquinte is not installed; NetlistError for a cell without a size.
    """
    if not 0.1 <= utilisation <= 0.95:
        raise ValueError(f"utilisation={utilisation:g}: use a part of the area from 0.1 to 0.95")
    tool = coloquinte()
    names = list(module.cells)
    widths = [_size(module, sizes, name) for name in names]
    if not names:
        raise NetlistError(f"{module.name} has no cell that could be placed")
    height = widths[0].height
    area = sum(size.width * size.height for size in widths)
    rows = max(1, round(sqrt(area / utilisation) / height))
    width = area / utilisation / (rows * height)
    ports = _on_the_edge(module, width, rows * height)
    circuit = tool.Circuit(len(names) + len(ports))
    nobody = len(ports)
    circuit.cell_width = [_units(size.width) for size in widths] + [0] * nobody
    circuit.cell_height = [_units(size.height) for size in widths] + [0] * nobody
    circuit.cell_is_fixed = [False] * len(names) + [True] * nobody
    circuit.cell_is_obstruction = [True] * len(names) + [False] * nobody
    at = list(ports.values())
    middle = _units(width / 2), _units(rows * height / 2)
    circuit.cell_x = [middle[0]] * len(names) + [_units(x) for x, _ in at]
    circuit.cell_y = [middle[1]] * len(names) + [_units(y) for _, y in at]
    for number, cells in _nets(module, names, ports).items():
        if number not in unplaced and len(cells) > 1:
            across = [_units(widths[n].width / 2) if n < len(names) else 0 for n in cells]
            up = [_units(height / 2) if n < len(names) else 0 for n in cells]
            circuit.add_net(cells, across, up)
    region = tool.Rectangle(0, _units(width), 0, rows * _units(height))
    circuit.setup_rows(region, _units(height), False, False)
    circuit.place(effort)
    x, y = circuit.cell_x, circuit.cell_y
    return Placement(
        width=width, height=rows * height, row_height=height, utilisation=utilisation,
        cells={
            name: (x[n] / UNITS_PER_UM + widths[n].width / 2, y[n] / UNITS_PER_UM + height / 2)
            for n, name in enumerate(names)
        },
        ports=ports,
    )  # fmt: skip


def coloquinte() -> Any:
    """The placer; ToolError says what to install."""
    try:
        import coloquinte_pybind
    except ImportError as error:
        raise ToolError(
            "Coloquinte is not installed; pip install 'gcmforge[place]' (wheels for Linux)"
        ) from error
    return coloquinte_pybind


def _units(um: float) -> int:
    return round(um * UNITS_PER_UM)


def _size(module: Module, sizes: Mapping[str, Size], name: str) -> Size:
    cell = module.cells[name]
    if cell.type not in sizes:
        raise NetlistError(f"cell {name} is a {cell.type}, which has no size")
    return sizes[cell.type]


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


__all__ = ["Placement", "Size", "coloquinte", "place_cells"]
