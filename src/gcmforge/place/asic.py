# SPDX-License-Identifier: Apache-2.0
"""Standard cells: the clock of a mapped netlist once it is placed, by the built-in timing and by
OpenSTA."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

from gcmforge.netlist.library import Library
from gcmforge.netlist.netlist import Netlist
from gcmforge.netlist.targets import Target
from gcmforge.place.clock_tree import PREFIX
from gcmforge.place.figures import PlacedFigure
from gcmforge.place.placed import UTILISATION, PlacedDesign, place_design
from gcmforge.place.raster import map_of
from gcmforge.place.repair import mended
from gcmforge.sta.opensta import opensta_version
from gcmforge.synth.blocks import block_of_cells
from gcmforge.tools import ToolError


def placed_figure(
    netlist: Netlist,
    target: Target,
    library: Library,
    *,
    utilisation: float = UTILISATION,
    clock_ns: float | None = None,
    progress: Callable[[str], None] = lambda step: None,
) -> tuple[PlacedFigure, PlacedDesign]:
    """A netlist that is placed and mended against its wires, and what there is to say of it;
    OpenSTA's path where that is installed."""
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
    cells, area = placed.bound.module.cells, placed.area_um2
    figure = PlacedFigure(
        utilisation=placement.utilisation,
        core_area_um2=placement.width * placement.height,
        width_um=placement.width,
        height_um=placement.height,
        wire_m=float(placed.wires.length.sum()) / 1e6,
        wire_pf=float(placed.wires.wires.capacitance.sum()),
        ff_per_um=metal.ff_per_um,
        ohm_per_um=metal.ohm_per_um,
        wires_from=placed.geometry.source,
        cells_added=len(cells) - len(first.bound.module.cells),
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
        map=map_of(placed, block_of_cells(netlist)),
        seconds=round(perf_counter() - start, 1),
    )
    return with_clock(figure, placed), placed


def with_clock(figure: PlacedFigure, placed: PlacedDesign) -> PlacedFigure:
    """The figure with what there is to say of the clock's tree."""
    clock, bound = placed.wires.clock, placed.bound
    if clock is None:
        return figure
    types = [cell.type for name, cell in bound.module.cells.items() if name.startswith(PREFIX)]
    area = sum(bound.library.cells[name].area for name in types)
    return replace(
        figure,
        clock_buffers=len(types),
        clock_buffer=types[0],
        clock_area_ge=area / placed.target.nand2_area,
        clock_wire_pf=float(placed.wires.wires.capacitance[bound.clock_nets].sum()),
        clock_latency_ns=clock.latency_ns,
        clock_skew_ns=clock.skew_ns,
        clock_transition_ns=clock.transition_ns,
    )
