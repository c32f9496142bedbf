# SPDX-License-Identifier: Apache-2.0
"""Coloquinte, the placer: cells of whole sites put on rows, in its own whole numbers.

What takes it long is kept in the cache, the first placing and each step after it: a measurement
that was interrupted goes on from there. A placement is the same for the same task and version.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, TypeAlias

from gcmforge.cache import cached, digest
from gcmforge.tools import ToolError

if TYPE_CHECKING:
    from typing import Any

SITE_UNITS = 64
"""Coordinates are whole numbers: parts of a site's width."""

LONG_S = 20.0
"""What takes longer is kept."""

_FULL = "Not all cells have been placed"
"""What Coloquinte says of few rows that wide cells do not fill."""

Corners: TypeAlias = tuple[list[int], list[int]]
"""Where cells begin: x and y of the lower left corner, in the placer's units."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Task:
    """Cells, rows and nets. Ends of a net are numbers of cells, then of ports."""

    sites: Sequence[int]
    """How many of them each cell takes."""
    tall: int
    """Units of a row's height."""
    across: int
    """Sites of a row."""
    rows: int
    ports: Sequence[tuple[int, int]]
    middle: tuple[int, int]
    """Where cells are that have no place yet."""
    nets: Sequence[tuple[int, ...]]
    density: float
    """The part of the sites that cells take when they are first placed, room among them included:
    as if they were wider."""
    effort: int
    """1 to 9."""


def solved(task: Task, start: Corners | None = None) -> Corners:
    """Each cell on sites of a row; near its place in `start`, where there is one. ToolError where
    Coloquinte is not installed, or finds no place for a cell."""
    tool = coloquinte()
    whole = json.dumps([getattr(task, field.name) for field in fields(task)])
    if start is None:
        start = _kept("spread", whole, lambda: _spread(tool, task))
    found = start
    return _kept(json.dumps(found), whole, lambda: _on_rows(tool, task, found))


def _kept(step: str, task: str, make: Callable[[], Corners]) -> Corners:
    """From the cache, or made now; kept there where that takes long."""
    key = digest(coloquinte_version(), task, step)
    found = cached("placed", key, lambda: dict(zip("xy", make(), strict=True)), least_s=LONG_S)
    return found["x"], found["y"]


def _spread(tool: Any, task: Task) -> Corners:
    """Near where they are to be, not yet on rows."""
    circuit = _circuit(tool, task)
    widths = circuit.cell_width
    with _placing(task):
        circuit.expand_cells_to_density(task.density, 0.0)
        circuit.place_global(tool.ColoquinteParameters(task.effort), None)
    more = [wide - width for wide, width in zip(circuit.cell_width, widths, strict=True)]
    x = [x + extra // 2 for x, extra in zip(circuit.cell_x, more, strict=True)]
    return _of_cells(task, x, circuit.cell_y)


def _on_rows(tool: Any, task: Task, start: Corners) -> Corners:
    circuit = _circuit(tool, task)
    cells = len(task.sites)
    circuit.cell_x = [*start[0], *circuit.cell_x[cells:]]
    circuit.cell_y = [*start[1], *circuit.cell_y[cells:]]
    with _placing(task):
        circuit.place_detailed(tool.ColoquinteParameters(task.effort), None)
    return _of_cells(task, circuit.cell_x, circuit.cell_y)


def _of_cells(task: Task, x: list[int], y: list[int]) -> Corners:
    return x[: len(task.sites)], y[: len(task.sites)]


def _circuit(tool: Any, task: Task) -> Any:
    """Cells in the middle, then ports where they stay."""
    cells, ports = len(task.sites), len(task.ports)
    circuit = tool.Circuit(cells + ports)
    circuit.cell_width = [count * SITE_UNITS for count in task.sites] + [0] * ports
    circuit.cell_height = [task.tall] * cells + [0] * ports
    circuit.cell_is_fixed = [False] * cells + [True] * ports
    circuit.cell_is_obstruction = [True] * cells + [False] * ports
    circuit.cell_x = [task.middle[0]] * cells + [x for x, _ in task.ports]
    circuit.cell_y = [task.middle[1]] * cells + [y for _, y in task.ports]
    for ends in task.nets:
        middle = [task.sites[n] * SITE_UNITS // 2 if n < cells else 0 for n in ends]
        up = [task.tall // 2 if n < cells else 0 for n in ends]
        circuit.add_net(list(ends), middle, up)
    region = tool.Rectangle(0, task.across * SITE_UNITS, 0, task.rows * task.tall)
    circuit.setup_rows(region, task.tall, False, False)
    return circuit


@contextmanager
def _placing(task: Task) -> Iterator[None]:
    """Silent, and with an error of ours where cells do not fit."""
    try:
        with _silent():
            yield
    except RuntimeError as error:
        if _FULL not in str(error):
            raise
        part = sum(task.sites) / (task.across * task.rows)
        raise ToolError(
            f"Coloquinte placed not all of {len(task.sites)} cells that take {100 * part:.0f} % of "
            f"{task.rows} rows ({error}); use a lower utilisation"
        ) from error


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


__all__ = ["SITE_UNITS", "Corners", "Task", "coloquinte", "coloquinte_version", "solved"]
