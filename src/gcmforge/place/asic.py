# SPDX-License-Identifier: Apache-2.0
"""Standard cells: the clock of a mapped netlist once it is placed, by the built-in timing and by
OpenSTA."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from gcmforge.netlist.library import Library
from gcmforge.netlist.netlist import Netlist
from gcmforge.netlist.targets import Target
from gcmforge.place.figures import PlacedFigure
from gcmforge.place.placed import UTILISATION, place_design
from gcmforge.place.repair import mended
from gcmforge.sta.opensta import opensta_version
from gcmforge.tools import ToolError


def placed_figure(
    netlist: Netlist,
    target: Target,
    library: Library,
    *,
    utilisation: float = UTILISATION,
    clock_ns: float | None = None,
    progress: Callable[[str], None] = lambda step: None,
) -> PlacedFigure:
    """What there is to say of a netlist that is placed and mended against its wires; OpenSTA's path
    where that is installed."""
    start = perf_counter()
    progress("placing")
    first = place_design(netlist, target, library, utilisation=utilisation, clock_ns=clock_ns)
    progress("mending what the wires made slow")
    placed = mended(first, clock_ns=clock_ns)
    other, missing = None, ""
    try:
        progress("timing of what is placed by OpenSTA")
        other = placed.by_opensta()
    except ToolError as error:
        missing = str(error)
    placement, timing, metal = placed.placement, placed.timing, placed.geometry.metal
    area = sum(library.cells[cell.type].area for cell in placed.bound.module.cells.values())
    return PlacedFigure(
        utilisation=placement.utilisation,
        core_area_um2=placement.width * placement.height,
        width_um=placement.width,
        height_um=placement.height,
        wire_m=float(placed.wires.length.sum()) / 1e6,
        wire_pf=float(placed.wires.wires.capacitance.sum()),
        ff_per_um=metal.ff_per_um,
        ohm_per_um=metal.ohm_per_um,
        wires_from=placed.geometry.source,
        cells_added=len(placed.bound.module.cells) - len(first.bound.module.cells),
        area_um2=area,
        area_ge=area / target.nand2_area,
        mapped_delay_ns=first.timing.critical_path_ns,
        delay_ns=timing.critical_path_ns,
        fmax_mhz=timing.fmax_mhz,
        start=timing.start,
        end=timing.end,
        slack_ns=timing.slack_ns,
        clock_transition_ns=target.clock_transition_ns,
        other_tool=f"OpenSTA {opensta_version()}" if other else "",
        other_delay_ns=other.critical_path_ns if other else None,
        other_start=other.start if other else "",
        other_end=other.end if other else "",
        other_missing=missing,
        seconds=round(perf_counter() - start, 1),
    )
